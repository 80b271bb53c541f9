import { createFileRoute } from '@tanstack/react-router'
import { OverviewView } from '#app/features/overview/overview-view.tsx'
import { carryRows, readPeriodSearch } from '#app/features/periods/period-search.ts'

export const Route = createFileRoute('/')({
  validateSearch: readPeriodSearch,
  search: { middlewares: [carryRows] },
  loaderDeps: ({ search }) => search,
  // The BFF answers from the store without API calls. The request runs in parallel with the page's script.
  loader: ({ context: { queryClient }, deps: { period, rows } }) => {
    import('#app/features/overview/overview-options.ts').then(({ loadOverview }) =>
      loadOverview(queryClient, { period, rows }),
    )
    import('#app/features/trends/trend-options.ts').then(({ loadTrend }) =>
      loadTrend(queryClient, { by: 'category', period, rows }),
    )
  },
  component: OverviewView,
})
