import { createFileRoute } from '@tanstack/react-router'
import { CountriesView } from '#app/features/countries/countries-view.tsx'
import { readCountrySearch } from '#app/features/countries/country-search.ts'

export const Route = createFileRoute('/countries/')({
  validateSearch: readCountrySearch,
  loader: ({ context: { queryClient } }) => {
    import('#app/features/countries/load-countries.ts').then(({ loadCountryList }) =>
      loadCountryList(queryClient),
    )
  },
  component: CountriesPage,
})

function CountriesPage() {
  return <CountriesView search={Route.useSearch()} />
}
