import { createFileRoute } from '@tanstack/react-router'
import { OverviewView } from '#app/features/overview/overview-view.tsx'
import { readPeriodSearch } from '#app/features/periods/period-search.ts'
import { usePeriod } from '#app/features/periods/use-period.ts'

export const Route = createFileRoute('/')({
  validateSearch: readPeriodSearch,
  loaderDeps: ({ search }) => search,
  // The BFF answers from the store without API calls. The request runs in parallel with the page's script.
  loader: ({ context: { queryClient }, deps: { period } }) => {
    import('#app/features/overview/overview-options.ts').then(({ loadOverview }) =>
      loadOverview(queryClient, period),
    )
    import('#app/features/trends/trend-options.ts').then(({ loadTrend }) =>
      loadTrend(queryClient, { by: 'category', period }),
    )
  },
  component: OverviewPage,
})

function OverviewPage() {
  const navigate = Route.useNavigate()
  const period = usePeriod(Route.useSearch())
  return (
    <OverviewView
      period={period}
      onChoosePeriod={(chosen) => navigate({ search: { period: chosen }, resetScroll: false })}
    />
  )
}
