import { useQuery } from '@tanstack/react-query'
import { Link, Navigate } from '@tanstack/react-router'
import { type ReactNode, Suspense } from 'react'
import { isUnknown } from '#app/api/api-error.ts'
import { casesOf } from '#app/features/concerns/cases-of.ts'
import { isStored, storedShort } from '#app/features/periods/period-options.ts'
import { usePeriod } from '#app/features/periods/use-period.ts'
import { useRows } from '#app/features/periods/use-rows.ts'
import { CountFigure } from '#app/features/subject/count-figure.tsx'
import {
  PARTS_HEIGHTS,
  type Subject,
  SubjectFrame,
  SubjectLatest,
  SubjectPage,
  SubjectTrend,
} from '#app/features/subject/subject-page.tsx'
import { count, countOf } from '#app/format/count.ts'
import { shownComparison } from '#app/format/counted-rows.ts'
import { countryName } from '#app/format/country-name.ts'
import { AgeNote } from '#app/ui/age-note.tsx'
import { ChangeSoFar } from '#app/ui/chart/change.tsx'
import { Flag } from '#app/ui/country-label.tsx'
import { Figure } from '#app/ui/figure.tsx'
import type { IconName } from '#app/ui/icon.tsx'
import { LoadingParts } from '#app/ui/loaded-part.tsx'
import { usePreferences, useTimeZone } from '#app/ui/preferences.ts'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { SubjectFailure } from '#app/ui/subject-failure.tsx'
import { Time } from '#app/ui/time.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { lazyWhenIdle } from '#app/ui/when-idle.ts'
import type { CountryAnswer } from '#contract/bff/country.ts'
import { filterOfPeriod, periodParam } from '#contract/bff/period.ts'
import { findCountryCode } from '#contract/country.ts'
import { countryOptions } from './country-options.ts'
import { threatsOf } from './sort-countries.ts'

// Below what a reader looks at first.
const CountryTops = lazyWhenIdle(async () => (await import('./country-tops.tsx')).CountryTops)

const CountryStatisticsPart = lazyWhenIdle(
  async () => (await import('./country-statistics.tsx')).CountryStatisticsPart,
)

const ConcernsYou = lazyWhenIdle(
  async () => (await import('#app/features/concerns/concerns-you.tsx')).ConcernsYou,
)
const ConcernCount = lazyWhenIdle(
  async () => (await import('#app/features/concerns/concern-count.tsx')).ConcernCount,
)

type CountryViewProps = {
  /** As the address has it: a code, or a name. */
  given: string
}

const LIST = { to: '/countries', title: 'Countries' } as const
const NAME_MAX_LENGTH = 80

/** Shows the threats to a country, the actors behind them and what is new. */
export function CountryView({ given }: CountryViewProps) {
  const period = usePeriod()
  const { countries, industries, timeZone } = usePreferences()
  const scope = {
    code: given,
    period: period.name,
    rows: useRows(),
    timeZone,
    own: { countries, industries },
  }
  const { data, error, refetch } = useQuery(countryOptions(scope))
  const code = data?.code ?? findCountryCode(given)
  const name = code === null ? given : countryName(code)

  if (error && !data) {
    return (
      <SubjectFrame list={LIST}>
        <CountryFailure name={name} error={error} onRetry={() => refetch()} />
      </SubjectFrame>
    )
  }
  // One country has one address, however it was spelt.
  if (code !== null && code !== given)
    return (
      <Navigate
        to="/countries/$code"
        params={{ code }}
        search={{ period: periodParam(period.name) }}
        replace
      />
    )
  const subject =
    code === null ? null : { name, filter: { country: [code] }, fileName: `threats-by-day-${code}` }
  return (
    <SubjectPage
      list={LIST}
      title={name}
      heading={<CountryHeading name={name} code={code} answer={data} />}
      subject={subject}
      hasThreats={!data || Boolean(data.window?.latestAt)}
    >
      {data ? (
        <CountryParts answer={data} subject={subject}>
          <Suspense fallback={<Skeleton className="h-80" />}>
            <CountryStatisticsPart answer={data} scope={scope} />
          </Suspense>
        </CountryParts>
      ) : (
        <LoadingParts label="Loading the country…" heights={PARTS_HEIGHTS} />
      )}
    </SubjectPage>
  )
}

