import type { ReactNode } from 'react'
import { count, countOf } from '#app/format/count.ts'
import { Change } from '#app/ui/chart/change.tsx'
import { shortDay } from '#app/ui/chart/day-name.ts'
import { Time } from '#app/ui/time.tsx'
import type { Overview, TimeCount } from '#contract/bff/overview.ts'
import type { ThreatFilter } from '#contract/bff/threat-list.ts'
import { CountedLink } from './counted-link.tsx'

const WEEK = 7

/** How many threats came in a few times up to now, each against the same part of the time before. Days are the calendar's; hours roll. */
export function PeriodFigures({ overview }: { overview: Overview }) {
  const { lastVisit, day, week, period, days, isDatedByDay } = overview
  const firstOf = (length: number) => `since ${shortDay(days.at(-length)?.date ?? '')}, today so far`
  const without = isDatedByDay ? ', without today' : ''
  const notCompared = isDatedByDay ? 'Not compared: the source gives no times of day.' : undefined
  return (
    <section
      aria-label="New threats"
      className={`grid overflow-clip rounded-lg border border-line bg-surface ${lastVisit ? FOUR : THREE}`}
    >
      {lastVisit && (
        <PeriodFigure
          name={isDatedByDay ? 'Since the day of your last visit' : 'Since you were last here'}
          note={<Time at={lastVisit.since} />}
          before={`as long before${without}`}
          notCompared={notCompared}
          time={lastVisit}
          filter={momentsOf(lastVisit)}
        />
      )}
      <PeriodFigure
        name="Last 24 hours"
        note={isDatedByDay ? 'dated today (UTC)' : 'rolling, to the minute'}
        before="in the 24 hours before"
        notCompared={notCompared}
        time={day}
        filter={momentsOf(day)}
      />
      <PeriodFigure
        name="Last 7 days"
        note={firstOf(WEEK)}
        before={`in the same part of the 7 days before${without}`}
        time={week}
        filter={{ within: '7d' }}
      />
      <PeriodFigure
        name="Last 30 days"
        note={firstOf(days.length)}
        before={`in the same part of the 30 days before${without}`}
        time={period}
        filter={{ within: '30d' }}
      />
    </section>
  )
}

const FOUR =
  'grid-cols-2 sm:grid-cols-4 [&>*:nth-child(even)]:border-l sm:[&>*]:border-l sm:[&>*:first-child]:border-l-0 max-sm:[&>*:nth-child(n+3)]:border-t'
const THREE = 'grid-cols-3 [&>*+*]:border-l'

function momentsOf({ since, until }: TimeCount): ThreatFilter {
  return { since, until }
}

type PeriodFigureProps = {
  name: string
  /** When it begins or ends. */
  note: ReactNode
  before: string
  /** Why nothing is compared, where it is not for want of stored threats. */
  notCompared?: string | undefined
  time: TimeCount
  filter: ThreatFilter
}

function PeriodFigure({ name, note, before, notCompared, time, filter }: PeriodFigureProps) {
  const { count: now, compared, isWhole } = time
  return (
    <div className="relative min-h-26 min-w-0 px-4 py-3 hover:bg-hover">
      <p className="text-muted text-xs">
        {name}
        <span className="block text-faint">{note}</span>
      </p>
      <p className="mt-0.5 flex flex-wrap items-baseline gap-x-2">
        {now === null ? (
          <span className="font-semibold text-2xl">—</span>
        ) : (
          <CountedLink
            filter={filter}
            className="font-semibold text-2xl tabular-nums tracking-tight outline-none after:absolute after:inset-0 hover:underline focus-visible:after:outline-2 focus-visible:after:outline-accent focus-visible:after:-outline-offset-2"
          >
            {count(now)}{' '}
            <span className="sr-only">{`${now === 1 ? 'threat' : 'threats'}, ${name.toLowerCase()}`}</span>
          </CountedLink>
        )}
        {now !== null && isWhole && <Change compared={compared} />}
      </p>
      <p className="text-faint text-xs tabular-nums">
        <PeriodBefore time={time} before={before} notCompared={notCompared} />
      </p>
    </div>
  )
}

type PeriodBeforeProps = Pick<PeriodFigureProps, 'time' | 'before' | 'notCompared'>

function PeriodBefore({
  time: { count: now, compared, isWhole },
  before,
  notCompared = 'The time before is not stored.',
}: PeriodBeforeProps) {
  if (now === null) return 'Nothing of this time is stored.'
  if (!isWhole) return 'Only a part of this time is stored.'
  if (compared === null) return notCompared
  return (
    // Above the link that covers all of the figure.
    <CountedLink
      filter={{ since: compared.previousSince, until: compared.previousUntil }}
      className="touch relative rounded-sm hover:text-ink hover:underline"
    >
      {countOf(compared.previous, 'threat')} {before}
    </CountedLink>
  )
}
