import type { ReactNode } from 'react'
import { todayIn } from '#app/features/periods/period-options.ts'
import { count, countOf } from '#app/format/count.ts'
import { rowNoun, rowsOf, shownComparison, shownCount } from '#app/format/counted-rows.ts'
import { Change } from '#app/ui/chart/change.tsx'
import { firstDay, shortDay } from '#app/ui/chart/day-name.ts'
import { useTimeZone } from '#app/ui/preferences.ts'
import { Time } from '#app/ui/time.tsx'
import type { Overview, TimeCount } from '#contract/bff/overview.ts'
import { filterOfPeriod, periodTitle, previousPhrase } from '#contract/bff/period.ts'
import type { ThreatFilter } from '#contract/bff/threat-list.ts'
import { CountedLink } from './counted-link.tsx'

/** How many cases or claims came in a few times up to now and in the chosen period, each against the same part of the time before. Days are the calendar's; hours roll. */
export function PeriodFigures({ overview }: { overview: Overview }) {
  const { lastVisit, day, week, period, isDatedByDay } = overview
  const sinceDay = (date: string, last: string) => `since ${firstDay(date, last)}, today so far`
  const weekStart = todayIn(useTimeZone(), Date.parse(week.since))
  const without = isDatedByDay ? ', without today' : ''
  // The last tile is of the same 7 days.
  const hasWeek = period.name !== '7d'
  const tilesCount = 2 + (lastVisit ? 1 : 0) + (hasWeek ? 1 : 0)
  const notCompared = isDatedByDay ? 'Not compared: the vendor gives no times of day.' : undefined
  return (
    <section
      aria-label="New threats"
      className={`grid divide-line overflow-clip rounded-lg border border-line bg-surface max-sm:divide-y sm:divide-x ${GRIDS[tilesCount]}`}
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
        note={isDatedByDay ? 'dated today (UTC)' : null}
        before="in the 24 hours before"
        notCompared={notCompared}
        time={day}
        filter={momentsOf(day)}
      />
      {hasWeek && (
        <PeriodFigure
          name="Last 7 days"
          note={sinceDay(weekStart, weekStart)}
          before={`in the same part of the 7 days before${without}`}
          time={week}
          filter={{ within: '7d' }}
        />
      )}
      <PeriodFigure
        name={periodTitle(period.name)}
        note={
          period.isRunning
            ? sinceDay(period.from, period.to)
            : `${shortDay(period.from)} to ${shortDay(period.to)}`
        }
        before={`in the same part of ${previousPhrase(period.name)}${period.isRunning ? without : ''}`}
        time={period}
        filter={filterOfPeriod(period)}
      />
    </section>
  )
}

/** A narrow page has room for one figure beside its sentence. */
const GRIDS: Readonly<Record<number, string>> = {
  2: 'sm:grid-cols-2',
  3: 'sm:grid-cols-3',
  4: 'sm:grid-cols-4',
}

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
  const { compared, isWhole } = time
  const now = shownCount(time)
  const noun = rowNoun(time)
  return (
    <div className="relative min-w-0 px-4 pt-2 hover:bg-hover sm:min-h-26 sm:py-3 print:min-h-0 print:px-2 print:py-1">
      <p className="flex flex-wrap gap-x-1 text-muted text-xs sm:flex-col">
        {name}
        <span className="text-faint">{note}</span>
      </p>
      <p className="mt-0.5 flex flex-wrap items-baseline gap-x-2">
        {now === null ? (
          <span className="font-semibold text-2xl">—</span>
        ) : (
          <CountedLink
            filter={filter}
            {...rowsOf(time)}
            className="font-semibold text-2xl tabular-nums tracking-tight outline-none after:absolute after:inset-0 hover:underline focus-visible:after:outline-2 focus-visible:after:outline-accent focus-visible:after:-outline-offset-2"
          >
            {count(now)}{' '}
            <span className="sr-only">{`${now === 1 ? noun : `${noun}s`}, ${name.replace(/^(?:Last|Since)/, (word) => word.toLowerCase())}`}</span>
          </CountedLink>
        )}
        {now !== null && (
          <span aria-hidden="true" className="text-muted text-xs">
            {now === 1 ? noun : `${noun}s`}
          </span>
        )}
        {now !== null && isWhole && <Change compared={shownComparison(compared)} />}
        {now !== null && time.cases !== undefined && (
          <span className="text-faint text-xs tabular-nums">{countOf(time.count, 'claim')}</span>
        )}
      </p>
      <p className="text-faint text-xs tabular-nums">
        <PeriodBefore time={time} before={before} notCompared={notCompared} />
      </p>
    </div>
  )
}

type PeriodBeforeProps = {
  time: PeriodFigureProps['time']
  before: string
  notCompared: string | undefined
}

function PeriodBefore({ time, before, notCompared = 'The time before is not stored.' }: PeriodBeforeProps) {
  const { count: now, isWhole } = time
  const compared = time.compared && { ...time.compared, ...time.compared.cases }
  if (now === null) return 'Nothing of this time is stored.'
  if (!isWhole) return 'Only a part of this time is stored.'
  if (compared === null) return notCompared
  return (
    // Above the link that covers all of the figure.
    <CountedLink
      filter={{ since: compared.previousSince, until: compared.previousUntil }}
      {...rowsOf(time)}
      className="touch relative rounded-sm hover:text-ink hover:underline"
    >
      {countOf(compared.previous, rowNoun(time))} {before}
    </CountedLink>
  )
}
