import { createFileRoute } from '@tanstack/react-router'
import { Suspense } from 'react'
import { MetricsView } from '#app/features/metrics/metrics-view.tsx'
import { PeriodControl } from '#app/features/periods/period-control.tsx'
import { readPeriodSearch } from '#app/features/periods/period-search.ts'
import { usePeriod } from '#app/features/periods/use-period.ts'
import { CallCost } from '#app/features/source/call-cost.tsx'
import { TrendPanel } from '#app/features/trends/trend-panel.tsx'
import { lazyWhenIdle } from '#app/ui/when-idle.ts'

// At the foot of the page, or on paper: they come when that is idle.
const WindowSummary = lazyWhenIdle(
  async () => (await import('#app/features/source/window-summary.tsx')).WindowSummary,
)
const PrintFoot = lazyWhenIdle(async () => (await import('#app/features/source/print-foot.tsx')).PrintFoot)

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
      periodPicker={
        <PeriodControl
          period={period}
          onChoose={(chosen) => navigate({ search: { period: chosen }, resetScroll: false })}
        />
      }
      cost={<CallCost calls="1" />}
      windowSummary={
        <Suspense fallback={null}>
          <WindowSummary />
        </Suspense>
      }
      printFoot={
        <Suspense fallback={null}>
          <PrintFoot />
        </Suspense>
      }
      trends={
        <>
          <TrendPanel
            title="Threats by category"
            period={period.name}
            by="category"
            fileName="threats-by-category"
          />
          <TrendPanel
            title="Threats by severity"
            period={period.name}
            by="severity"
            fileName="threats-by-severity"
          />
        </>
      }
    />
  )
}
