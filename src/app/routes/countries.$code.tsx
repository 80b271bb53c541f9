import { createFileRoute } from '@tanstack/react-router'
import { CountryView } from '#app/features/countries/country-view.tsx'
import { carryRows, readPeriodSearch } from '#app/features/periods/period-search.ts'

export const Route = createFileRoute('/countries/$code')({
  validateSearch: readPeriodSearch,
  search: { middlewares: [carryRows] },
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, params: { code }, deps: { period, rows }, preload }) => {
    // The vendor's own part may cost a call: not for a pointer that passes over a list.
    if (preload) return
    import('#app/features/countries/load-countries.ts').then(({ loadCountry }) =>
      loadCountry(queryClient, { code, period, rows }),
    )
  },
  component: CountryPage,
})

function CountryPage() {
  const { code } = Route.useParams()
  return <CountryView key={code} given={code} />
}
