import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useDeferredValue } from 'react'
import { ApiError } from '#app/api/api-error.ts'
import { PeriodControl } from '#app/features/periods/period-control.tsx'
import { isStored, soFar, storedShort } from '#app/features/periods/period-options.ts'
import { useRows } from '#app/features/periods/use-rows.ts'
import { countOf } from '#app/format/count.ts'
import { rowsParam, shownComparison } from '#app/format/counted-rows.ts'
import { countryName } from '#app/format/country-name.ts'
import { AgeNote } from '#app/ui/age-note.tsx'
import { BAR_LINK, BarList } from '#app/ui/chart/bar-list.tsx'
import { Flag } from '#app/ui/country-label.tsx'
import { DocumentTitle } from '#app/ui/document-title.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorPanel } from '#app/ui/error-panel.tsx'
import { ExportButton } from '#app/ui/export/export-button.tsx'
import { usePreferences } from '#app/ui/preferences.ts'
import { SectionCard } from '#app/ui/section-card.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import { WhenSeen } from '#app/ui/when-seen.tsx'
import type { CountryList } from '#contract/bff/country.ts'
import { periodParam, periodPhrase } from '#contract/bff/period.ts'
import { countryListOptions } from './country-options.ts'
import type { CountrySearch } from './country-search.ts'
import { CountryTable } from './country-table.tsx'
import { nounsOf, threatsOf } from './sort-countries.ts'

// Brings the shapes of the world: only where they are shown.
const WorldMap = lazy(async () => ({ default: (await import('./world-map.tsx')).WorldMap }))
const CountriesExport = lazy(async () => ({
  default: (await import('./countries-export.tsx')).CountriesExport,
}))

const RANKED_MAX_COUNT = 10

type CountriesViewProps = {
  /** With the name of the period that is shown. */
  search: CountrySearch & { period: string }
}

/** Shows all countries: ranked, on the map and as a table. */
export function CountriesView({ search }: CountriesViewProps) {
  const { countries, industries, timeZone } = usePreferences()
  const {
    data: latest,
    error,
    refetch,
  } = useQuery(
    countryListOptions({ period: search.period, rows: useRows(), timeZone, own: { countries, industries } }),
  )
  // Drawn in slices, below what a reader presses meanwhile.
  const data = useDeferredValue(latest)
  const isUnread = !latest && error instanceof ApiError && error.problem.code === 'window_empty'
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <DocumentTitle title="Countries" />
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h1 className="font-semibold text-xl tracking-tight">Countries</h1>
        <p role="status" className="text-muted text-sm tabular-nums">
          {data && isStored(data) && (
            <>
              {countOf(data.countries.filter(({ threats }) => threats > 0).length, 'country', 'countries')}
              <span className="max-sm:hidden"> in {storedShort(data)}</span>
            </>
          )}
        </p>
        <PeriodControl />
        {data && <AgeNote freshness={data.freshness} />}
        <span className="ml-auto">
          <ExportButton
            disabled={!data || data.countries.length === 0}
            renderDialog={(close) => data && <CountriesExport list={data} search={search} onClose={close} />}
          />
        </span>
      </div>
      {error && !data && !isUnread && <ErrorPanel error={error} onRetry={() => refetch()} />}
      {!data && !error && <CountriesSkeleton />}
      {(isUnread || data?.countries.length === 0) && (
        <div className="rounded-lg border border-line bg-surface">
          {data && !data.period.isRunning ? (
            <EmptyState icon="globe" title={isStored(data) ? 'No countries' : 'Not stored'}>
              {isStored(data)
                ? `No stored threat of ${periodPhrase(data.period.name)} names one.`
                : `Nothing of ${periodPhrase(data.period.name)} is stored.`}
            </EmptyState>
          ) : (
            <EmptyState icon="globe" title="No countries yet">
              They appear as Lantern reads threats that name one.
            </EmptyState>
          )}
        </div>
      )}
      {data && data.countries.length > 0 && <CountryParts list={data} search={search} />}
    </div>
  )
}

function CountryParts({ list, search }: { list: CountryList; search: CountrySearch & { period: string } }) {
  const { countries, days } = list
  const isWhole = days.every(({ coverage }) => coverage !== 'unknown')
  const period = storedShort(list)
  const nouns = nounsOf(countries)
  const ranked = countries.slice(0, RANKED_MAX_COUNT).map((country) => ({
    key: country.code,
    label: countryName(country.code),
    count: threatsOf(country),
    compared: shownComparison(country.compared),
  }))
  return (
    <>
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
        <SectionCard
          title={nouns === 'cases' ? 'Most cases' : 'Most claims'}
          note={<span className="text-faint text-xs">{`in ${period}${soFar(list.period)}`}</span>}
        >
          <BarList
            label={`Countries by ${nouns} in ${period}`}
            rows={ranked}
            renderLink={({ key, label }) => (
              <span className="flex min-w-0 items-center gap-2">
                <Flag code={key} />
                <Link
                  to="/countries/$code"
                  params={{ code: key }}
                  search={{ period: periodParam(list.period.name) }}
                  className={BAR_LINK}
                >
                  {label}
                </Link>
              </span>
            )}
          />
        </SectionCard>
        <SectionCard
          title="On the map"
          note={
            <span className="text-faint text-xs">
              {nouns} in {period}; the table below has the same counts
            </span>
          }
        >
          <WhenSeen fallback={<MapSkeleton />}>
            <Suspense fallback={<MapSkeleton />}>
              <WorldMap
                countries={countries}
                period={period}
                search={{ period: periodParam(list.period.name), rows: rowsParam(nouns) }}
                isWhole={isWhole}
              />
            </Suspense>
          </WhenSeen>
        </SectionCard>
      </div>
      <CountryTable list={list} search={search} />
    </>
  )
}

/** Before the list. */
function CountriesSkeleton() {
  return (
    <div role="status" className="grid gap-4">
      <VisuallyHidden>Loading the countries…</VisuallyHidden>
      <div className="grid gap-4 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
        <Skeleton className="h-98 w-full rounded-lg" />
        <Skeleton className="h-98 w-full rounded-lg" />
      </div>
      <Skeleton className="h-96 w-full rounded-lg" />
    </div>
  )
}

/** As high as the map. */
function MapSkeleton() {
  return (
    <div className="grid gap-2 p-4">
      <Skeleton className="aspect-[800/392] w-full" />
      <Skeleton className="h-4 w-2/3" />
    </div>
  )
}
