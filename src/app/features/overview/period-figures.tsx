import type { ReactNode } from 'react'
import { count, countOf } from '#app/format/count.ts'
import { Change } from '#app/ui/chart/change.tsx'
import { Time } from '#app/ui/time.tsx'
import type { Overview, Period } from '#contract/bff/overview.ts'
import { CountedLink } from './counted-link.tsx'

/** How many threats came in a few times up to now, each against the time before. */
export function PeriodFigures({ overview: { lastVisit, day, week, month } }: { overview: Overview }) {
  return (
    <section
      aria-label="New threats"
      className="grid grid-cols-2 overflow-clip rounded-lg border border-line bg-surface sm:grid-cols-4 [&>*:nth-child(even)]:border-l sm:[&>*]:border-l sm:[&>*:first-child]:border-l-0 max-sm:[&>*:nth-child(n+3)]:border-t"
    >
      {lastVisit ? (
        <PeriodFigure
          name="Since you were last here"
          note={<Time at={lastVisit.since} />}
          before="as long before"
          period={lastVisit}
        />
      ) : (
        <div className="min-h-26 px-4 py-3">
          <p className="text-muted text-xs">Since you were last here</p>
          <p className="mt-1 text-muted text-sm">This is your first visit.</p>
        </div>
      )}
      <PeriodFigure name="Last 24 hours" before="in the 24 hours before" period={day} />
      <PeriodFigure name="Last 7 days" before="in the 7 days before" period={week} />
      <PeriodFigure name="Last 30 days" before="in the 30 days before" period={month} />
    </section>
  )
}

type PeriodFigureProps = { name: string; note?: ReactNode; before: string; period: Period }

function PeriodFigure({ name, note, before, period }: PeriodFigureProps) {
  const { since, count: now, previous, isWhole } = period
  return (
    <div className="relative min-h-26 min-w-0 px-4 py-3 hover:bg-hover">
      <p className="text-muted text-xs">
        {name}
        {note && <span className="block text-faint">{note}</span>}
      </p>
      <p className="mt-0.5 flex flex-wrap items-baseline gap-x-2">
        {now === null ? (
          <span className="font-semibold text-2xl">—</span>
        ) : (
          <CountedLink
            filter={{ since }}
            className="font-semibold text-2xl tabular-nums tracking-tight outline-none after:absolute after:inset-0 hover:underline focus-visible:after:outline-2 focus-visible:after:outline-accent focus-visible:after:-outline-offset-2"
          >
            {count(now)}{' '}
            <span className="sr-only">{`${now === 1 ? 'threat' : 'threats'}, ${name.toLowerCase()}`}</span>
          </CountedLink>
        )}
        {now !== null && isWhole && <Change count={now} previous={previous} />}
      </p>
      <p className="text-faint text-xs tabular-nums">
        <PeriodBefore period={period} before={before} />
      </p>
    </div>
  )
}

type PeriodBeforeProps = { period: Period; before: string }

function PeriodBefore({
  period: { since, count: now, previous, previousSince, isWhole },
  before,
}: PeriodBeforeProps) {
  if (now === null) return 'Nothing of this time is stored.'
  if (!isWhole) return 'Only a part of this time is stored.'
  if (previous === null) return 'The time before is not stored.'
  return (
    // Above the link that covers all of the figure.
    <CountedLink
      filter={{ since: previousSince, until: since }}
      className="relative rounded-sm hover:text-ink hover:underline"
    >
      {countOf(previous, 'threat')} {before}
    </CountedLink>
  )
}
