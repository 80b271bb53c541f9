import { createFileRoute } from '@tanstack/react-router'
import { MetricsView } from '#app/features/metrics/metrics-view.tsx'
import { carryRows, readPeriodSearch } from '#app/features/periods/period-search.ts'

export const Route = createFileRoute('/metrics')({
  validateSearch: readPeriodSearch,
  search: { middlewares: [carryRows] },
  loaderDeps: ({ search }) => search,
  // Only charts of stored threats are loaded here: the vendor's counts may cost a call.
  loader: ({ context: { queryClient }, deps: { period, rows } }) => {
    import('#app/features/trends/trend-options.ts').then(({ loadTrend }) => {
      loadTrend(queryClient, { by: 'category', period, rows })
      loadTrend(queryClient, { by: 'severity', period, rows })
    })
  },
  component: MetricsView,
})
