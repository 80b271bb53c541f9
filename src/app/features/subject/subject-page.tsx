import { Link } from '@tanstack/react-router'
import { type ReactNode, Suspense } from 'react'
import { PeriodControl } from '#app/features/periods/period-control.tsx'
import { usePeriod } from '#app/features/periods/use-period.ts'
import { useRows } from '#app/features/periods/use-rows.ts'
import { TrendPanel } from '#app/features/trends/trend-panel.tsx'
import { rowsParam } from '#app/format/counted-rows.ts'
import { buttonLook } from '#app/ui/button.tsx'
import { DocumentTitle } from '#app/ui/document-title.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { lazyWhenIdle } from '#app/ui/when-idle.ts'
import { periodParam } from '#contract/bff/period.ts'
import type { ThreatFilter } from '#contract/bff/threat-list.ts'
import { visibleLine } from '#contract/visible-text.ts'

// Below what a reader looks at first.
const LatestThreats = lazyWhenIdle(async () => (await import('./latest-threats.tsx')).LatestThreats)
const ThreatExportButton = lazyWhenIdle(
  async () => (await import('#app/features/export/threat-export-button.tsx')).ThreatExportButton,
)
const AlertMeButton = lazyWhenIdle(async () => (await import('./alert-me-button.tsx')).AlertMeButton)

/** An actor or a country. */
export type Subject = {
  name: string
  /** The feed's filter for its threats. */
  filter: ThreatFilter
  /** File name of the saved chart. */
  fileName: string
}

/** Heights of the figures, the chart and the list of the page. */
export const PARTS_HEIGHTS = ['h-24', 'h-80', 'h-64']

type SubjectFrameProps = {
  /** The list that it is in. */
  list: { to: '/actors' | '/countries'; title: string }
  children: ReactNode
}

/** Frame of an actor or country page, also of one that cannot be shown: the link back to the list. */
export function SubjectFrame({ list, children }: SubjectFrameProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <Link
        to={list.to}
        search={{ period: periodParam(usePeriod().name) }}
        className="inline-flex w-fit items-center gap-1.5 rounded-sm text-muted text-sm hover:text-ink"
      >
        <Icon name="arrow-left" className="size-3.5" />
        {list.title}
      </Link>
      {children}
    </div>
  )
}

type SubjectPageProps = SubjectFrameProps & {
  /** Title of the document: the name as it is shown. */
  title: string
  heading: ReactNode
  /** Null if nobody knows the name: nothing can be done with its threats. */
  subject: Subject | null
  /** False if the store has no threat of it, so that nothing can be exported. */
  hasThreats: boolean
}

const TITLE_MAX_LENGTH = 80

/** Page of an actor or a country: heading, period and actions above its parts. */
export function SubjectPage(props: SubjectPageProps) {
  const { list, title, heading, subject, hasThreats, children } = props
  return (
    <SubjectFrame list={list}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <DocumentTitle title={visibleLine(title).slice(0, TITLE_MAX_LENGTH).trim() || list.title} />
        <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
          {heading}
          <PeriodControl />
          {subject && <SubjectActions subject={subject} hasThreats={hasThreats} />}
        </div>
        {children}
      </div>
    </SubjectFrame>
  )
}

type SubjectActionsProps = { subject: Subject; hasThreats: boolean }

function SubjectActions({ subject: { name, filter }, hasThreats }: SubjectActionsProps) {
  return (
    <div className="ml-auto flex flex-wrap gap-2 max-sm:ml-0">
      <Link
        to="/threats"
        search={{ ...filter, rows: rowsParam(useRows()) }}
        className={`${buttonLook()} max-sm:h-11`}
      >
        View threats
      </Link>
      {hasThreats && (
        <Suspense fallback={<i className="h-8 w-24 max-sm:size-11" />}>
          <ThreatExportButton query={{ ...filter, timeZone: 'UTC' }} variant="secondary" />
        </Suspense>
      )}
      <Suspense fallback={<i className="h-8 w-24 max-sm:h-11" />}>
        <AlertMeButton name={name} filter={filter} />
      </Suspense>
    </div>
  )
}

/** Chart of its threats by category. */
export function SubjectTrend({ subject }: { subject: Subject }) {
  const { name, filter, fileName } = subject
  return (
    <TrendPanel
      title="Threats by category"
      subject={name}
      scope={filter}
      period={usePeriod().name}
      by="category"
      fileName={fileName}
    />
  )
}

/** Its newest threats. */
export function SubjectLatest({ subject: { filter } }: { subject: Subject }) {
  return (
    <Suspense fallback={<Skeleton className="h-80" />}>
      <LatestThreats filter={filter} />
    </Suspense>
  )
}
