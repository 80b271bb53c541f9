import { createFileRoute } from '@tanstack/react-router'
import { OverviewView } from '#app/features/overview/overview-view.tsx'
import { WindowSummary } from '#app/features/source/window-summary.tsx'
import { ThreatMarks } from '#app/features/threats/threat-marks.tsx'
import { TrendPanel } from '#app/features/trends/trend-panel.tsx'

export const Route = createFileRoute('/')({
  // From the window, free. Asked for beside the page's script, which need not come first.
  loader: ({ context: { queryClient } }) => {
    import('#app/features/overview/overview-options.ts').then(({ overviewOptions }) =>
      queryClient.prefetchQuery(overviewOptions()),
    )
    import('#app/features/trends/load-trend.ts').then(({ loadTrend }) =>
      loadTrend(queryClient, { by: 'category' }),
    )
  },
  component: OverviewPage,
})

function OverviewPage() {
  return (
    <OverviewView
      windowSummary={<WindowSummary />}
      renderMarks={(state) => <ThreatMarks state={state} />}
      trend={<TrendPanel title="Threats by category" by="category" fileName="threats-by-category" />}
    />
  )
}
