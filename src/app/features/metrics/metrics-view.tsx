import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, Suspense } from 'react'
import { ApiError } from '#app/api/api-error.ts'
import { PeriodControl } from '#app/features/periods/period-control.tsx'
import { usePeriod } from '#app/features/periods/use-period.ts'
import { useRows } from '#app/features/periods/use-rows.ts'
import { CallCost } from '#app/features/source/call-cost.tsx'
import { sourceOptions } from '#app/features/source/source-options.ts'
import { trendOptions } from '#app/features/trends/trend-options.ts'
import { TrendPanel } from '#app/features/trends/trend-panel.tsx'
import { count } from '#app/format/count.ts'
import { AgeNote } from '#app/ui/age-note.tsx'
import { Button } from '#app/ui/button.tsx'
import { BarList } from '#app/ui/chart/bar-list.tsx'
import { DocumentTitle } from '#app/ui/document-title.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorPanel } from '#app/ui/error-panel.tsx'
import { useTimeZone } from '#app/ui/preferences.ts'
import { SectionCard } from '#app/ui/section-card.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { Time } from '#app/ui/time.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import { lazyWhenIdle, nextPaint } from '#app/ui/when-idle.ts'
import type { Metrics } from '#contract/bff/metrics.ts'
import { metricsOptions, refreshMetrics } from './metrics-options.ts'

// At the foot of the page, or on paper: they come when that is idle.
const StoredSummary = lazyWhenIdle(
  async () => (await import('#app/features/source/stored-summary.tsx')).StoredSummary,
)
const TeamFigures = lazyWhenIdle(async () => (await import('./team-figures.tsx')).TeamFigures)
const PrintFoot = lazyWhenIdle(async () => (await import('#app/features/source/print-foot.tsx')).PrintFoot)

/** Shows the vendor's figures and the charts of stored threats, on the screen and on paper. */
export function MetricsView() {
  const period = usePeriod()
  const queryClient = useQueryClient()
  const { data: source } = useQuery(sourceOptions())
  const { data, error: readError, isFetching } = useQuery(metricsOptions())
  // Both charts are read from the store at about the same time.
  const { data: trend, isPending: isTrendPending } = useQuery(
    trendOptions({ period: period.name, by: 'category', rows: useRows() }, useTimeZone()),
  )
  const refresh = useMutation({
    mutationFn: () => refreshMetrics(),
    onSuccess: (newer) => queryClient.setQueryData(metricsOptions().queryKey, newer),
  })
  const error = refresh.error ?? readError
  const isHopeless = !data && error instanceof ApiError && error.isFinal
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 print:gap-2">
      <DocumentTitle title="Metrics" />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h1 className="font-semibold text-xl tracking-tight">Metrics</h1>
        <PeriodControl />
        <span className="max-lg:order-last max-lg:w-full">
          {trend && <AgeNote freshness={trend.freshness} />}
          {isTrendPending && <Skeleton className="h-4 w-72" />}
        </span>
        <div className="ml-auto flex flex-wrap items-center gap-2 print:hidden">
          {!isHopeless && (
            <>
              <CallCost calls="1" />
              <Button
                icon="refresh"
                isBusy={isFetching || refresh.isPending}
                onClick={() => refresh.mutate()}
              >
                Refresh
              </Button>
            </>
          )}
          <Button icon="printer" onClick={printMetrics}>
            Print
          </Button>
        </div>
      </div>
      {data && error && (
        <p role="alert" className="text-medium text-sm print:hidden">
          The vendor’s figures are not current: {error.message}
        </p>
      )}
      {!data && error && <MetricsFailure error={error} onRetry={() => refresh.mutate()} />}
      {!error && !data && <MetricFiguresSkeleton />}
      {data && (
        <SectionCard title="Vendor account" tools={<AgeNote freshness={data.freshness} />}>
          <MetricFigures metrics={data.metrics} />
        </SectionCard>
      )}
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-[minmax(0,1fr)_minmax(0,2fr)] print:grid-cols-[minmax(0,1fr)] print:gap-2">
        {/* On a narrow page the charts come before what is stored of them. */}
        <div className="grid content-start gap-4 max-lg:contents print:gap-2">
          {!error && !data && <CategoryCountsSkeleton />}
          {data && <CategoryCounts metrics={data.metrics} />}
          <div className="grid gap-4 empty:hidden max-lg:order-last print:hidden">
            {data && data.metrics.otherFields.length > 0 && (
              <OtherFigures fields={data.metrics.otherFields} />
            )}
            {source && (
              <SectionCard title="Threats stored here">
                <div className="px-4 py-2 text-sm">
                  <Suspense fallback={null}>
                    <StoredSummary />
                  </Suspense>
                </div>
              </SectionCard>
            )}
          </div>
        </div>
        <div className="grid content-start gap-4 print:gap-2">
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
        </div>
      </div>
      {/* On paper, a second page has it. */}
      <div className="print:break-before-page">
        <Suspense fallback={<div aria-busy="true" />}>
          <TeamFigures period={period.name} />
        </Suspense>
      </div>
      <Suspense fallback={null}>
        <PrintFoot />
      </Suspense>
    </div>
  )
}

