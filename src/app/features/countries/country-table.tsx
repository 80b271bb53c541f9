import { Link, linkOptions } from '@tanstack/react-router'
import { Suspense } from 'react'
import { casesOf } from '#app/features/concerns/cases-of.ts'
import { soFar, storedPhrase } from '#app/features/periods/period-options.ts'
import { count, countOf } from '#app/format/count.ts'
import { rowNoun, shownComparison } from '#app/format/counted-rows.ts'
import { countryName } from '#app/format/country-name.ts'
import { Change } from '#app/ui/chart/change.tsx'
import { Sparkline } from '#app/ui/chart/sparkline.tsx'
import { Flag } from '#app/ui/country-label.tsx'
import { type Column, DataTable } from '#app/ui/data-table.tsx'
import { orderAfterPress } from '#app/ui/order-after-press.ts'
import { useTimeZone } from '#app/ui/preferences.ts'
import { Time } from '#app/ui/time.tsx'
import { useFollow } from '#app/ui/use-follow.ts'
import { lazyWhenIdle } from '#app/ui/when-idle.ts'
import type { Country, CountryList } from '#contract/bff/country.ts'
import { type Period, periodParam, periodShort, periodTitle, previousPhrase } from '#contract/bff/period.ts'
import type { CountrySearch, CountrySort } from './country-search.ts'
import { nounsOf, sortCountries, threatsOf } from './sort-countries.ts'

// Few countries have threats that concern anybody.
const ConcernsYou = lazyWhenIdle(
  async () => (await import('#app/features/concerns/concerns-you.tsx')).ConcernsYou,
)
const ConcernCount = lazyWhenIdle(
  async () => (await import('#app/features/concerns/concern-count.tsx')).ConcernCount,
)

type CountryTableProps = { list: CountryList; search: CountrySearch }

const GRID =
  'grid grid-cols-[minmax(0,1fr)_4rem_5rem] items-center gap-x-4 px-2 tabular-nums sm:grid-cols-[minmax(0,2fr)_repeat(5,minmax(0,1fr))] sm:px-4 md:grid-cols-[minmax(0,2fr)_minmax(7.5rem,2fr)_repeat(5,minmax(0,1fr))]'

/** All countries with their figures; small ones that the map cannot show as well. */
export function CountryTable({ list, search }: CountryTableProps) {
  return (
    <div className="-mx-4 overflow-clip border-line border-y bg-surface sm:mx-0 sm:rounded-lg sm:border-x">
      <DataTable
        caption={`Countries, with their ${nounsOf(list.countries)}, actors and victims in ${storedPhrase(list)}`}
        columns={countryColumns(list)}
        rows={sortCountries(list.countries, search)}
        rowKey={({ code }) => code}
        sorting={{
          by: search.sort ?? 'threats',
          isReverse: search.order === 'reverse',
          linkTo: (sort) =>
            linkOptions({
              to: '/countries',
              search: (before) => ({
                period: before.period,
                sort: sort === 'threats' ? undefined : sort,
                order: orderAfterPress(before, sort, { unlessNamed: 'threats' }),
              }),
            }),
        }}
        grid={GRID}
        className="text-sm [&>thead>tr]:h-9 max-sm:[&>thead>tr]:h-11"
        rowLook={() =>
          'relative h-10 max-sm:h-11 hover:bg-hover [contain-intrinsic-size:auto_2.5rem] [content-visibility:auto]'
        }
      />
    </div>
  )
}

function countryColumns(list: CountryList): Column<Country, CountrySort>[] {
  const { period } = list
  const { name } = period
  return [
    {
      key: 'name',
      head: 'Country',
      sort: { by: 'name', first: 'ascending' },
      isName: true,
      cellClassName: 'font-medium',
      cell: (country) => <CountryName country={country} period={period} />,
    },
    {
      key: 'spark',
      head: periodShort(name),
      className: 'max-md:sr-only',
      cell: (country) => (
        <Sparkline
          counts={country.caseCounts ?? country.counts}
          label={`${countryName(country.code)}: ${countOf(threatsOf(country), rowNoun(country))} in ${storedPhrase(list)}`}
        />
      ),
    },
    {
      key: 'threats',
      head: nounsOf(list.countries) === 'cases' ? 'Cases' : 'Claims',
      sort: { by: 'threats', first: 'descending' },
      align: 'right',
      cellClassName: 'font-medium',
      cell: (country) => count(threatsOf(country)),
    },
    {
      key: 'change',
      head: 'Change',
      hint: `${periodTitle(name)}${soFar(period)}, against the same part of ${previousPhrase(name)}`,
      sort: { by: 'change', first: 'descending' },
      align: 'right',
      cell: ({ compared }) => <Change compared={shownComparison(compared)} />,
    },
    {
      key: 'actors',
      head: 'Actors',
      sort: { by: 'actors', first: 'descending' },
      align: 'right',
      className: 'max-sm:sr-only',
      cell: ({ actors }) => count(actors),
    },
    {
      key: 'victims',
      head: 'Victims',
      sort: { by: 'victims', first: 'descending' },
      align: 'right',
      className: 'max-sm:sr-only',
      cell: ({ victims }) => count(victims),
    },
    {
      key: 'latest',
      head: 'Latest',
      sort: { by: 'latest', first: 'descending' },
      align: 'right',
      className: 'max-sm:sr-only',
      cellClassName: 'whitespace-nowrap text-muted',
      cell: ({ latestAt }) => <Time at={latestAt} show="age" />,
    },
  ]
}

function CountryName({ country, period }: { country: Country; period: Period }) {
  const { code, concerns, threats } = country
  const timeZone = useTimeZone()
  return (
    <span className="flex min-w-0 items-center gap-2">
      <Flag code={code} />
      <Link
        to="/countries/$code"
        params={{ code }}
        search={{ period: periodParam(period.name) }}
        onClick={useFollow()}
        className="min-w-0 outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:outline-accent focus-visible:after:-outline-offset-2"
      >
        {countryName(code)}
      </Link>
      <Suspense fallback={null}>
        <ConcernCount
          name="country"
          value={code}
          label={countryName(code)}
          period={period}
          timeZone={timeZone}
          isShort
        />
        <span className="contents max-xl:hidden">
          <ConcernsYou
            concerns={concerns}
            threats={threats}
            cases={casesOf(country)}
            period={period}
            filter={{ country: [code] }}
            isShort
          />
        </span>
      </Suspense>
    </span>
  )
}
