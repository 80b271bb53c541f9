import { createFileRoute } from '@tanstack/react-router'
import { MetricsView } from '#app/features/metrics/metrics-view.tsx'
import { readPeriodSearch } from '#app/features/periods/period-search.ts'
import { usePeriod } from '#app/features/periods/use-period.ts'

export const Route = createFileRoute('/metrics')({
  validateSearch: readPeriodSearch,
  loaderDeps: ({ search }) => search,
  // The window's part alone: what the source counts may cost a call.
  loader: ({ context: { queryClient }, deps: { period } }) => {
    import('#app/features/trends/trend-options.ts').then(({ loadTrend }) => {
      loadTrend(queryClient, { by: 'category', period })
      loadTrend(queryClient, { by: 'severity', period })
    })
  },
  component: MetricsPage,
})

function MetricsPage() {
  const navigate = Route.useNavigate()
  const period = usePeriod(Route.useSearch())
  return (
    <MetricsView
      period={period}
      onChoosePeriod={(chosen) => navigate({ search: { period: chosen }, resetScroll: false })}
    />
  )
}