/** Says why the vendor's own figures are missing. Charts of stored threats need none of them. */
function MetricsFailure({ error, onRetry }: { error: Error; onRetry(): void }) {
  const code = error instanceof ApiError ? error.problem.code : null
  if (code === 'not_offered') {
    return (
      <SectionCard title="Vendor account">
        <EmptyState title="This vendor offers no metrics">
          {error instanceof ApiError && error.detail} What Lantern counts itself is below.
        </EmptyState>
      </SectionCard>
    )
  }
  if (code !== 'plan_not_allowed') return <ErrorPanel error={error} onRetry={onRetry} />
  return (
    <SectionCard title="Vendor account">
      <EmptyState icon="lock" title="Your plan has no metrics">
        The vendor gives its figures in the earlier API, and the plan of Lantern’s key does not include it:
        that takes the Professional or the Enterprise plan. What Lantern counts itself is below.
      </EmptyState>
    </SectionCard>
  )
}

const FIELD_MAX_LENGTH = 200

/** Shows figures that the vendor reports and the reference does not document. */
function OtherFigures({ fields }: { fields: Metrics['otherFields'] }) {
  return (
    <SectionCard title="Other fields">
      <dl className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)] gap-x-4 gap-y-1 px-4 py-3 text-sm">
        {fields.map(({ path, value }) => (
          <div key={path} className="contents">
            <dt className="text-muted">
              <Untrusted text={path} maxLength={FIELD_MAX_LENGTH} clip="silent" />
            </dt>
            <dd className="text-right">
              <Untrusted text={value} maxLength={FIELD_MAX_LENGTH} />
            </dd>
          </div>
        ))}
      </dl>
    </SectionCard>
  )
}

const PRINT_WAIT_MAX_MS = 3_000

/** Prints the page with all of its charts, also those that nobody has scrolled to. */
async function printMetrics(): Promise<void> {
  // Printing draws parts that are not in view yet. Their script may still have to load.
  dispatchEvent(new Event('beforeprint'))
  const start = performance.now()
  do await nextPaint()
  while (document.querySelector('main [aria-busy="true"]') && performance.now() - start < PRINT_WAIT_MAX_MS)
  globalThis.print()
}

const MAX_COUNT = 20
const NAME_MAX_LENGTH = 80

