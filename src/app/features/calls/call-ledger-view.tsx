import { queryOptions, useQuery } from '@tanstack/react-query'
import { lazy } from 'react'
import { getJson } from '#app/api/get-json.ts'
import { count, countOf } from '#app/format/count.ts'
import { AgeNote } from '#app/ui/age-note.tsx'
import { Badge } from '#app/ui/badge.tsx'
import { type Column, DataTable } from '#app/ui/data-table.tsx'
import { DocumentTitle } from '#app/ui/document-title.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ExportButton } from '#app/ui/export/export-button.tsx'
import { LoadedPart } from '#app/ui/loaded-part.tsx'
import { Time } from '#app/ui/time.tsx'
import { WideTable } from '#app/ui/wide-table.tsx'
import { type CallLedger, callLedgerSchema, type LedgerCall } from '#contract/bff/call-ledger.ts'
import { OUTCOMES, REASONS } from './call-words.ts'
import { fillHours, type HourOfCalls } from './fill-hours.ts'

const CallsExport = lazy(async () => ({ default: (await import('./calls-export.tsx')).CallsExport }))

const CARD = '-mx-4 overflow-clip border-line border-y bg-surface sm:mx-0 sm:rounded-lg sm:border-x'

/** Lists what the key's calls were used for. */
export function CallLedgerView() {
  const query = useQuery(callLedgerOptions())
  const { data: ledger, error, dataUpdatedAt } = query
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <DocumentTitle title="API calls" />
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h1 className="font-semibold text-xl tracking-tight">API calls</h1>
        {ledger && (
          <AgeNote
            freshness={{
              fetchedAt: new Date(dataUpdatedAt).toISOString(),
              isStale: error !== null,
              staleReason: error?.message ?? null,
            }}
          />
        )}
      </div>
      <p className="max-w-[80ch] text-muted text-sm">
        Calls to the vendor’s API that Lantern made with the team’s key, or avoided. Search terms are not
        recorded. The chart shows today in UTC, because limits of the API usually reset then. The list uses
        your time zone.
      </p>
      <LoadedPart query={query} name="the calls" heights={['h-56', 'h-96']} className="grid gap-4">
        {(calls) => <Ledger ledger={calls} readAt={dataUpdatedAt} />}
      </LoadedPart>
    </div>
  )
}

function Ledger({ ledger: { calls, hours }, readAt }: { ledger: CallLedger; readAt: number }) {
  return (
    <>
      <div className={CARD}>
        <CallsChart hours={hours} lastHour={new Date(readAt).getUTCHours()} />
      </div>
      <div className={CARD}>
        {calls.length === 0 ? (
          <EmptyState icon="clock" title="No calls yet">
            They appear here as Lantern makes them.
          </EmptyState>
        ) : (
          <>
            <div className="flex items-center justify-between gap-4 px-4 pt-2 pb-1">
              <h2 className="font-semibold text-sm">The newest {countOf(calls.length, 'call')}</h2>
              <ExportButton renderDialog={(close) => <CallsExport calls={calls} onClose={close} />} />
            </div>
            <CallsTable calls={calls} />
          </>
        )}
      </div>
    </>
  )
}

const POLL_MS = 30_000

/** Costs no vendor call. Its polls must not prolong the session. */
function callLedgerOptions() {
  return queryOptions({
    queryKey: ['calls'],
    queryFn: ({ signal }) => getJson('calls', callLedgerSchema, { signal, background: true }),
    refetchInterval: POLL_MS,
  })
}

const COLUMNS: readonly Column<LedgerCall>[] = [
  { key: 'at', head: 'When', cell: ({ at }) => <Time at={at} /> },
  {
    key: 'route',
    head: 'Route',
    cellClassName: 'font-mono text-xs',
    cell: ({ route }) => <span title={route}>{route}</span>,
  },
  { key: 'set', head: 'API', cellClassName: 'text-muted', cell: ({ set }) => set },
  { key: 'why', head: 'Why', cell: ({ priority }) => REASONS[priority] },
  { key: 'who', head: 'Requested by', cellClassName: 'text-muted', cell: ({ who }) => who ?? '—' },
  {
    key: 'outcome',
    head: 'Outcome',
    cell: ({ outcome }) => <Badge tone={OUTCOMES[outcome].tone}>{OUTCOMES[outcome].label}</Badge>,
  },
  { key: 'status', head: 'Status', cellClassName: 'tabular-nums', cell: ({ status }) => status ?? '—' },
  {
    key: 'took',
    head: 'Took',
    cellClassName: 'text-muted tabular-nums',
    cell: ({ durationMs }) => (durationMs === null ? '—' : `${count(durationMs)} ms`),
  },
]

