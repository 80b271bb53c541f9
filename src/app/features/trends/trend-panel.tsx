import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useMemo } from 'react'
import { soFar, storedPhrase } from '#app/features/periods/period-options.ts'
import { useRows } from '#app/features/periods/use-rows.ts'
import { sourceOptions } from '#app/features/source/source-options.ts'
import { countOf } from '#app/format/count.ts'
import { rowNoun, rowsOf, shownComparison, shownOf } from '#app/format/counted-rows.ts'
import { exactTime } from '#app/format/time.ts'
import { AgeNote } from '#app/ui/age-note.tsx'
import { Change } from '#app/ui/chart/change.tsx'
import { type Counted, knownTime } from '#app/ui/chart/chart-days.ts'
import { DayChart, PlotSkeleton } from '#app/ui/chart/day-chart.tsx'
import { firstDay, longDay } from '#app/ui/chart/day-name.ts'
import { ErrorPanel } from '#app/ui/error-panel.tsx'
import { inertLine } from '#app/ui/export/inert-line.ts'
import { NotRefreshed } from '#app/ui/not-refreshed.tsx'
import { useTimeZone } from '#app/ui/preferences.ts'
import { SectionCard } from '#app/ui/section-card.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { useFollow } from '#app/ui/use-follow.ts'
import type { Source } from '#contract/bff/source.ts'
import type { ThreatFilter } from '#contract/bff/threat-list.ts'
import type { Trend, TrendAnswer } from '#contract/bff/trend.ts'
import type { TrendGroup } from '#contract/bff/trend-query.ts'
import { trendChartData } from './trend-chart-data.ts'
import { type TrendScope, trendOptions } from './trend-options.ts'

// Seldom: most have something to draw.
const TrendEmpty = lazy(async () => ({ default: (await import('./trend-empty.tsx')).TrendEmpty }))

type TrendPanelProps = {
  title: string
  /** Whose threats they are, where the page says it and a picture would not: third-party text. */
  subject?: string
  /** Which threats are counted. */
  scope?: Omit<TrendScope, 'by' | 'period' | 'rows'>
  /** The name of the period. */
  period: string
  /** Splits each day by the values of this name. */
  by?: TrendGroup
  /** Name of the saved file, without its extension. */
  fileName?: string
}

/** A period and the one before, from the store, free. */
export function TrendPanel(props: TrendPanelProps) {
  const { title, subject, scope = {}, period, by, fileName = 'threats-by-day' } = props
  const timeZone = useTimeZone()
  const query = useQuery(trendOptions({ ...scope, period, by, rows: useRows() }, timeZone))
  const { data, error, refetch, isPlaceholderData } = query
  const sourceName = nameSource(useQuery(sourceOptions()).data)
  const trend = data?.trend
  // Memoized: the chart is drawn again when its data are another object.
  const chartData = useMemo(() => trend && trendChartData(trend, by), [trend, by])
  const isEmpty = data?.trend.days.every(({ coverage }) => coverage === 'unknown')

  return (
    <SectionCard
      title={title}
      note={data && !isEmpty && <TrendTotal trend={data.trend} renderLink={renderLink} />}
      tools={!isEmpty && <OldTrendNote query={query} />}
    >
      {!data && error && (
        <div className="p-4">
          <ErrorPanel error={error} onRetry={() => refetch()} />
        </div>
      )}
      {!data && !error && <TrendSkeleton />}
      {data && isEmpty && (
        <Suspense fallback={null}>
          <TrendEmpty answer={data} />
        </Suspense>
      )}
      {data && chartData && !isEmpty && (
        <div className={isPlaceholderData ? 'opacity-60 transition-opacity' : undefined}>
          <DayChart
            data={chartData}
            about={{
              title: subject === undefined ? title : `${title}: ${inertLine(subject)}`,
              time: `${rowNoun(data.trend)}s ${timeOf(data.trend, timeZone)}`,
              source: `Source: ${sourceName}, read ${exactTime(data.freshness.fetchedAt, timeZone)}`,
            }}
            fileName={fileName}
            renderLink={renderLink}
          />
        </div>
      )}
    </SectionCard>
  )

  function renderLink({ from, to, value, rows }: Counted, figure: ReactNode): ReactNode {
    const part = by && value !== undefined && { [by]: [value] }
    return <TrendLink search={{ ...scope, ...part, since: from, until: to, rows }}>{figure}</TrendLink>
  }
}

/** Says how old a chart is that is not current. The page says beside its heading how old the rest is. */
function OldTrendNote({ query }: { query: UseQueryResult<TrendAnswer> }) {
  if (query.error) return <NotRefreshed query={query} />
  const freshness = query.data?.freshness
  return freshness?.isStale && <AgeNote freshness={{ ...freshness, checked: undefined }} />
}

type TrendTotalProps = {
  trend: Trend
  renderLink(counted: Counted, figure: ReactNode): ReactNode
}

function TrendTotal({ trend, renderLink }: TrendTotalProps) {
  const time = knownTime(trend.days)
  const first = trend.days.find(({ coverage }) => coverage !== 'unknown')
  if (!time || !first) return null
  const figure = { count: trend.total, cases: trend.cases }
  return (
    <span className="flex flex-wrap items-baseline gap-x-2 text-muted text-xs tabular-nums">
      {renderLink({ ...time, ...rowsOf(trend) }, `${shownOf(figure)} ${timeWords(trend, first.date)}`)}
      {trend.compared !== null && <Change compared={shownComparison(trend.compared)} />}
      {trend.cases !== undefined && <span className="text-faint">{countOf(trend.total, 'claim')}</span>}
    </span>
  )
}

/** `since 23 Oct, today so far`, `in October 2026` */
function timeWords(trend: Trend, first: string): string {
  const { period } = trend
  return period.isRunning
    ? `since ${firstDay(first, period.to)}${soFar(period)}`
    : `in ${storedPhrase(trend)}`
}

function TrendSkeleton() {
  return (
    <div className="grid gap-2 px-4 py-3">
      <Skeleton className="my-1.5 h-3 w-2/5" />
      <PlotSkeleton />
    </div>
  )
}

/** `by day, 23 Oct to Sat 21 Nov 2026 (UTC)` */
function timeOf({ period: { unit, from, to } }: Trend, timeZone: string): string {
  return `by ${unit}, ${firstDay(from, to)} to ${longDay(to)} (${timeZone})`
}

const SOURCES = { embedded: 'Lantern’s own service', vendor: 'the vendor’s API' } as const

function nameSource(source: Source | undefined): string {
  if (!source) return 'the threats stored here'
  return source.isDemo ? `generated demo data of ${SOURCES[source.kind]}` : SOURCES[source.kind]
}

type TrendLinkProps = { search: ThreatFilter & { rows?: 'claims' | undefined }; children: ReactNode }

/** From a figure of a chart to the threats that it counts. Plain: a table has hundreds, and the router's own takes long. */
function TrendLink({ search, children }: TrendLinkProps) {
  const { options } = useRouter()
  const follow = useFollow()
  return (
    <a
      href={`/threats${options.stringifySearch(search)}`}
      onClick={follow}
      className="touch rounded-sm hover:underline"
    >
      {children}
    </a>
  )
}
