import { createFileRoute } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { OverviewView } from '#app/features/overview/overview-view.tsx'
import { ThreatMarks } from '#app/features/threats/threat-marks.tsx'
import { TrendPanel } from '#app/features/trends/trend-panel.tsx'
import { readPreferences } from '#app/ui/preferences.ts'
import { whenIdle } from '#app/ui/when-idle.ts'

// At the foot of the page: they come when that is idle.
const WindowSummary = lazy(async () => {
  await whenIdle()
  const { WindowSummary } = await import('#app/features/source/window-summary.tsx')
  return { default: WindowSummary }
})
const PrintFoot = lazy(async () => {
  await whenIdle()
  const { PrintFoot } = await import('#app/features/source/print-foot.tsx')
  return { default: PrintFoot }
})

export const Route = createFileRoute('/')({
  // From the window, free. Asked for beside the page's script, which need not come first.
  loader: ({ context: { queryClient } }) => {
    import('#app/features/overview/overview-options.ts').then(({ overviewOptions }) =>
      queryClient.prefetchQuery(overviewOptions(readPreferences().timeZone)),
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
      printFoot={
        <Suspense fallback={null}>
          <PrintFoot />
        </Suspense>
      }
      renderMarks={(state) => <ThreatMarks state={state} />}
      trend={<TrendPanel title="Threats by category" by="category" fileName="threats-by-category" />}
    />
  )
}
