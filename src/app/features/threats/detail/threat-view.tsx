import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, Suspense, useEffect, useRef } from 'react'
import { ApiError } from '#app/api/api-error.ts'
import { ConcernBadge } from '#app/features/concerns/concern-badge.tsx'
import { Absent } from '#app/ui/absent.tsx'
import { AgeNote } from '#app/ui/age-note.tsx'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { CopyButton } from '#app/ui/copy-button.tsx'
import { CopyForms } from '#app/ui/copy-forms.tsx'
import { DocumentTitle } from '#app/ui/document-title.tsx'
import { ErrorPanel } from '#app/ui/error-panel.tsx'
import { FieldList } from '#app/ui/field-list.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { LoadingParts } from '#app/ui/loaded-part.tsx'
import { SeverityMark } from '#app/ui/severity-mark.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { StaleBanner } from '#app/ui/stale-banner.tsx'
import { ThreatDate } from '#app/ui/threat-date.tsx'
import { ThreatTitle } from '#app/ui/threat-title.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import { lazyWhenIdle } from '#app/ui/when-idle.ts'
import type { ProblemCode } from '#contract/bff/problem.ts'
import type { Threat, ThreatDetail } from '#contract/bff/threat.ts'
import type { StoredThreatAnswer, ThreatAnswer } from '#contract/bff/threat-list.ts'
import { defangProse } from '#contract/defang.ts'
import type { RouteSet } from '#contract/route-set.ts'
import { visibleLine } from '#contract/visible-text.ts'
import { findListedAnswer } from '../find-known-threats.ts'
import { storedThreatOptions, threatOptions } from '../threat-options.ts'
import { ThreatEvidence } from './threat-evidence.tsx'
import { SET_NAMES, ThreatAnalysis, ThreatFacts } from './threat-facts.tsx'
import { FeedLink, type ThreatPartProps, ThreatSection } from './threat-section.tsx'

// Below the threat itself.
const RelatedThreats = lazyWhenIdle(async () => (await import('./related-threats.tsx')).RelatedThreats)

type ThreatViewProps = {
  id: string
  set: RouteSet | undefined
  /** The team's state of the threat, below its title. */
  status: ReactNode
  /** Beside its facts. */
  aside: ReactNode
  /** Cards of other features about this threat. */
  children?: ReactNode
}

/** All that is known of one threat: what is stored of it until its details are there, or where they cannot be read. */
export function ThreatView({ id, set, status, aside, children }: ThreatViewProps) {
  const queryClient = useQueryClient()
  const { data, error, isFetching, refetch } = useQuery(threatOptions(id, set))
  const { data: stored } = useQuery({ ...storedThreatOptions(id, set), enabled: !data })
  // The row it was opened from, until what is stored or the whole record is there.
  const listed = data || stored ? undefined : findListedAnswer(queryClient, id, set)
  const known = data ?? withReason(stored ?? listed, error)
  if (error && !known) return <ThreatFailure error={error} onRetry={() => refetch()} />

  return (
    <div className="grid gap-5">
      <div className="grid gap-2">
        <ThreatHeading
          threat={known?.threat}
          isGone={known?.missing?.state === 'gone'}
          age={known && <AgeNote freshness={known.freshness} />}
        />
        {status}
      </div>
      {error && !data && <ErrorPanel error={error} onRetry={() => refetch()} />}
      {known ? (
        <ThreatParts
          answer={known}
          set={set}
          aside={aside}
          others={children}
          isReading={isFetching}
          onRetry={() => refetch()}
        />
      ) : (
        <LoadingParts
          label="Loading the threat…"
          heights={['h-96', 'h-96']}
          className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]"
        />
      )}
    </div>
  )
}

/** Returns a threat by its list record, and why there is no more, after the request for its details has failed. */
function withReason(known: StoredThreatAnswer | undefined, error: Error | null) {
  if (!known || !error) return known
  const missing = { state: 'unavailable', because: 'the request for it failed' } as const
  return { ...known, missing }
}

type ThreatPartsProps = {
  answer: ThreatAnswer
  set: RouteSet | undefined
  aside: ReactNode
  others: ReactNode
  isReading: boolean
  onRetry(): void
}

