import { createFileRoute } from '@tanstack/react-router'
import { OverviewView } from '#app/features/overview/overview-view.tsx'
import { carryRows, readPeriodSearch } from '#app/features/periods/period-search.ts'
import { usePeriod } from '#app/features/periods/use-period.ts'

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
  component: OverviewPage,
})

function OverviewPage() {
  const navigate = Route.useNavigate()
  const period = usePeriod(Route.useSearch())
  return (
    <OverviewView
      period={period}
      onChoosePeriod={(chosen) =>
        navigate({ search: (before) => ({ ...before, period: chosen }), resetScroll: false })
      }
    />
  )
}
