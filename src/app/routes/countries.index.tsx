import { createFileRoute } from '@tanstack/react-router'
import { CountriesView } from '#app/features/countries/countries-view.tsx'
import { readCountrySearch } from '#app/features/countries/country-search.ts'
import { carryRows, readPeriodSearch } from '#app/features/periods/period-search.ts'
import { usePeriod } from '#app/features/periods/use-period.ts'

export const Route = createFileRoute('/countries/')({
  validateSearch: (search) => ({ ...readCountrySearch(search), ...readPeriodSearch(search) }),
  search: { middlewares: [carryRows] },
  loaderDeps: ({ search: { period, rows } }) => ({ period, rows }),
  loader: ({ context: { queryClient }, deps }) => {
    import('#app/features/countries/load-countries.ts').then(({ loadCountryList }) =>
      loadCountryList(queryClient, deps),
    )
  },
  component: CountriesPage,
})

function CountriesPage() {
  return <CountriesView search={{ ...Route.useSearch(), period: usePeriod().name }} />
}
