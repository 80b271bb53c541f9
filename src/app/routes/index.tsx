import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { OverviewView } from '#app/features/overview/overview-view.tsx'
import { sourceOptions } from '#app/features/source/source-options.ts'
import { WindowSummary } from '#app/features/source/window-summary.tsx'
import { ThreatMarks } from '#app/features/threats/threat-marks.tsx'
import { TrendPanel } from '#app/features/trends/trend-panel.tsx'
import { TriageStates } from '#app/features/triage/triage-states.tsx'

export const Route = createFileRoute('/')({
  // From the window, at no call. Asked for beside the page's script, which need not come first.
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
  const { data: source } = useQuery(sourceOptions())
  return (
    <OverviewView
      source={source}
      window={source && <WindowSummary window={source.window} />}
      withMarks={(ids, draw) => (
        <TriageStates ids={ids}>
          {(states) => draw((id) => <ThreatMarks state={states.get(id)} />)}
        </TriageStates>
      )}
      trend={<TrendPanel title="Threats by category" by="category" fileName="threats-by-category" />}
    />
  )
}