/** The newest calls, one a line. */
function CallsTable({ calls }: { calls: readonly LedgerCall[] }) {
  return (
    <WideTable
      label="Newest calls"
      caption="Calls, newest first"
      columns={COLUMNS}
      rows={calls}
      rowKey={(call) => Object.values(call).join(' ')}
      grid="grid min-w-304 grid-cols-[13rem_minmax(0,1fr)_5rem_13rem_minmax(0,1fr)_12rem_4.5rem_6rem] items-center"
      className="[&>thead>tr]:h-8 [&_td]:truncate [&_td]:px-4 [&_th]:px-4"
      rowLook={() => 'h-9 hover:bg-hover [contain-intrinsic-size:auto_2.25rem] [content-visibility:auto]'}
    />
  )
}

type CallsChartProps = {
  hours: CallLedger['hours']
  /** The hour that it is: what comes after has no number yet. */
  lastHour: number
}

const HEIGHT = 120
const STEP = 40
const BAR = 28

/** The calls of the current UTC day, which is the API's unless it reports another, hour by hour: drawn, and as the same numbers in a table. */
function CallsChart({ hours, lastHour }: CallsChartProps) {
  const day = fillHours(hours)
  const most = Math.max(...day.map(({ total }) => total))
  const sum = (of: (hour: HourOfCalls) => number) => day.reduce((all, hour) => all + of(hour), 0)

  return (
    <figure className="grid gap-3 p-4">
      <figcaption className="flex flex-wrap items-center gap-x-4 gap-y-1 text-muted text-xs">
        <span className="font-medium text-ink text-sm">
          {countOf(
            sum(({ total }) => total),
            'call',
          )}{' '}
          today, by hour (UTC)
        </span>
        <span className="flex items-center gap-1.5">
          <span aria-hidden="true" className="size-2.5 rounded-sm bg-accent forced-color-adjust-none" />
          API v1: {count(sum(({ v1 }) => v1))}
        </span>
        <span className="flex items-center gap-1.5">
          <span aria-hidden="true" className="size-2.5 rounded-sm bg-high forced-color-adjust-none" />
          Earlier API: {count(sum(({ earlier }) => earlier))}
        </span>
        <span className="ml-auto tabular-nums">most in an hour: {count(most)}</span>
      </figcaption>
      <svg
        viewBox={`0 0 ${24 * STEP} ${HEIGHT + 1}`}
        preserveAspectRatio="none"
        aria-hidden="true"
        className="h-32 w-full"
      >
        {day.map((hour) => (
          <HourBar key={hour.hour} hour={hour} scale={HEIGHT / Math.max(1, most)} />
        ))}
        <path d={`M0 ${HEIGHT + 0.5}H${24 * STEP}`} className="stroke-edge" />
      </svg>
      <div aria-hidden="true" className="-mt-2 flex justify-between text-2xs text-faint tabular-nums">
        {['00:00', '06:00', '12:00', '18:00', '24:00'].map((label) => (
          <span key={label}>{label}</span>
        ))}
      </div>
      <details className="text-sm">
        <summary className="w-fit rounded-sm text-muted text-xs hover:text-ink">
          The same numbers as a table
        </summary>
        <DataTable
          caption="Calls of the day by hour"
          columns={HOUR_COLUMNS}
          rows={day.slice(0, lastHour + 1)}
          rowKey={({ hour }) => hour}
          className="mt-2 text-xs tabular-nums [&_td]:px-3 [&_td]:py-0.5 [&_th]:px-3 [&_th]:py-0.5"
        />
      </details>
    </figure>
  )
}

function HourBar({ hour: { hour, v1, earlier }, scale }: { hour: HourOfCalls; scale: number }) {
  const x = hour * STEP + (STEP - BAR) / 2
  return (
    <>
      <rect x={x} width={BAR} y={HEIGHT - v1 * scale} height={v1 * scale} className="fill-accent" />
      <rect
        x={x}
        width={BAR}
        y={HEIGHT - (v1 + earlier) * scale}
        height={earlier * scale}
        className="fill-high"
      />
    </>
  )
}

const HOUR_COLUMNS: readonly Column<HourOfCalls>[] = [
  {
    key: 'hour',
    head: 'Hour (UTC)',
    isName: true,
    cellClassName: 'font-normal text-muted',
    cell: ({ hour }) => `${String(hour).padStart(2, '0')}:00`,
  },
  { key: 'v1', head: 'v1', align: 'right', cell: ({ v1 }) => count(v1) },
  { key: 'earlier', head: 'Earlier', align: 'right', cell: ({ earlier }) => count(earlier) },
  { key: 'total', head: 'All', align: 'right', cell: ({ total }) => count(total) },
]
