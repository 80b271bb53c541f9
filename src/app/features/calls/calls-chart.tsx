import { count, countOf } from '#app/format/count.ts'
import { type Column, DataTable } from '#app/ui/data-table.tsx'
import type { CallLedger } from '#contract/bff/call-ledger.ts'
import { fillHours, type HourOfCalls } from './fill-hours.ts'

type CallsChartProps = {
  hours: CallLedger['hours']
  /** The hour that it is: what comes after has no number yet. */
  lastHour: number
}

const HEIGHT = 120
const STEP = 40
const BAR = 28

/** The calls of the current UTC day, which is the API's unless it reports another, hour by hour: drawn, and as the same numbers in a table. */
export function CallsChart({ hours, lastHour }: CallsChartProps) {
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
