import { Link } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense } from 'react'
import { PeriodControl } from '#app/features/periods/period-control.tsx'
import type { ChosenPeriod } from '#app/features/periods/period-options.ts'
import { TrendPanel } from '#app/features/trends/trend-panel.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { lazyWhenIdle, whenIdle } from '#app/ui/when-idle.ts'
import { periodParam } from '#contract/bff/period.ts'
import type { ThreatFilter } from '#contract/bff/threat-list.ts'

// Below what a reader looks at first.
const LatestThreats = lazy(async () => {
  await whenIdle()
  const { LatestThreats } = await import('#app/features/latest/latest-threats.tsx')
  return { default: LatestThreats }
})

const ThreatExportButton = lazyWhenIdle(
  async () => (await import('#app/features/export/threat-export-button.tsx')).ThreatExportButton,
)
const AlertMeButton = lazyWhenIdle(
  async () => (await import('#app/features/alerts/alert-me-button.tsx')).AlertMeButton,
)

/** An actor or a country, by the name that is known of it. */
type Subject = {
  title: string
  filter: Pick<ThreatFilter, 'actor' | 'country'>
  /** File name of the saved chart. */
  fileName: string
}

type SubjectPageProps = {
  /** The list that it stands in. */
  list: { to: '/actors' | '/countries'; title: string }
  period: ChosenPeriod
  onChoose(period: string | undefined): void
  describe(known: string): Subject
  children(parts: SubjectParts): ReactNode
}

type SubjectParts = {
  period: string
  periodPicker: ReactNode
  renderTrend(known: string): ReactNode
  renderLatest(known: string): ReactNode
  renderTools(known: string): ReactNode
  renderAlertMe(known: string): ReactNode
}

/** Frame of an actor or country page: back link, period, chart, threats and alert profile. */
export function SubjectPage({ list, period, onChoose, describe, children }: SubjectPageProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <Link
        to={list.to}
        search={{ period: periodParam(period.name) }}
        className="inline-flex w-fit items-center gap-1.5 rounded-sm text-muted text-sm hover:text-ink"
      >
        <Icon name="arrow-left" className="size-3.5" />
        {list.title}
      </Link>
      {children({
        period: period.name,
        periodPicker: <PeriodControl period={period} onChoose={onChoose} />,
        renderTrend(known) {
          const { title, filter, fileName } = describe(known)
          return (
            <TrendPanel
              title="Threats by category"
              subject={title}
              scope={filter}
              period={period.name}
              by="category"
              fileName={fileName}
            />
          )
        },
        renderLatest: (known) => (
          <Suspense fallback={<Skeleton className="h-80" />}>
            <LatestThreats filter={describe(known).filter} />
          </Suspense>
        ),
        renderTools: (known) => (
          <Suspense fallback={<i className="h-8 w-24 max-sm:size-11" />}>
            <ThreatExportButton query={{ ...describe(known).filter, timeZone: 'UTC' }} variant="secondary" />
          </Suspense>
        ),
        renderAlertMe(known) {
          const { title, filter } = describe(known)
          return (
            <Suspense fallback={<i className="h-8 w-24 max-sm:h-11" />}>
              <AlertMeButton name={title} filter={filter} />
            </Suspense>
          )
        },
      })}
    </div>
  )
}
