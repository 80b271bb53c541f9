import { createFileRoute } from '@tanstack/react-router'
import { MetricsView } from '#app/features/metrics/metrics-view.tsx'
import { PeriodPicker } from '#app/features/periods/period-picker.tsx'
import { readPeriodSearch } from '#app/features/periods/period-search.ts'
import { usePeriod } from '#app/features/periods/use-period.ts'
import { CallCost } from '#app/features/source/call-cost.tsx'
import { PrintFoot } from '#app/features/source/print-foot.tsx'
import { WindowSummary } from '#app/features/source/window-summary.tsx'
import { TrendPanel } from '#app/features/trends/trend-panel.tsx'

export const Route = createFileRoute('/metrics')({
  validateSearch: readPeriodSearch,
  loaderDeps: ({ search }) => search,
  // The window's part alone: what the source counts may cost a call.
  loader: ({ context: { queryClient }, deps: { period } }) => {
    import('#app/features/trends/load-trend.ts').then(({ loadTrend }) => {
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
        <PeriodPicker
          period={period}
          onChoose={(chosen) => navigate({ search: { period: chosen }, resetScroll: false })}
        />
      }
      cost={<CallCost calls="1" />}
      windowSummary={<WindowSummary />}
      printFoot={<PrintFoot />}
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