/** Threats by category, as the vendor counts them. */
function CategoryCounts({ metrics: { categories, totalThreats } }: { metrics: Metrics }) {
  const ranked = categories.toSorted((a, b) => (b.count ?? -1) - (a.count ?? -1))
  const rest = ranked.slice(MAX_COUNT).reduce((sum, category) => sum + (category.count ?? 0), 0)
  return (
    <SectionCard
      title="All threats by category"
      note={<span className="text-faint text-xs">claims, reported by vendor</span>}
    >
      {ranked.length === 0 ? (
        <p className="px-4 py-3 text-muted text-sm">
          {totalThreats === 0 ? 'The vendor has no threats yet.' : 'The vendor does not count by category.'}
        </p>
      ) : (
        <BarList
          label="All threats by category"
          rows={ranked.slice(0, MAX_COUNT).map(({ name, count }) => ({
            key: name,
            label: <Untrusted text={name} maxLength={NAME_MAX_LENGTH} clip="silent" />,
            count,
          }))}
        />
      )}
      {rest > 0 && (
        <p className="px-4 pb-3 text-faint text-xs">
          {count(ranked.length - MAX_COUNT)} more categories with {count(rest)} claims.
        </p>
      )}
    </SectionCard>
  )
}

/** As tall as some categories are. */
function CategoryCountsSkeleton() {
  return (
    <SectionCard title="All threats by category">
      <div className="grid gap-4 px-4 py-4">
        {['w-full', 'w-4/5', 'w-3/5', 'w-1/2', 'w-2/5', 'w-1/3'].map((width) => (
          <Skeleton key={width} className={`h-4.5 ${width}`} />
        ))}
      </div>
    </SectionCard>
  )
}

const GRID =
  'grid grid-cols-2 gap-x-6 gap-y-4 px-4 py-3 sm:grid-cols-4 xl:grid-cols-7 print:grid-cols-7 print:gap-x-3'

/** All that the vendor counts for the key's account. */
function MetricFigures({ metrics }: { metrics: Metrics }) {
  const { lastThreatAt } = metrics
  return (
    <dl className={GRID}>
      <Figure name="Total threats" value={count(metrics.totalThreats)} note="claims" />
      <Figure name="Alerts triggered" value={count(metrics.alertsTriggered)} />
      <Figure name="Alert profiles" value={count(metrics.alertProfiles)} />
      <Figure name="Countries monitored" value={count(metrics.countriesMonitored)} />
      <Figure
        name="Last threat"
        value={
          <>
            <span className="print:hidden">
              <Time at={lastThreatAt} show="age" />
            </span>
            {/* Paper grows old. */}
            <span className="hidden print:inline">
              <Time at={lastThreatAt} show="day" />
            </span>
          </>
        }
        note={
          lastThreatAt !== null && (
            <>
              <span className="print:hidden">
                <Time at={lastThreatAt} />
              </span>
              <span className="hidden print:inline">
                <Time at={lastThreatAt} show="clock" />
              </span>
            </>
          )
        }
      />
      <Figure name="API calls today" value={count(metrics.requestsToday)} />
      <Figure name="API calls this month" value={count(metrics.requestsThisMonth)} />
    </dl>
  )
}

/** The figure of actors and countries would be one more file for their pages if this page had it, too. */
function Figure({ name, value, note }: { name: string; value: ReactNode; note?: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-muted text-xs">{name}</dt>
      <dd className="truncate font-semibold text-2xl tabular-nums tracking-tight print:text-base">{value}</dd>
      {note && <dd className="text-faint text-xs">{note}</dd>}
    </div>
  )
}

function MetricFiguresSkeleton() {
  return (
    <div role="status" className="rounded-lg border border-line bg-surface">
      <VisuallyHidden>Loading the metrics…</VisuallyHidden>
      <div className="min-h-10 border-line border-b" />
      <div className={GRID}>
        {['a', 'b', 'c', 'd', 'last threat', 'f', 'g'].map((key) => (
          <div key={key} className={key === 'last threat' ? 'h-16' : 'h-12'}>
            <Skeleton className="h-3 w-24" />
            <Skeleton className="mt-2 h-6 w-16" />
          </div>
        ))}
      </div>
    </div>
  )
}
