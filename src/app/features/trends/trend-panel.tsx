import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense } from 'react'
import { countOf } from '#app/format/count.ts'
import { AgeNote } from '#app/ui/age-note.tsx'
import { Change } from '#app/ui/chart/change.tsx'
import { type Counted, knownTime } from '#app/ui/chart/chart-days.ts'
import { CHART_HEIGHT } from '#app/ui/chart/chart-height.ts'
import { longDay, shortDay } from '#app/ui/chart/day-name.ts'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorPanel } from '#app/ui/error-panel.tsx'
import { useTimeZone } from '#app/ui/preferences.ts'
import { SectionCard } from '#app/ui/section-card.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { useFollow } from '#app/ui/use-follow.ts'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import { WhenSeen } from '#app/ui/when-seen.tsx'
import type { ThreatFilter } from '#contract/bff/threat-list.ts'
import type { Trend, TrendGroup } from '#contract/bff/trend.ts'
import { compareWholeDays } from './compare-whole-days.ts'
import { trendChartData } from './trend-chart-data.ts'
import { type TrendScope, trendOptions } from './trend-options.ts'

// Brings the charting library: only where a chart is seen.
const DayChart = lazy(async () => ({ default: (await import('#app/ui/chart/day-chart.tsx')).DayChart }))

type TrendPanelProps = {
  title: string
  /** Which threats are counted. */
  scope?: Omit<TrendScope, 'by'>
  /** Splits each day by the values of this name. */
  by?: TrendGroup
  /** Of what is saved, without its ending. */
  fileName?: string
  /** Whether the heading compares with the 30 days before; not where the page's figures do, in their way. */
  isCompared?: boolean
}

/** The last 30 days and the 30 before, from the window, free. */
export function TrendPanel(props: TrendPanelProps) {
  const { title, scope = {}, by, fileName = 'threats-by-day', isCompared = false } = props
  const timeZone = useTimeZone()
  const { data, error, refetch } = useQuery(trendOptions({ ...scope, by }, timeZone))
  const isEmpty = data?.trend.days.every(({ coverage }) => coverage === 'unknown')

  return (
    <SectionCard
      title={title}
      note={
        data && !isEmpty && <TrendTotal trend={data.trend} isCompared={isCompared} renderLink={renderLink} />
      }
      tools={data && !isEmpty && <AgeNote freshness={data.freshness} />}
    >
      {!data && error && (
        <div className="p-4">
          <ErrorPanel error={error} onRetry={() => refetch()} />
        </div>
      )}
      {!data && !error && <TrendSkeleton />}
      {data && isEmpty && (
        <EmptyState icon="clock" title="Nothing to count yet">
          Lantern has read no threats of the last 30 days yet. The chart appears as soon as it has.
        </EmptyState>
      )}
      {data && !isEmpty && (
        <WhenSeen fallback={<TrendSkeleton />}>
          <Suspense fallback={<TrendSkeleton />}>
            <DayChart
              data={trendChartData(data.trend, by)}
              caption={captionOf(title, data.trend, timeZone)}
              fileName={fileName}
              renderLink={renderLink}
            />
          </Suspense>
        </WhenSeen>
      )}
    </SectionCard>
  )

  function renderLink({ from, to, value }: Counted, figure: ReactNode): ReactNode {
    const part = by && value !== undefined && { [by]: [value] }
    return <TrendLink filter={{ ...scope, ...part, since: from, until: to }}>{figure}</TrendLink>
  }
}

type TrendTotalProps = {
  trend: Trend
  isCompared: boolean
  renderLink(counted: Counted, figure: ReactNode): ReactNode
}

function TrendTotal({ trend, isCompared, renderLink }: TrendTotalProps) {
  const compared = isCompared ? compareWholeDays(trend) : null
  const time = knownTime(trend)
  const first = trend.days.find(({ coverage }) => coverage !== 'unknown')
  if (!time || !first) return null
  return (
    <span className="flex items-baseline gap-2 text-muted text-xs tabular-nums">
      {renderLink(time, `${countOf(trend.total, 'threat')} since ${shortDay(first.date)}`)}
      {compared && <Change {...compared} />}
    </span>
  )
}

function TrendSkeleton() {
  return (
    <div role="status" aria-busy="true" className="grid gap-2 px-4 py-3">
      <VisuallyHidden>Counting…</VisuallyHidden>
      <Skeleton className="my-1 h-3 w-2/5" />
      <Skeleton className={`${CHART_HEIGHT} w-full`} />
    </div>
  )
}

/** `Threats by category, by day, 23 Oct to Sat 21 Nov 2026 (UTC)` */
function captionOf(title: string, { days }: Trend, timeZone: string): string {
  const [first, last] = [days.at(0), days.at(-1)]
  const span = first && last ? `, ${shortDay(first.date)} to ${longDay(last.date)}` : ''
  return `${title}, by day${span} (${timeZone})`
}

type TrendLinkProps = { filter: ThreatFilter; children: ReactNode }

/** From a figure of a chart to the threats that it counts. Plain: a table has hundreds, and the router's own takes long. */
function TrendLink({ filter, children }: TrendLinkProps) {
  const { options } = useRouter()
  const follow = useFollow()
  return (
    <a
      href={`/threats${options.stringifySearch(filter)}`}
      onClick={follow}
      className="rounded-sm hover:underline"
    >
      {children}
    </a>
  )
}
