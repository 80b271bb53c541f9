import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { MetricsView } from '#app/features/metrics/metrics-view.tsx'
import { PrintFoot } from '#app/features/metrics/print-foot.tsx'
import { sessionOptions } from '#app/features/session/session-options.ts'
import { CallCost } from '#app/features/source/call-cost.tsx'
import { sourceOptions } from '#app/features/source/source-options.ts'
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
  const { data: session } = useQuery(sessionOptions())
  const { data: source } = useQuery(sourceOptions())
  return (
    <MetricsView
      cost={<CallCost calls="1" />}
      window={source && <WindowSummary window={source.window} />}
      trends={
        <>
          <TrendPanel title="Threats by category" by="category" fileName="threats-by-category" isCompared />
          <TrendPanel title="Threats by severity" by="severity" fileName="threats-by-severity" isCompared />
        </>
      }
      printFoot={<PrintFoot reader={session?.user} window={source?.window} />}
    />
  )
}
