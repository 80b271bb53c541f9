import { createFileRoute } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { OverviewView } from '#app/features/overview/overview-view.tsx'
import { PeriodControl } from '#app/features/periods/period-control.tsx'
import { readPeriodSearch } from '#app/features/periods/period-search.ts'
import { usePeriod } from '#app/features/periods/use-period.ts'
import { TrendPanel } from '#app/features/trends/trend-panel.tsx'
import { lazyWhenIdle, whenIdle } from '#app/ui/when-idle.ts'

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

// Charts load after the list.
const ThreatMarks = lazyWhenIdle(
  async () => (await import('#app/features/threats/feed/threat-marks.tsx')).ThreatMarks,
)

export const Route = createFileRoute('/')({
  validateSearch: readPeriodSearch,
  loaderDeps: ({ search }) => search,
  // The BFF answers from the store without API calls. The request runs in parallel with the page's script.
  loader: ({ context: { queryClient }, deps: { period } }) => {
    import('#app/features/overview/overview-options.ts').then(({ loadOverview }) =>
      loadOverview(queryClient, period),
    )
    import('#app/features/trends/trend-options.ts').then(({ loadTrend }) =>
      loadTrend(queryClient, { by: 'category', period }),
    )
  },
  component: OverviewPage,
})

function OverviewPage() {
  const navigate = Route.useNavigate()
  const period = usePeriod(Route.useSearch())
  return (
    <OverviewView
      period={period.name}
      periodPicker={
        <PeriodControl
          period={period}
          onChoose={(chosen) => navigate({ search: { period: chosen }, resetScroll: false })}
        />
      }
      windowSummary={<WindowSummary />}
      printFoot={
        <Suspense fallback={null}>
          <PrintFoot />
        </Suspense>
      }
      renderMarks={(state) => (
        <Suspense fallback={null}>
          <ThreatMarks state={state} />
        </Suspense>
      )}
      trend={
        <TrendPanel
          title="Threats by category"
          period={period.name}
          by="category"
          fileName="threats-by-category"
        />
      }
    />
  )
}
