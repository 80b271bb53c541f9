import { useId } from 'react'
import { count, countOf } from '#app/format/count.ts'
import { ABSENT, exactDay } from '#app/format/time.ts'
import type { TrendDay } from '#contract/bff/trend.ts'

const HEIGHT = 72
const STEP = 16
const BAR = 11

/** Matches per day of the reader's zone: drawn, and as the same numbers in a table. Days that nobody knows are no zeros. */
export function BacktestDays({ days }: { days: readonly TrendDay[] }) {
  const id = useId()
  const most = Math.max(1, ...days.map((day) => day.count ?? 0))
  const hasPartial = days.some(({ coverage }) => coverage === 'partial')
  const hasUnknown = days.some(({ coverage }) => coverage === 'unknown')
  return (
    <figure className="grid gap-1.5">
      <figcaption className="flex flex-wrap items-center gap-x-4 gap-y-1 text-faint text-xs">
        <span className="font-medium text-muted">Matches per day</span>
        {hasPartial && <Key className="bg-accent/45">part of a day</Key>}
        {hasUnknown && <Key className="bg-pressed">not known</Key>}
        <span className="ml-auto tabular-nums">most: {countOf(most, 'match', 'matches')}</span>
      </figcaption>
      <svg
        viewBox={`0 0 ${days.length * STEP} ${HEIGHT + 1}`}
        preserveAspectRatio="none"
        aria-hidden="true"
        className="h-20 w-full"
      >
        {days.map((day, index) => (
          <DayBar key={day.date} day={day} x={index * STEP} scale={(HEIGHT - 4) / most} />
        ))}
        <path d={`M0 ${HEIGHT + 0.5}H${days.length * STEP}`} className="stroke-edge" />
      </svg>
      <div aria-hidden="true" className="flex justify-between text-2xs text-faint tabular-nums">
        <span>{dayName(days.at(0))}</span>
        <span>{dayName(days.at(-1))}</span>
      </div>
      <details className="text-sm">
        <summary className="w-fit rounded-sm text-muted text-xs hover:text-ink">
          The same numbers as a table
        </summary>
        <table aria-labelledby={id} className="mt-2 text-xs tabular-nums">
          <caption id={id} className="sr-only">
            Matches per day
          </caption>
          <thead className="text-faint">
            <tr>
              <th scope="col" className="py-0.5 pr-6 text-left font-medium">
                Day
              </th>
              <th scope="col" className="py-0.5 text-right font-medium">
                Matches
              </th>
            </tr>
          </thead>
          <tbody>
            {days.toReversed().map((day) => (
              <tr key={day.date}>
                <th scope="row" className="py-0.5 pr-6 text-left font-normal text-muted">
                  {dayName(day)}
                </th>
                <td className="py-0.5 text-right">
                  {day.count === null ? 'not known' : count(day.count)}
                  {day.coverage === 'partial' && ' (part of the day)'}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  )
}

function Key({ className, children }: { className: string; children: string }) {
  return (
    <span className="flex items-center gap-1.5">
      <span aria-hidden="true" className={`size-2.5 rounded-sm ${className}`} />
      {children}
    </span>
  )
}

type DayBarProps = { day: TrendDay; x: number; scale: number }

function DayBar({ day: { date, count: matches, coverage }, x, scale }: DayBarProps) {
  const left = x + (STEP - BAR) / 2
  const name = `${dayName({ date })}: ${matches === null ? 'not known' : countOf(matches, 'match', 'matches')}`
  if (matches === null) {
    return (
      <rect x={x} width={STEP} y={0} height={HEIGHT} className="fill-pressed">
        <title>{name}</title>
      </rect>
    )
  }
  const height = matches === 0 ? 0 : Math.max(2, matches * scale)
  return (
    <>
      <rect
        x={left}
        width={BAR}
        y={HEIGHT - height}
        height={height}
        className={coverage === 'partial' ? 'fill-accent/45' : 'fill-accent'}
      />
      <rect x={x} width={STEP} y={0} height={HEIGHT} className="fill-transparent hover:fill-ink/5">
        <title>{name}</title>
      </rect>
    </>
  )
}

/** A day is a day of the reader's zone already. */
function dayName(day: { date: string } | undefined): string {
  return day ? exactDay(`${day.date}T00:00:00Z`, 'UTC') : ABSENT
}
