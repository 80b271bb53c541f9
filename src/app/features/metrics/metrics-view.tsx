import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { AgeNote } from '#app/ui/age-note.tsx'
import { Button } from '#app/ui/button.tsx'
import { DocumentTitle } from '#app/ui/document-title.tsx'
import { SectionCard } from '#app/ui/section-card.tsx'
import { CategoryCounts, CategoryCountsSkeleton } from './category-counts.tsx'
import { MetricFigures, MetricFiguresSkeleton } from './metric-figures.tsx'
import { MetricsFailure } from './metrics-failure.tsx'
import { metricsOptions, refreshMetrics } from './metrics-options.ts'
import { OtherFigures } from './other-figures.tsx'
import { printMetrics } from './print-metrics.ts'

type MetricsViewProps = {
  /** What a press on Refresh costs. */
  cost: ReactNode
  /** What the charts are of. */
  window: ReactNode
  /** Charts of the window, beside what the source counts. */
  trends: ReactNode
  /** The last line of the printed page. */
  printFoot: ReactNode
}

/** What the source counts, and the window's charts: on the screen, and on one printed page. */
export function MetricsView({ cost, window: held, trends, printFoot }: MetricsViewProps) {
  const queryClient = useQueryClient()
  const { data, error: readError, isFetching } = useQuery(metricsOptions())
  const refresh = useMutation({
    mutationFn: () => refreshMetrics(),
    onSuccess: (newer) => queryClient.setQueryData(metricsOptions().queryKey, newer),
  })
  const error = refresh.error ?? readError
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 print:gap-2">
      <DocumentTitle title="Metrics" />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h1 className="font-semibold text-xl tracking-tight">Metrics</h1>
        <div className="ml-auto flex flex-wrap items-center gap-2 print:hidden">
          {cost}
          <Button icon="refresh" isBusy={isFetching || refresh.isPending} onClick={() => refresh.mutate()}>
            Refresh
          </Button>
          <Button icon="printer" onClick={printMetrics}>
            Print
          </Button>
        </div>
      </div>
      {data && error && (
        <p role="alert" className="text-medium text-sm print:hidden">
          The source’s figures are not current: {error.message}
        </p>
      )}
      {!data && error && <MetricsFailure error={error} onRetry={() => refresh.mutate()} />}
      {!error && !data && <MetricFiguresSkeleton />}
      {data && (
        <SectionCard title="The source" tools={<AgeNote freshness={data.freshness} />}>
          <MetricFigures metrics={data.metrics} />
        </SectionCard>
      )}
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-[minmax(0,1fr)_minmax(0,2fr)] print:grid-cols-[minmax(0,1fr)] print:gap-2">
        {/* On a narrow page the charts come before what is held of them. */}
        <div className="grid content-start gap-4 max-lg:contents print:gap-2">
          {!error && !data && <CategoryCountsSkeleton />}
          {data && <CategoryCounts metrics={data.metrics} freshness={data.freshness} />}
          <div className="grid gap-4 empty:hidden max-lg:order-last print:hidden">
            {data && data.metrics.otherFields.length > 0 && (
              <OtherFigures fields={data.metrics.otherFields} />
            )}
            {held && (
              <SectionCard title="Lantern’s window">
                <div className="px-4 py-2 text-sm">{held}</div>
              </SectionCard>
            )}
          </div>
        </div>
        <div className="grid content-start gap-4 print:gap-2">{trends}</div>
      </div>
      <footer className="hidden border-line border-t pt-1 text-2xs text-muted print:block">
        {printFoot}
      </footer>
    </div>
  )
}
