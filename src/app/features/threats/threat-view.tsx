import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { AgeNote } from '#app/ui/age-note.tsx'
import { DocumentTitle } from '#app/ui/document-title.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { StaleBanner } from '#app/ui/stale-banner.tsx'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import type { ThreatAnswer } from '#contract/bff/threat-list.ts'
import type { RouteSet } from '#contract/route-set.ts'
import { findKnownThreats } from './find-known-threats.ts'
import { OtherFields } from './other-fields.tsx'
import { RawRecords } from './raw-records.tsx'
import { RelatedThreats } from './related-threats.tsx'
import { ThreatAnalysis } from './threat-analysis.tsx'
import { ThreatContent } from './threat-content.tsx'
import { ThreatEvidence } from './threat-evidence.tsx'
import { ThreatFacts } from './threat-facts.tsx'
import { ThreatFailure } from './threat-failure.tsx'
import { ThreatHeading } from './threat-heading.tsx'
import { threatOptions } from './threat-options.ts'

type ThreatViewProps = {
  id: string
  set: RouteSet | undefined
  /** What has been done with it, below its title. */
  status: ReactNode
  /** Beside its facts. */
  aside: ReactNode
  /** What other parts of Lantern know of it. */
  children?: ReactNode
}

/** All that is known of one threat. */
export function ThreatView({ id, set, status, aside, children }: ThreatViewProps) {
  const queryClient = useQueryClient()
  const { data, error, refetch } = useQuery(threatOptions(id, set))
  if (error && !data) return <ThreatFailure error={error} onRetry={() => refetch()} />

  const threat = data?.threat ?? findKnownThreats(queryClient, [id]).get(id)
  return (
    <div className="grid gap-5">
      <div className="grid gap-2">
        {threat ? <ThreatHeading threat={threat} /> : <HeadingSkeleton />}
        {status}
      </div>
      {data ? <ThreatParts answer={data} set={set} aside={aside} others={children} /> : <PartsSkeleton />}
    </div>
  )
}

type ThreatPartsProps = { answer: ThreatAnswer; set?: RouteSet; aside: ReactNode; others: ReactNode }

function ThreatParts({ answer: { threat, freshness }, set, aside, others }: ThreatPartsProps) {
  return (
    <>
      <p>
        <AgeNote freshness={freshness} />
      </p>
      <StaleBanner freshness={freshness} className="rounded-lg border" />
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="grid min-w-0 gap-4">
          <ThreatAnalysis threat={threat} />
          <ThreatContent threat={threat} />
          <ThreatEvidence threat={threat} />
        </div>
        <div className="grid min-w-0 gap-4 max-lg:row-start-1">
          <ThreatFacts threat={threat} />
          {aside}
        </div>
      </div>
      {others}
      <RelatedThreats id={threat.id} set={set} />
      <OtherFields fields={threat.otherFields} />
      <RawRecords records={threat.records} />
    </>
  )
}

function HeadingSkeleton() {
  return (
    <div className="grid gap-3">
      <DocumentTitle title="Threat" />
      <h1 className="sr-only">Threat</h1>
      <Skeleton className="h-7 w-2/3" />
      <Skeleton className="h-4 w-72" />
    </div>
  )
}

function PartsSkeleton() {
  return (
    <div role="status" className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <VisuallyHidden>Loading the threat…</VisuallyHidden>
      <Skeleton className="h-96 w-full rounded-lg" />
      <Skeleton className="h-96 w-full rounded-lg" />
    </div>
  )
}
