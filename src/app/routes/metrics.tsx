import { createFileRoute } from '@tanstack/react-router'
import { MetricsView } from '#app/features/metrics/metrics-view.tsx'
import { CallCost } from '#app/features/source/call-cost.tsx'
import { PrintFoot } from '#app/features/source/print-foot.tsx'
import { WindowSummary } from '#app/features/source/window-summary.tsx'
import { TrendPanel } from '#app/features/trends/trend-panel.tsx'

export const Route = createFileRoute('/metrics')({
  // The window's part alone: what the source counts may cost a call.
  loader: ({ context: { queryClient } }) => {
    import('#app/features/trends/load-trend.ts').then(({ loadTrend }) => {
      loadTrend(queryClient, { by: 'category' })
      loadTrend(queryClient, { by: 'severity' })
    })
  },
  component: MetricsPage,
})

function MetricsPage() {
  return (
    <MetricsView
      cost={<CallCost calls="1" />}
      windowSummary={<WindowSummary />}
      printFoot={<PrintFoot />}
      trends={
        <>
          <TrendPanel title="Threats by category" by="category" fileName="threats-by-category" />
          <TrendPanel title="Threats by severity" by="severity" fileName="threats-by-severity" />
        </>
      }
    />
  )
}
