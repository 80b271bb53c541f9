import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { count, countOf } from '#app/format/count.ts'
import { BarList } from '#app/ui/chart/bar-list.tsx'
import { Change } from '#app/ui/chart/change.tsx'
import type { Column } from '#app/ui/data-table.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ExportButton } from '#app/ui/export/export-button.tsx'
import { LoadedPart } from '#app/ui/loaded-part.tsx'
import { useTimeZone } from '#app/ui/preferences.ts'
import { SectionCard } from '#app/ui/section-card.tsx'
import { SeverityMark } from '#app/ui/severity-mark.tsx'
import { Time } from '#app/ui/time.tsx'
import { lazyWhenIdle } from '#app/ui/when-idle.ts'
import { WideTable } from '#app/ui/wide-table.tsx'
import { periodTitle, previousPhrase } from '#contract/bff/period.ts'
import type { TeamFigures as Figures, WorkTime } from '#contract/bff/team-figures.ts'
import { closeReason } from '#contract/bff/triage-state.ts'
import type { Severity } from '#contract/severity.ts'
import { teamFiguresOptions } from './metrics-options.ts'
import { DEFINITIONS, olderWords, shareWords, tookWords } from './team-words.ts'

const TeamExport = lazyWhenIdle(async () => (await import('./team-export.tsx')).TeamExport)

/** Shows what the team did with cases in a period, and what is open now. */
export function TeamFigures({ period }: { period: string }) {
  const query = useQuery(teamFiguresOptions(period, useTimeZone()))
  const { data, isPlaceholderData } = query
  return (
    <SectionCard
      title="Work of the team"
      note={<span className="text-faint text-xs">{periodTitle(data?.period.name ?? period)}, in cases</span>}
      tools={
        data && (
          <span className="print:hidden">
            <ExportButton renderDialog={(close) => <TeamExport figures={data} onClose={close} />} />
          </span>
        )
      }
    >
      {/* Printing waits for it. */}
      {query.isPending && <div aria-busy="true" />}
      <LoadedPart query={query} name="the work of the team" heights={['h-72']}>
        {(figures) => (
          <div className={isPlaceholderData ? 'opacity-60 transition-opacity' : undefined}>
            {figures.recordedFrom === null ? <NothingDone /> : <DoneFigures figures={figures} />}
            <OpenCases open={figures.open} />
          </div>
        )}
      </LoadedPart>
    </SectionCard>
  )
}

function NothingDone() {
  return (
    <EmptyState icon="check" title="Nobody has acted on a case yet">
      Once somebody reads, takes or closes a case, this shows how fast.
    </EmptyState>
  )
}

function DoneFigures({ figures }: { figures: Figures }) {
  const { firstLook, closing, closed, alerts, period, recordedFrom } = figures
  const before = previousPhrase(period.name)
  return (
    <>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-4 px-4 py-3 lg:grid-cols-4 print:grid-cols-4">
        <TimeFigure
          name="Time to first look"
          about={DEFINITIONS.firstLook}
          time={firstLook}
          before={before}
        />
        <TimeFigure name="Time to closing" about={DEFINITIONS.closing} time={closing} before={before} />
        <Figure
          name="Cases closed"
          about={DEFINITIONS.closed}
          value={
            <>
              {count(closed.cases)} {closed.compared && <Change compared={closed.compared} />}
            </>
          }
          note={
            closed.compared
              ? `${count(closed.compared.previous)} in the same part of ${before}`
              : 'The time before is not recorded.'
          }
        />
        <Figure
          name="Alerts within 5 minutes"
          about={DEFINITIONS.alerts}
          value={shareWords(alerts.inTime, alerts.messages)}
          note={`${count(alerts.inTime)} of ${countOf(alerts.messages, 'message')}`}
        />
      </dl>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-x-4 border-line border-t sm:grid-cols-2 lg:grid-cols-3">
        <SeverityTable
          title="Time to first look by severity"
          empty="No case was first looked at in this period."
          time={firstLook}
        />
        <SeverityTable
          title="Time to closing by severity"
          empty="No case was closed in this period."
          time={closing}
        />
        <div>
          <h3 className="px-4 pt-3 font-medium text-xs">Closed by reason</h3>
          {closed.byReason.length === 0 ? (
            <p className="px-4 py-3 text-muted text-sm">Nobody closed a case in this period.</p>
          ) : (
            <BarList
              label="Closed cases by reason"
              rows={closed.byReason.map(({ reason, cases }) => ({
                key: reason,
                label: closeReason(reason),
                count: cases,
              }))}
            />
          )}
          {closed.repeats > 0 && (
            <p className="px-4 pb-3 text-faint text-xs">
              Lantern itself closed {countOf(closed.repeats, 'claim')} that repeat closed cases. They are not
              counted.
            </p>
          )}
        </div>
      </div>
      {recordedFrom !== null && Date.parse(recordedFrom) > Date.parse(period.from) && (
        <p className="px-4 pt-2 pb-3 text-faint text-xs">
          The record of the team’s work begins on <Time at={recordedFrom} />.
        </p>
      )}
    </>
  )
}

