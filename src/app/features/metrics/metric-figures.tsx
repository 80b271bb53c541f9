import type { ReactNode } from 'react'
import { count } from '#app/format/count.ts'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { Time } from '#app/ui/time.tsx'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import type { Metrics } from '#contract/bff/metrics.ts'

const GRID =
  'grid grid-cols-2 gap-x-6 gap-y-4 px-4 py-3 sm:grid-cols-4 xl:grid-cols-7 print:grid-cols-7 print:gap-x-3'

/** All that the source counts for the key's account. */
export function MetricFigures({ metrics }: { metrics: Metrics }) {
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
        note={lastThreatAt !== null && <Time at={lastThreatAt} />}
      />
      <Figure name="API calls today" value={count(metrics.requestsToday)} />
      <Figure name="API calls this month" value={count(metrics.requestsThisMonth)} />
    </dl>
  )
}

function Figure({ name, value, note }: { name: string; value: ReactNode; note?: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-muted text-xs">{name}</dt>
      <dd className="truncate font-semibold text-2xl tabular-nums tracking-tight print:text-base">{value}</dd>
      {note && <dd className="text-faint text-xs">{note}</dd>}
    </div>
  )
}

export function MetricFiguresSkeleton() {
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
