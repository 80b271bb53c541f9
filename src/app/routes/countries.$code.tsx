import { createFileRoute } from '@tanstack/react-router'
import { CountryView } from '#app/features/countries/country-view.tsx'
import { readPeriodSearch } from '#app/features/periods/period-search.ts'
import { usePeriod } from '#app/features/periods/use-period.ts'
import { CallCost } from '#app/features/source/call-cost.tsx'
import { countryName } from '#app/format/country-name.ts'
import { SubjectPage } from './-subject-page.tsx'

export const Route = createFileRoute('/countries/$code')({
  validateSearch: readPeriodSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, params: { code }, deps: { period }, preload }) => {
    // The source's own part may cost a call: not for a pointer that passes over a list.
    if (preload) return
    import('#app/features/countries/load-countries.ts').then(({ loadCountry }) =>
      loadCountry(queryClient, { code, period }),
    )
  },
  component: CountryPage,
})

function CountryPage() {
  const { code } = Route.useParams()
  const navigate = Route.useNavigate()
  const period = usePeriod(Route.useSearch())
  return (
    <SubjectPage
      list={{ to: '/countries', title: 'Countries' }}
      period={period}
      onChoose={(chosen) => navigate({ search: { period: chosen }, resetScroll: false })}
      describe={(known) => ({
        title: countryName(known),
        filter: { country: [known] },
        fileName: `threats-by-day-${known}`,
      })}
    >
      {(parts) => <CountryView key={code} given={code} cost={<CallCost calls="1" />} {...parts} />}
    </SubjectPage>
  )
}
