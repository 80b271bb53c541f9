import { useConcernColumns } from '#app/features/concerns/concern-columns.ts'
import { countryName } from '#app/format/country-name.ts'
import { ListExportDialog } from '#app/ui/export/list-export-dialog.tsx'
import { joinReasons, missingDays } from '#app/ui/export/partial-reason.ts'
import type { ListColumn } from '#app/ui/export/write-list.ts'
import type { Country, CountryList } from '#contract/bff/country.ts'
import { type Period, periodShort, previousPhrase } from '#contract/bff/period.ts'
import type { CountrySearch } from './country-search.ts'
import { sortCountries } from './sort-countries.ts'

const columnsOf = ({ name, isRunning }: Period): readonly ListColumn<Country>[] => [
  { id: 'name', label: 'Country', read: ({ code }) => countryName(code) },
  { id: 'code', label: 'Country code', read: ({ code }) => code },
  {
    id: 'threats',
    label: `Threats in ${periodShort(name)}${isRunning ? ' (today so far)' : ''}`,
    read: ({ threats }) => threats,
  },
  {
    id: 'comparedThreats',
    label: `In the compared part of ${isRunning ? `the ${periodShort(name)}` : periodShort(name)}`,
    read: ({ compared }) => compared?.count ?? null,
  },
  {
    id: 'previousThreats',
    label: `In the same part of ${previousPhrase(name)}`,
    read: ({ compared }) => compared?.previous ?? null,
  },
  { id: 'actors', label: 'Actors', read: ({ actors }) => actors },
  { id: 'victims', label: 'Victims', read: ({ victims }) => victims },
  { id: 'latest', label: 'Latest (UTC)', read: ({ latestAt }) => latestAt },
]

type CountriesExportProps = { list: CountryList; search: CountrySearch; onClose(): void }

/** Saves the table as it is sorted. */
export function CountriesExport({ list, search, onClose }: CountriesExportProps) {
  const { countries, days, period, freshness } = list
  const concerns = useConcernColumns<Country>({ name: 'country', period }, ({ code, concerns }) => ({
    value: code,
    concerns,
  }))
  if (!concerns) return null
  return (
    <ListExportDialog
      one="country"
      list={{
        noun: 'countries',
        columns: [...columnsOf(period), ...concerns.columns],
        rows: sortCountries(countries, search),
        about: { coverage: freshness.coverage, checked: freshness.checked, question: search, period, days },
        partialReason: joinReasons([missingDays(days, period.unit), concerns.partialReason]),
      }}
      onClose={onClose}
    />
  )
}
