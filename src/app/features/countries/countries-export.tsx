import { casesOf } from '#app/features/concerns/cases-of.ts'
import { useConcernColumns } from '#app/features/concerns/concern-columns.ts'
import { shownComparison } from '#app/format/counted-rows.ts'
import { countryName } from '#app/format/country-name.ts'
import { ListExportDialog, PendingExport } from '#app/ui/export/list-export-dialog.tsx'
import { joinReasons, missingDays } from '#app/ui/export/partial-reason.ts'
import type { ListColumn } from '#app/ui/export/write-list.ts'
import type { Country, CountryList } from '#contract/bff/country.ts'
import { type Period, periodShort, previousPhrase } from '#contract/bff/period.ts'
import type { CountrySearch } from './country-search.ts'
import { nounsOf, sortCountries, threatsOf } from './sort-countries.ts'

const columnsOf = ({ name, isRunning }: Period, Nouns: string): readonly ListColumn<Country>[] => [
  { id: 'name', label: 'Country', read: ({ code }) => countryName(code) },
  { id: 'code', label: 'Country code', read: ({ code }) => code },
  {
    id: 'threats',
    label: `${Nouns} in ${periodShort(name)}${isRunning ? ' (today so far)' : ''}`,
    read: threatsOf,
  },
  {
    id: 'comparedThreats',
    label: `${Nouns} in the compared part of ${isRunning ? `the ${periodShort(name)}` : periodShort(name)}`,
    read: ({ compared }) => shownComparison(compared)?.count ?? null,
  },
  {
    id: 'previousThreats',
    label: `${Nouns} in the same part of ${previousPhrase(name)}`,
    read: ({ compared }) => shownComparison(compared)?.previous ?? null,
  },
  { id: 'actors', label: 'Actors', read: ({ actors }) => actors },
  { id: 'victims', label: 'Victims', read: ({ victims }) => victims },
  { id: 'latest', label: 'Latest (UTC)', read: ({ latestAt }) => latestAt },
]

type CountriesExportProps = { list: CountryList; search: CountrySearch; onClose(): void }

/** Saves the table as it is sorted. */
export function CountriesExport({ list, search, onClose }: CountriesExportProps) {
  const { countries, days, period, freshness } = list
  const nouns = nounsOf(countries)
  const concerns = useConcernColumns<Country>(
    { name: 'country', period, noun: nouns === 'cases' ? 'case' : 'claim' },
    (country) => ({ value: country.code, concerns: (casesOf(country) ?? country).concerns }),
  )
  if (!concerns) {
    return <PendingExport noun="countries" onClose={onClose} />
  }
  return (
    <ListExportDialog
      one="country"
      list={{
        noun: 'countries',
        columns: [...columnsOf(period, nouns === 'cases' ? 'Cases' : 'Claims'), ...concerns.columns],
        rows: sortCountries(countries, search),
        about: {
          coverage: freshness.coverage,
          checked: freshness.checked,
          question: search,
          counted: nouns,
          period,
          days,
        },
        partialReason: joinReasons([missingDays(days, period.unit), concerns.partialReason]),
      }}
      onClose={onClose}
    />
  )
}
