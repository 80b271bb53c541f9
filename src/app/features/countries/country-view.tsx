import { useQuery } from '@tanstack/react-query'
import { Link, Navigate } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense } from 'react'
import { isUnknown } from '#app/api/api-error.ts'
import { countryName } from '#app/format/country-name.ts'
import { AgeNote } from '#app/ui/age-note.tsx'
import { buttonLook } from '#app/ui/button.tsx'
import { DocumentTitle } from '#app/ui/document-title.tsx'
import { Flag } from '#app/ui/flag.tsx'
import type { IconName } from '#app/ui/icon.tsx'
import { PartsSkeleton } from '#app/ui/parts-skeleton.tsx'
import { useTimeZone } from '#app/ui/preferences.ts'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { SubjectFailure } from '#app/ui/subject-failure.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { whenIdle } from '#app/ui/when-idle.ts'
import type { CountryAnswer } from '#contract/bff/country.ts'
import { periodParam } from '#contract/bff/period.ts'
import { findCountryCode } from '#contract/country.ts'
import { visibleLine } from '#contract/visible-text.ts'
import { CountryFigures } from './country-figures.tsx'
import { countryOptions } from './country-options.ts'

// Below what a reader looks at first.
const CountryTops = lazy(async () => {
  await whenIdle()
  const { CountryTops } = await import('./country-tops.tsx')
  return { default: CountryTops }
})

const CountryStatisticsPart = lazy(async () => {
  await whenIdle()
  const { CountryStatisticsPart } = await import('./country-statistics.tsx')
  return { default: CountryStatisticsPart }
})

type CountryViewProps = {
  /** As the address has it: a code, or a name. */
  given: string
  /** The name of the period that the figures are of. */
  period: string
  periodPicker: ReactNode
  renderTrend(code: string): ReactNode
  renderLatest(code: string): ReactNode
  /** Draws what is done with the threats that name it. */
  renderTools(code: string): ReactNode
  /** Draws the way to an alert profile for its new threats. */
  renderAlertMe(code: string): ReactNode
  /** Calls that a refresh uses. */
  cost: ReactNode
}

const NAME_MAX_LENGTH = 80

/** Shows the threats to a country, the actors behind them and what is new. */
export function CountryView(props: CountryViewProps) {
  const { given, period, periodPicker, renderTrend, renderLatest, renderTools, renderAlertMe, cost } = props
  const scope = { code: given, period, timeZone: useTimeZone() }
  const { data, error, refetch } = useQuery(countryOptions(scope))
  const code = data?.code ?? findCountryCode(given)
  const name = code === null ? given : countryName(code)

  if (error && !data) return <CountryFailure name={name} error={error} onRetry={() => refetch()} />
  // One country has one address, however it was spelt.
  if (code !== null && code !== given)
    return (
      <Navigate to="/countries/$code" params={{ code }} search={{ period: periodParam(period) }} replace />
    )
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <DocumentTitle title={visibleLine(name).slice(0, NAME_MAX_LENGTH).trim() || 'Country'} />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h1 className="flex min-w-0 items-center gap-3 font-semibold text-2xl tracking-tight">
          <Flag code={code} />
          <Untrusted text={name} maxLength={NAME_MAX_LENGTH} clip="silent" />
        </h1>
        {data && <AgeNote freshness={data.freshness} />}
        {periodPicker}
        {code !== null && (
          <CountryLinks
            code={code}
            tools={(!data || data.window?.latestAt) && renderTools(code)}
            alertMe={renderAlertMe(code)}
          />
        )}
      </div>
      {data ? (
        <CountryParts
          answer={data}
          trend={code !== null && renderTrend(code)}
          latest={code !== null && renderLatest(code)}
          statistics={
            <Suspense fallback={<Skeleton className="h-80" />}>
              <CountryStatisticsPart answer={data} scope={scope} cost={cost} />
            </Suspense>
          }
        />
      ) : (
        <PartsSkeleton label="Loading the country…" />
      )}
    </div>
  )
}

type CountryPartsProps = {
  answer: CountryAnswer
  trend: ReactNode
  latest: ReactNode
  statistics: ReactNode
}

function CountryParts({ answer, trend, latest, statistics }: CountryPartsProps) {
  const { window } = answer
  if (!window) return statistics
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
          {trend}
          <Suspense fallback={<Skeleton className="h-80" />}>
            <CountryTops answer={answer} window={window} />
          </Suspense>
          {latest}
        </>
      )}
      {statistics}
    </>
  )
}

type CountryLinksProps = { code: string; tools: ReactNode; alertMe: ReactNode }

/** Actions for a country. */
function CountryLinks({ code, tools, alertMe }: CountryLinksProps) {
  return (
    <div className="ml-auto flex flex-wrap gap-2 max-sm:ml-0">
      <Link to="/threats" search={{ country: [code] }} className={`${buttonLook()} max-sm:h-11`}>
        View threats
      </Link>
      {tools}
      {alertMe}
    </div>
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
        ? 'Neither Lantern nor the source knows a country of this name. Use the two-letter code, such as DE, or the full English name.'
        : 'Neither Lantern nor the source has a threat that names this country yet.',
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