function ThreatParts({ answer, set, aside, others, isReading, onRetry }: ThreatPartsProps) {
  const { threat, freshness, missing } = answer
  const part = { threat, missing }
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 has-[>:only-child]:contents">
        {missing && (isReading || freshness.isStale) && missing.state !== 'gone' && (
          <Button size="small" icon="refresh" isBusy={isReading} onClick={onRetry}>
            {isReading ? 'Reading the details…' : 'Read the details again'}
          </Button>
        )}
        <VisuallyHidden role="status">
          {missing && isReading && 'Reading the details from the vendor'}
        </VisuallyHidden>
      </div>
      <StaleBanner freshness={freshness} className="rounded-lg border" />
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem] lg:grid-rows-[auto_1fr]">
        <div className="grid min-w-0 gap-4">
          <ThreatAnalysis {...part} />
          <ThreatContent {...part} />
          <ThreatEvidence {...part} />
        </div>
        <div className="grid min-w-0 gap-4 lg:row-span-2">
          <ThreatFacts {...part} />
          {aside}
        </div>
        <div className="grid min-w-0 gap-4">
          {others}
          <Suspense fallback={null}>
            <RelatedThreats id={threat.id} set={set} />
          </Suspense>
          {threat.otherFields.length > 0 && (
            <ThreatSection title="Other fields">
              <FieldList fields={threat.otherFields} className="px-4" />
            </ThreatSection>
          )}
          {threat.records.length > 0 && <RawRecords records={threat.records} />}
        </div>
      </div>
    </>
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
function ThreatContent({ threat: { content, excerpt, redacted }, missing }: ThreatPartProps) {
  return (
    <ThreatSection title="Content" note={<span className="text-faint text-xs">as the vendor sent it</span>}>
      <div className="grid gap-3 px-4 py-3 text-base">
        {content === null ? (
          <p className="text-sm">
            <Absent isWithheld={redacted.includes('content')} missing={missing} />
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

/** The page of a threat that cannot be shown. */
function ThreatFailure({ error, onRetry }: ThreatFailureProps) {
  const code = error instanceof ApiError ? error.problem.code : 'internal'
  const heading = HEADINGS.get(code) ?? 'This threat did not load'
  return (
    <div className="grid gap-4 py-8">
      <DocumentTitle title={heading} />
      <h1 className="font-semibold text-2xl tracking-tight">{heading}</h1>
      <ErrorPanel error={error} onRetry={onRetry} />
    </div>
  )
}

const JSON_TOKEN = /"(?:[^"\\]|\\.)*"?|[{}[\],:]|[^\s"{}[\],:]+/gs

/** Lays JSON text out in lines without reading it into numbers, which would round long ones. Total: other text only loses spaces. */
export function indentJson(text: string): string {
  let depth = 0
  let laidOut = ''
  let last = ''
  for (const [token] of text.matchAll(JSON_TOKEN)) {
    const isEnd = token === '}' || token === ']'
    if (isEnd) depth = Math.max(0, depth - 1)
    const isEmpty = isEnd && (last === '{' || last === '[')
    const breaks = (isEnd || last === '{' || last === '[' || last === ',') && !isEmpty && laidOut !== ''
    laidOut += (breaks ? `\n${'  '.repeat(depth)}` : '') + (token === ':' ? ': ' : token)
    if (token === '{' || token === '[') depth += 1
    last = token
  }
  return laidOut
}

const TITLE_MAX_LENGTH = 400
const TAB_MAX_LENGTH = 80

type ThreatHeadingProps = {
  /** Undefined before anything is known of it. */
  threat: ThreatAnswer['threat'] | undefined
  isGone: boolean
  /** How old what is shown is. */
  age: ReactNode
}

/** Stands as soon as anything is known of the threat, and takes the focus as it opens. */
function ThreatHeading({ threat, isGone, age }: ThreatHeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-2">
      <DocumentTitle title={threat ? tabTitle(threat) : 'Threat'} />
      <h1
        ref={heading}
        tabIndex={-1}
        className="max-w-[60ch] font-semibold text-2xl tracking-tight outline-none"
      >
        {threat ? <ThreatTitle threat={threat} maxLength={TITLE_MAX_LENGTH} /> : <UnknownTitle />}
      </h1>
      {threat ? (
        <HeadingFacts threat={threat} isGone={isGone} age={age} />
      ) : (
        <Skeleton className="h-4 w-72" />
      )}
    </div>
  )
}

function tabTitle({ title }: Threat): string {
  const line = visibleLine(defangProse(title ?? ''))
  return line.slice(0, TAB_MAX_LENGTH).trim() || 'Untitled threat'
}

function UnknownTitle() {
  return (
    <>
      <VisuallyHidden>Threat</VisuallyHidden>
      <Skeleton className="h-7 w-96 max-w-full" />
    </>
  )
}

/** The facts beside the title. Each links to the threats that share it. */
function HeadingFacts({
  threat,
  isGone,
  age,
}: {
  threat: ThreatAnswer['threat']
  isGone: boolean
  age: ReactNode
}) {
  const { title, severity, category } = threat
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-muted text-sm">
      <ConcernBadge concerns={threat.concerns} />
      {isGone && <Badge tone="warning">Gone from the vendor</Badge>}
      {severity === null ? (
        <SeverityMark severity={null} />
      ) : (
        <FeedLink filter={{ severity: [severity] }}>
          <SeverityMark severity={severity} />
        </FeedLink>
      )}
      {threat.isSeverityDerived && <span>derived by a rule</span>}
      {category !== null && (
        <FeedLink filter={{ category: [category] }}>
          <Badge>
            <Untrusted text={category} maxLength={60} clip="silent" />
          </Badge>
        </FeedLink>
      )}
      <ThreatDate threat={threat} />
      {title !== null && <CopyForms text={title} />}
      {age}
    </div>
  )
}