type TimeFigureProps = { name: string; about: string; time: WorkTime; before: string }

function TimeFigure({ name, about, time, before }: TimeFigureProps) {
  const { cases, medianMs, p90Ms, previousMedianMs } = time
  return (
    <Figure
      name={`${name} (median)`}
      about={about}
      value={tookWords(medianMs)}
      note={
        cases === 0 ? (
          'No case in this period.'
        ) : (
          <>
            90 % within {tookWords(p90Ms)}, {countOf(cases, 'case')}
            {previousMedianMs !== null && (
              <span className="block">
                {tookWords(previousMedianMs)} in {before}
              </span>
            )}
          </>
        )
      }
    />
  )
}

type FigureProps = { name: string; about: string; value: ReactNode; note: ReactNode }

/** The definition is in the title for a pointer, and on the page for everybody else. */
function Figure({ name, about, value, note }: FigureProps) {
  return (
    <div className="min-w-0" title={about}>
      <dt className="text-muted text-xs">{name}</dt>
      <dd className="font-semibold text-2xl tabular-nums tracking-tight">{value}</dd>
      <dd className="text-faint text-xs tabular-nums">{note}</dd>
      <dd className="mt-1 text-faint text-xs">{about}</dd>
    </div>
  )
}

type SeverityRow = WorkTime['bySeverity'][number]

const COLUMNS: readonly Column<SeverityRow>[] = [
  {
    key: 'severity',
    head: 'Severity',
    isName: true,
    cell: ({ severity }) => <SeverityMark severity={severity} />,
    className: 'py-1.5 pr-2 pl-4',
  },
  { key: 'median', head: 'Median', cell: ({ medianMs }) => tookWords(medianMs), ...figureColumn() },
  { key: 'p90', head: '90 % within', cell: ({ p90Ms }) => tookWords(p90Ms), ...figureColumn() },
  { key: 'cases', head: 'Cases', cell: ({ cases }) => count(cases), ...figureColumn() },
]

function figureColumn() {
  return { align: 'right', className: 'px-2 last:pr-4 py-1.5 tabular-nums whitespace-nowrap' } as const
}

const ORDER: readonly (Severity | null)[] = ['critical', 'high', 'medium', 'low', null]

/** By the highest severity of each case. */
function SeverityTable({ title, empty, time }: { title: string; empty: string; time: WorkTime }) {
  const rows = ORDER.flatMap((severity) => time.bySeverity.find((one) => one.severity === severity) ?? [])
  return (
    <div className="min-w-0">
      <h3 className="px-4 pt-3 font-medium text-xs">{title}</h3>
      {rows.length === 0 ? (
        <p className="px-4 py-3 text-muted text-sm">{empty}</p>
      ) : (
        <WideTable
          label={title}
          frameClassName="pt-1"
          className=""
          columns={COLUMNS}
          rows={rows}
          rowKey={({ severity }) => severity ?? 'none'}
        />
      )}
    </div>
  )
}

function OpenCases({ open }: { open: Figures['open'] }) {
  return (
    <div className="border-line border-t px-4 py-3 text-sm" title={DEFINITIONS.open}>
      <h3 className="font-medium text-xs">Open cases by age, now</h3>
      <ul className="mt-1 flex flex-wrap gap-x-6 gap-y-1 tabular-nums">
        <li>
          <OpenLink>{`${count(open.cases)} in all`}</OpenLink>
        </li>
        {open.older.map(({ days, until, cases }) => (
          <li key={days}>
            <OpenLink until={until}>{`${count(cases)} ${olderWords(days)}`}</OpenLink>
          </li>
        ))}
      </ul>
      <p className="mt-1 text-faint text-xs">{DEFINITIONS.open}</p>
    </div>
  )
}

/** To the feed, whose rows are the counted cases. */
function OpenLink({ until, children }: { until?: string; children: ReactNode }) {
  return (
    <Link
      to="/threats"
      search={{ triage: 'open', ...(until !== undefined && { until }) }}
      className="touch rounded-sm hover:underline max-sm:inline-flex max-sm:min-h-11 max-sm:items-center"
    >
      {children}
    </Link>
  )
}
