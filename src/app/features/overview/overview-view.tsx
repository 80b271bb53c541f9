import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Suspense, useDeferredValue } from 'react'
import { PeriodControl } from '#app/features/periods/period-control.tsx'
import { usePeriod } from '#app/features/periods/use-period.ts'
import { useRows } from '#app/features/periods/use-rows.ts'
import { sourceOptions } from '#app/features/source/source-options.ts'
import { TrendPanel } from '#app/features/trends/trend-panel.tsx'
import { triageStatesOptions } from '#app/features/triage/triage-options.ts'
import { AgeNote } from '#app/ui/age-note.tsx'
import { DocumentTitle } from '#app/ui/document-title.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorPanel } from '#app/ui/error-panel.tsx'
import { useTimeZone } from '#app/ui/preferences.ts'
import { SectionCard } from '#app/ui/section-card.tsx'
import { SeverityMark } from '#app/ui/severity-mark.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { ThreatAge } from '#app/ui/threat-date.tsx'
import { ThreatTitle } from '#app/ui/threat-title.tsx'
import { Time } from '#app/ui/time.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import { lazyWhenIdle } from '#app/ui/when-idle.ts'
import type { Concerns, Overview } from '#contract/bff/overview.ts'
import { periodParam } from '#contract/bff/period.ts'
import type { Threat } from '#contract/bff/threat.ts'
import type { TriageState } from '#contract/bff/triage-state.ts'
import { CountedLink } from './counted-link.tsx'
import { overviewOptions } from './overview-options.ts'
import { PeriodFigures } from './period-figures.tsx'

// At the foot of the page: they come when that is idle.
const SourceState = lazyWhenIdle(async () => (await import('./source-state.tsx')).SourceState)
const PrintFoot = lazyWhenIdle(async () => (await import('#app/features/source/print-foot.tsx')).PrintFoot)

// Below what a reader looks at first.
const TopValues = lazyWhenIdle(async () => (await import('./top-values.tsx')).TopValues)

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
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 print:gap-2">
      <DocumentTitle title="Overview" />
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h1 className="font-semibold text-xl tracking-tight">Overview</h1>
        <PeriodControl />
        {data
          ? !hasNothing && <AgeNote freshness={data.freshness} />
          : !error && <Skeleton className="h-4 w-72" />}
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
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-3 print:flex print:flex-col print:gap-2">
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
            <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-4 sm:grid-cols-2 lg:col-span-2 print:gap-2">
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
      className="grid gap-px overflow-clip rounded-lg border border-line bg-surface sm:grid-cols-4"
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

const TITLE_MAX_LENGTH = 200
const NAME_MAX_LENGTH = 60

const ThreatMarks = lazyWhenIdle(
  async () => (await import('#app/features/triage/threat-marks.tsx')).ThreatMarks,
)

/** The newest of the worst, but for what the team has closed. */
function CriticalThreats({ overview }: { overview: Overview }) {
  const { newestCritical } = overview
  const hasNothing = isUnread(overview)
  const { data } = useQuery(triageStatesOptions(newestCritical.map(({ id }) => id)))
  const states = new Map(data?.states.map((state) => [state.id, state]))
  return (
    <SectionCard
      title="Newest critical threats"
      tools={
        newestCritical.length > 0 && (
          <CountedLink
            filter={{ severity: ['critical'], triage: 'open' }}
            className="touch rounded-sm text-accent text-xs hover:underline"
          >
            All critical threats
          </CountedLink>
        )
      }
    >
      {newestCritical.length === 0 && hasNothing && (
        <EmptyState icon="clock" title="Nothing read yet">
          The worst threats appear here as Lantern reads them.
        </EmptyState>
      )}
      {newestCritical.length === 0 && !hasNothing && (
        <EmptyState icon="check" title="No critical threats">
          {whyNoneIsCritical(overview)}
        </EmptyState>
      )}
      {/* On a phone the first few: what stands below is worth a look, too. */}
      <ul className="divide-y divide-line max-sm:[&>li:nth-child(n+6)]:hidden">
        {newestCritical.map((threat) => (
          <CriticalThreat key={threat.id} threat={threat} state={states.get(threat.id)} />
        ))}
      </ul>
    </SectionCard>
  )
}

function whyNoneIsCritical({ top, period }: Overview): string {
  if (top.severity.length > 0) return 'No stored threat is rated critical, apart from those that were closed.'
  if (period.count === 0) return 'Critical threats appear here as Lantern reads them.'
  return 'The stored threats have no severity: only the earlier API gives one.'
}

type CriticalThreatProps = { threat: Threat; state: TriageState | undefined }

function CriticalThreat({ threat, state }: CriticalThreatProps) {
  const { id, category, actors, organizations, severity, publishedAt } = threat
  const names = [organizations.at(0), actors.at(0), category].filter((name) => typeof name === 'string')
  return (
    <li className="relative grid grid-cols-[minmax(0,1fr)] gap-0.5 px-4 py-2 hover:bg-hover print:gap-0 print:py-1">
      <span className="flex items-center gap-1.5">
        <Suspense fallback={null}>
          <ThreatMarks state={state} />
        </Suspense>
        <Link
          to="/threats/$id"
          params={{ id }}
          className="min-w-0 truncate font-medium text-sm outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:outline-accent focus-visible:after:-outline-offset-2"
        >
          <ThreatTitle threat={threat} maxLength={TITLE_MAX_LENGTH} />
        </Link>
      </span>
      <span className="flex items-center gap-x-3 text-muted text-xs">
        <SeverityMark severity={severity} />
        <span className="min-w-0 flex-1 truncate">
          {names.map((name, at) => (
            <span key={name}>
              {at > 0 && ' · '}
              <Untrusted
                text={name}
                clip="silent"
                maxLength={NAME_MAX_LENGTH}
                isProse={name === organizations[0]}
              />
            </span>
          ))}
        </span>
        <span className={publishedAt === null ? '' : 'print:hidden'}>
          <ThreatAge threat={threat} />
        </span>
        {publishedAt !== null && (
          <span className="hidden print:inline">
            <Time at={publishedAt} />
          </span>
        )}
      </span>
    </li>
  )
}

/** Returns true if no recent threat is stored yet, whatever the period. */
function isUnread({ day, week, period }: Overview): boolean {
  return [day, week, period].every(({ count }) => count === null)
}
