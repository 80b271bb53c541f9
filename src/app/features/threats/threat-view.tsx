import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ApiError } from '#app/api/api-error.ts'
import { AgeNote } from '#app/ui/age-note.tsx'
import { CopyButton } from '#app/ui/copy-button.tsx'
import { DocumentTitle } from '#app/ui/document-title.tsx'
import { ErrorPanel } from '#app/ui/error-panel.tsx'
import { FieldList } from '#app/ui/field-list.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { StaleBanner } from '#app/ui/stale-banner.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import type { ProblemCode } from '#contract/bff/problem.ts'
import type { ThreatDetail } from '#contract/bff/threat.ts'
import type { ThreatAnswer } from '#contract/bff/threat-list.ts'
import type { RouteSet } from '#contract/route-set.ts'
import { Absent } from './absent.tsx'
import { findKnownThreats } from './find-known-threats.ts'
import { indentJson } from './indent-json.ts'
import { RelatedThreats } from './related-threats.tsx'
import { SET_NAMES } from './set-names.ts'
import { ThreatAnalysis } from './threat-analysis.tsx'
import { ThreatEvidence } from './threat-evidence.tsx'
import { ThreatFacts } from './threat-facts.tsx'
import { ThreatHeading } from './threat-heading.tsx'
import { threatOptions } from './threat-options.ts'
import { ThreatSection } from './threat-section.tsx'

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
      {threat.otherFields.length > 0 && (
        <ThreatSection title="Other fields">
          <FieldList fields={threat.otherFields} className="px-4" />
        </ThreatSection>
      )}
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

const JSON_MAX_LENGTH = 6000

/** Each record as the vendor sent it, folded away. */
function RawRecords({ records }: { records: ThreatDetail['records'] }) {
  return (
    <ThreatSection title="Raw record">
      <div className="divide-y divide-line">
        {records.map(({ set, json }) => (
          <details key={set} className="group">
            <summary className="flex items-center gap-2 px-4 py-2.5 text-sm marker:content-none hover:bg-hover focus-visible:-outline-offset-2">
              <Icon name="chevron-right" className="size-3.5 text-faint group-open:rotate-90" />
              JSON of {SET_NAMES[set]}
            </summary>
            <div className="grid justify-items-start gap-2 px-4 pb-4">
              <pre className="w-full whitespace-pre-wrap rounded-md border border-line bg-canvas p-3 font-mono text-xs">
                <Untrusted text={indentJson(json)} multiline maxLength={JSON_MAX_LENGTH} isRaw />
              </pre>
              <p className="flex flex-wrap items-center gap-2 text-faint text-xs">
                <CopyButton text={json} label="Copy raw JSON" />
                Addresses in it are live.
              </p>
            </div>
          </details>
        ))}
      </div>
    </ThreatSection>
  )
}

/** The post itself; where there is none, its excerpt. */
function ThreatContent({ threat: { content, excerpt, redacted } }: { threat: ThreatDetail }) {
  return (
    <ThreatSection title="Content" note={<span className="text-faint text-xs">as the source sent it</span>}>
      <div className="grid gap-3 px-4 py-3 text-base">
        {content === null ? (
          <p className="text-sm">
            <Absent isWithheld={redacted.includes('content')} />
          </p>
        ) : (
          <p className="max-w-[80ch]">
            <Untrusted text={content} multiline isProse />
          </p>
        )}
        {excerpt !== null && content === null && (
          <p className="max-w-[80ch]">
            <span className="mb-1 block font-medium text-faint text-xs">Excerpt</span>
            <Untrusted text={excerpt} multiline isProse />
          </p>
        )}
      </div>
    </ThreatSection>
  )
}

type ThreatFailureProps = { error: Error; onRetry(): void }

const HEADINGS: ReadonlyMap<ProblemCode, string> = new Map([
  ['bad_request', 'There is no such threat'],
  ['not_found', 'Threat not found'],
  ['plan_not_allowed', 'This threat lies outside your plan'],
  ['upstream_unreadable', 'This threat could not be read'],
])
const FINAL_CODES: ReadonlySet<ProblemCode> = new Set(['bad_request', 'not_found', 'plan_not_allowed'])

/** The page of a threat that cannot be shown. */
function ThreatFailure({ error, onRetry }: ThreatFailureProps) {
  const code = error instanceof ApiError ? error.problem.code : 'internal'
  const heading = HEADINGS.get(code) ?? 'This threat did not load'
  return (
    <div className="grid gap-4 py-8">
      <DocumentTitle title={heading} />
      <h1 className="font-semibold text-2xl tracking-tight">{heading}</h1>
      <ErrorPanel error={error} onRetry={FINAL_CODES.has(code) ? undefined : onRetry} />
    </div>
  )
}
