import { Link, linkOptions } from '@tanstack/react-router'
import { count, countOf } from '#app/format/count.ts'
import { countryName } from '#app/format/country-name.ts'
import { Change } from '#app/ui/chart/change.tsx'
import { Sparkline } from '#app/ui/chart/sparkline.tsx'
import { Flag } from '#app/ui/flag.tsx'
import { orderAfterPress } from '#app/ui/order-after-press.ts'
import { SortHeading } from '#app/ui/sort-heading.tsx'
import { Time } from '#app/ui/time.tsx'
import { useFollow } from '#app/ui/use-follow.ts'
import type { Country, CountryList } from '#contract/bff/country.ts'
import type { CountrySearch, CountrySort } from './country-search.ts'
import { sortCountries } from './sort-countries.ts'

type CountryTableProps = {
  countries: readonly Country[]
  days: CountryList['days']
  /** What is counted: `the last 30 days`. */
  held: string
  search: CountrySearch
}
type Column = { label: string; sort?: CountrySort; className: string }

const COLUMNS: readonly Column[] = [
  { label: 'Country', sort: 'name', className: 'text-left' },
  { label: '30 days', className: 'text-left max-md:sr-only' },
  { label: 'Threats', sort: 'threats', className: 'text-right' },
  { label: 'Change', sort: 'change', className: 'text-right' },
  { label: 'Actors', sort: 'actors', className: 'text-right max-sm:sr-only' },
  { label: 'Victims', sort: 'victims', className: 'text-right max-sm:sr-only' },
  { label: 'Latest', sort: 'latest', className: 'text-right max-sm:sr-only' },
]

const GRID =
  'grid grid-cols-[minmax(0,1fr)_4rem_5rem] items-center gap-x-4 px-2 tabular-nums sm:grid-cols-[minmax(0,2fr)_repeat(5,minmax(0,1fr))] sm:px-4 md:grid-cols-[minmax(0,2fr)_minmax(7.5rem,2fr)_repeat(5,minmax(0,1fr))]'

/** All countries with their figures; small ones that the map cannot show as well. */
export function CountryTable({ countries, days, held, search }: CountryTableProps) {
  const since = days.at(0)?.date ?? 'the first day'
  return (
    <div className="-mx-4 overflow-clip border-line border-y bg-surface sm:mx-0 sm:rounded-lg sm:border-x">
      <table className="block text-sm">
        <caption className="sr-only">Countries, with their threats, actors and victims in {held}</caption>
        <thead className="block border-line border-b text-faint text-xs">
          <tr className={`${GRID} h-9`}>
            {COLUMNS.map((column) => (
              <HeadCell key={column.label} column={column} search={search} />
            ))}
          </tr>
        </thead>
        <tbody className="block divide-y divide-line">
          {sortCountries(countries, search).map((country) => (
            <CountryRow key={country.code} country={country} since={since} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Each press sorts by the column, and a second one the other way round. */
function HeadCell({ column: { label, sort, className }, search }: { column: Column; search: CountrySearch }) {
  const sorted = search.sort ?? 'threats'
  const isSorted = sort === sorted
  const isReverse = search.order === 'reverse'
  // Names are told from A, all else from the greatest or newest.
  const isAscending = (sorted === 'name') !== isReverse
  return (
    <SortHeading
      label={label}
      className={className}
      direction={isSorted ? (isAscending ? 'ascending' : 'descending') : undefined}
      link={
        sort &&
        linkOptions({
          to: '/countries',
          search: (before) => ({
            sort: sort === 'threats' ? undefined : sort,
            order: orderAfterPress(before, sort, { unlessNamed: 'threats' }),
          }),
        })
      }
    />
  )
}

function CountryRow({ country, since }: { country: Country; since: string }) {
  const { code, threats, previousThreats, actors, victims, latestAt, counts } = country
  const name = countryName(code)
  const follow = useFollow()
  return (
    <tr
      className={`${GRID} relative h-10 hover:bg-hover [contain-intrinsic-size:auto_2.5rem] [content-visibility:auto]`}
    >
      <th scope="row" className="text-left font-medium">
        <span className="flex min-w-0 items-center gap-2">
          <Flag code={code} />
          <Link
            to="/countries/$code"
            params={{ code }}
            onClick={follow}
            className="min-w-0 outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:outline-accent focus-visible:after:-outline-offset-2"
          >
            {name}
          </Link>
        </span>
      </th>
      <td className="max-md:sr-only">
        <Sparkline counts={counts} label={`${name}: ${countOf(threats, 'threat')} since ${since}`} />
      </td>
      <td className="text-right font-medium">{count(threats)}</td>
      <td className="text-right">
        <Change count={threats} previous={previousThreats} />
      </td>
      <td className="text-right max-sm:sr-only">{count(actors)}</td>
      <td className="text-right max-sm:sr-only">{count(victims)}</td>
      <td className="whitespace-nowrap text-right text-muted max-sm:sr-only">
        <Time at={latestAt} show="age" />
      </td>
    </tr>
  )
}
