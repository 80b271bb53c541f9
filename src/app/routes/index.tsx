import { createFileRoute } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { OverviewView } from '#app/features/overview/overview-view.tsx'
import { PeriodPicker } from '#app/features/periods/period-picker.tsx'
import { readPeriodSearch } from '#app/features/periods/period-search.ts'
import { usePeriod } from '#app/features/periods/use-period.ts'
import { ThreatMarks } from '#app/features/threats/threat-marks.tsx'
import { TrendPanel } from '#app/features/trends/trend-panel.tsx'
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
  validateSearch: readPeriodSearch,
  loaderDeps: ({ search }) => search,
  // From the window, free. Asked for beside the page's script, which need not come first.
  loader: ({ context: { queryClient }, deps: { period } }) => {
    import('#app/features/overview/load-overview.ts').then(({ loadOverview }) =>
      loadOverview(queryClient, period),
    )
    import('#app/features/trends/load-trend.ts').then(({ loadTrend }) =>
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
        <PeriodPicker
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
      renderMarks={(state) => <ThreatMarks state={state} />}
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
