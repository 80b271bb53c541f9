import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useDeferredValue } from 'react'
import { PeriodControl } from '#app/features/periods/period-control.tsx'
import { usePeriod } from '#app/features/periods/use-period.ts'
import { useRows } from '#app/features/periods/use-rows.ts'
import { sourceOptions } from '#app/features/source/source-options.ts'
import { TrendPanel } from '#app/features/trends/trend-panel.tsx'
import { AgeNote } from '#app/ui/age-note.tsx'
import { DocumentTitle } from '#app/ui/document-title.tsx'
import { ErrorPanel } from '#app/ui/error-panel.tsx'
import { useTimeZone } from '#app/ui/preferences.ts'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import { lazyWhenIdle, whenIdle } from '#app/ui/when-idle.ts'
import type { Concerns } from '#contract/bff/overview.ts'
import { periodParam } from '#contract/bff/period.ts'
import { CriticalThreats } from './critical-threats.tsx'
import { isUnread } from './is-unread.ts'
import { overviewOptions } from './overview-options.ts'
import { PeriodFigures } from './period-figures.tsx'

// At the foot of the page: they come when that is idle.
const SourceState = lazy(async () => {
  await whenIdle()
  const { SourceState } = await import('./source-state.tsx')
  return { default: SourceState }
})
const PrintFoot = lazy(async () => {
  await whenIdle()
  const { PrintFoot } = await import('#app/features/source/print-foot.tsx')
  return { default: PrintFoot }
})

// Below what a reader looks at first.
const TopValues = lazy(async () => {
  await whenIdle()
  const { TopValues } = await import('./top-values.tsx')
  return { default: TopValues }
})

const ConcernsUs = lazyWhenIdle(async () => (await import('./concerns-us.tsx')).ConcernsUs)

const TOPS = ['actor', 'country', 'industry', 'severity']
const MORE = 'touch rounded-sm text-accent text-xs hover:underline'

/** Shows what is new and which actors are behind it. Everything is read from the store. */
export function OverviewView() {
  const period = usePeriod()
  const { data: source } = useQuery(sourceOptions())
  const {
    data: latest,
    error,
    refetch,
  } = useQuery(overviewOptions({ timeZone: useTimeZone(), period: period.name, rows: useRows() }))
  // Drawn in slices, below what a reader presses meanwhile.
  const data = useDeferredValue(latest)
  const hasNothing = data !== undefined && isUnread(data)
  // Not before what stands above it: it would be pushed down.
  const state = source && (data || error) && (
    <Suspense fallback={null}>
      <SourceState source={source} />
    </Suspense>
  )
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <DocumentTitle title="Overview" />
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h1 className="font-semibold text-xl tracking-tight">Overview</h1>
        {data
          ? !hasNothing && <AgeNote freshness={data.freshness} />
          : !error && <Skeleton className="h-4 w-72" />}
        <PeriodControl />
      </div>
      {!data && error && <ErrorPanel error={error} onRetry={() => refetch()} />}
      {!data && !error && <OverviewSkeleton />}
      {/* Why there is nothing to see is the first thing to know. */}
      {hasNothing && state}
      {data?.concerns !== undefined && !hasNothing && (
        <Suspense fallback={<div style={{ height: heightOf(data.concerns) }} />}>
          <ConcernsUs concerns={data.concerns} />
        </Suspense>
      )}
      {data && <PeriodFigures overview={data} />}
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-3 print:flex print:flex-col">
        <div className="min-w-0 lg:col-span-2">
          <TrendPanel
            title="Threats by category"
            period={period.name}
            by="category"
            fileName="threats-by-category"
          />
        </div>
        {data && (
          <>
            <div className="min-w-0 lg:row-span-2 print:order-last">
              <CriticalThreats overview={data} />
            </div>
            <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-4 sm:grid-cols-2 lg:col-span-2">
              <Suspense
                fallback={TOPS.map((name) => <Skeleton key={name} className="h-82 w-full rounded-lg" />)}
              >
                <TopValues
                  name="actor"
                  overview={data}
                  tools={
                    <Link to="/actors" search={{ period: periodParam(period.name) }} className={MORE}>
                      All actors
                    </Link>
                  }
                />
                <TopValues
                  name="country"
                  overview={data}
                  tools={
                    <Link to="/countries" search={{ period: periodParam(period.name) }} className={MORE}>
                      All countries
                    </Link>
                  }
                />
                <TopValues name="industry" overview={data} />
                <TopValues name="severity" overview={data} />
              </Suspense>
            </div>
          </>
        )}
      </div>
      {!hasNothing && state}
      <Suspense fallback={null}>
        <PrintFoot />
      </Suspense>
    </div>
  )
}

/** About as high as what concerns the reader, in pixels: what stands below does not move when it comes. */
function heightOf(concerns: Concerns | null): number {
  if (!concerns) return 20
  return 79 + 33 * concerns.newest.length
}

/** As high as the figures that come in its place. */
function OverviewSkeleton() {
  return (
    <div
      role="status"
      className="grid grid-cols-2 gap-px overflow-clip rounded-lg border border-line bg-surface sm:grid-cols-4"
    >
      <VisuallyHidden>Counting what is new…</VisuallyHidden>
      {['visit', 'day', 'week', 'period'].map((name) => (
        <div key={name} className="grid h-26 content-start gap-2.5 px-4 py-3.5">
          <Skeleton className="h-3 w-28" />
          <Skeleton className="h-6 w-16" />
          <Skeleton className="h-3 w-36" />
        </div>
      ))}
    </div>
  )
}