type CountryHeadingProps = { name: string; code: string | null; answer: CountryAnswer | undefined }

function CountryHeading({ name, code, answer }: CountryHeadingProps) {
  const timeZone = useTimeZone()
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-2">
      <h1 className="flex min-w-0 items-center gap-3 font-semibold text-2xl tracking-tight">
        <Flag code={code} />
        <Untrusted text={name} maxLength={NAME_MAX_LENGTH} clip="silent" />
      </h1>
      {answer && code !== null && (
        <Suspense fallback={null}>
          <ConcernsYou
            concerns={answer.window?.concerns ?? null}
            threats={answer.window?.threats ?? null}
            cases={casesOf(answer.window ?? {})}
            period={answer.period}
            filter={{ country: [code] }}
          />
          <ConcernCount name="country" value={code} label={name} period={answer.period} timeZone={timeZone} />
        </Suspense>
      )}
      {answer && <AgeNote freshness={answer.freshness} />}
    </div>
  )
}

type CountryPartsProps = {
  answer: CountryAnswer
  subject: Subject | null
  /** The vendor's own statistics. */
  children: ReactNode
}

function CountryParts({ answer, subject, children }: CountryPartsProps) {
  const { window } = answer
  if (!window || !subject) return children
  const isQuiet = window.threats === 0 && window.latestAt === null
  return (
    <>
      <CountryFigures answer={answer} window={window} />
      {isQuiet ? (
        <p className="rounded-lg border border-line bg-surface p-4 text-muted text-sm">
          No stored threat names this country. A chart, actors and industries appear as soon as one does.
        </p>
      ) : (
        <>
          <SubjectTrend subject={subject} />
          <Suspense fallback={<Skeleton className="h-80" />}>
            <CountryTops answer={answer} window={window} />
          </Suspense>
          <SubjectLatest subject={subject} />
        </>
      )}
      {children}
    </>
  )
}

type CountryFailureProps = { name: string; error: Error; onRetry(): void }

/** The page of a country that cannot be shown. */
function CountryFailure({ name, error, onRetry }: CountryFailureProps) {
  const icon: IconName = 'globe'
  const unknown = {
    icon,
    title: 'No statistics',
    reason:
      findCountryCode(name) === null
        ? 'Neither Lantern nor the vendor knows a country of this name. Use the two-letter code, such as DE, or the full English name.'
        : 'Neither Lantern nor the vendor has a threat that names this country yet.',
    links: (
      <>
        <Link to="/countries">All countries</Link>
        <Link to="/threats" search={{ q: name }}>
          Search the threats
        </Link>
      </>
    ),
  }
  return (
    <SubjectFailure
      name={name}
      noun="Country"
      error={error}
      unknown={isUnknown(error) ? unknown : null}
      onRetry={onRetry}
    />
  )
}

type CountryFiguresProps = {
  answer: CountryAnswer
  window: NonNullable<CountryAnswer['window']>
}

/** The numbers before the charts. */
function CountryFigures({ answer, window }: CountryFiguresProps) {
  const { code, threats, cases, compared, actors, victims, latestAt } = window
  const period = storedShort(answer)
  // A figure that is not stored is unknown, not zero.
  const isKnown = isStored(answer)
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-3 rounded-lg border border-line bg-surface px-4 py-3 sm:grid-cols-4">
      <CountFigure
        shown={isKnown ? threatsOf(window) : null}
        counted={window}
        time={`in ${period}`}
        filter={{ country: [code], ...filterOfPeriod(answer.period) }}
        note={
          <>
            <ChangeSoFar compared={shownComparison(compared)} isRunning={answer.period.isRunning} />
            {cases !== undefined && countOf(threats, 'claim')}
          </>
        }
      />
      <Figure name={`Actors in ${period}`} value={count(isKnown ? actors : null)} note="distinct names" />
      <Figure
        name={`Victims in ${period}`}
        value={count(isKnown ? victims : null)}
        note={victims === 0 && threats > 0 ? 'no threat names one' : 'distinct organisations'}
      />
      <Figure
        name="Latest threat"
        value={<Time at={latestAt} show="age" />}
        note={latestAt !== null && <Time at={latestAt} />}
      />
    </dl>
  )
}
