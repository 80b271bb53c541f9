import { lazy, type Ref, Suspense } from 'react'
import { ApiError } from '#app/api/api-error.ts'
import { CallCost } from '#app/features/source/call-cost.tsx'
import { count, countOf } from '#app/format/count.ts'
import { AgeNote } from '#app/ui/age-note.tsx'
import { Button } from '#app/ui/button.tsx'
import { ErrorPanel } from '#app/ui/error-panel.tsx'
import { Time } from '#app/ui/time.tsx'
import { type Coverage, GAP_REASONS } from '#contract/bff/coverage.ts'
import type { ThreatList } from '#contract/bff/threat-list.ts'
import type { ChangeSearch, ThreatSearch } from '../address/threat-search.ts'

// Not on the way to the first page: few lists have any.
const ListNotes = lazy(async () => ({ default: (await import('./list-notes.tsx')).ListNotes }))

// Not on the way to the first page: fetched when first needed.
const RefusedFilters = lazy(async () => ({
  default: (await import('../filters/filter-chips.tsx')).RefusedFilters,
}))

type FeedStatusProps = {
  search: ThreatSearch
  /** The newest answer about the shown list; undefined before the first. */
  list: ThreatList | undefined
  isLoading: boolean
  newCount: number
  isNewCountWhole: boolean
  /** False where new threats have their places among the others: then the list is read again. */
  isNewestOnTop: boolean
  /** A person's own wish for newer data. */
  refresh: { isPending: boolean; error: Error | null; mutate(): void }
  onShowNew(): void
  /** Receives the list's notes about new threats. */
  newsRef: Ref<HTMLSpanElement>
}

/** How many, of which time, how old, and whether there is more by now. */
export function FeedStatus({
  search,
  list,
  isLoading,
  newCount,
  isNewCountWhole,
  isNewestOnTop,
  refresh,
  onShowNew,
  newsRef,
}: FeedStatusProps) {
  return (
    <div className="sticky top-12 z-10 flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 border-line border-b bg-surface py-1.5 pr-2 pl-4 text-muted text-xs sm:rounded-t-lg">
      <div className="flex flex-[1_1_12rem] flex-wrap items-center gap-x-3 gap-y-1">
        <p role="status" className="font-semibold text-ink text-sm tabular-nums">
          {isLoading ? 'Loading…' : list ? totalOf(list) : 'Not loaded'}
        </p>
        {list && (
          <>
            <CoverageNote coverage={list.freshness.coverage} isShort />
            <AgeNote freshness={list.freshness} />
          </>
        )}
        {list && list.undated + list.partialFields.length > 0 && (
          <Suspense>
            <ListNotes list={list} search={search} />
          </Suspense>
        )}
        {list && <CallCost calls="1–2" subject="Opening a threat" />}
      </div>
      <div className="ml-auto flex flex-wrap items-center gap-2">
        {refresh.error && <span role="alert">Not refreshed: {refresh.error.message}</span>}
        <span role="status" className="flex flex-wrap items-center gap-2">
          <span ref={newsRef} className="contents" />
          {newCount > 0 && (
            <Button variant="primary" size="small" onClick={onShowNew}>
              {isNewCountWhole ? countOf(newCount, 'new claim') : `${count(newCount)}+ new claims`}
              {!isNewestOnTop && ': reload'}
            </Button>
          )}
        </span>
        <Button
          variant="quiet"
          size="small"
          icon="refresh"
          isBusy={refresh.isPending}
          onClick={() => refresh.mutate()}
        >
          <span className="max-sm:sr-only">Refresh</span>
        </Button>
      </div>
    </div>
  )
}

function totalOf({ total, cases, isTotalExact, freshness }: ThreatList): string {
  if (freshness.coverage?.status === 'none') return 'No threats stored'
  const parts = [cases !== undefined && countOf(cases, 'case'), cases !== total && countOf(total, 'claim')]
  return (isTotalExact ? '' : 'about ') + parts.filter(Boolean).join(', ')
}

type FeedFailureProps = { error: Error; search: ThreatSearch; onChange: ChangeSearch; onRetry(): void }

/** Why there is no list. A refused filter can be dropped from here; asking again would not help. */
export function FeedFailure({ error, search, onChange, onRetry }: FeedFailureProps) {
  const fields = error instanceof ApiError ? error.problem.fields : undefined
  return (
    <div className="grid gap-3 p-4">
      {fields?.[0]?.from === undefined && <ErrorPanel error={error} onRetry={onRetry} />}
      {fields && (
        <Suspense>
          <RefusedFilters fields={fields} search={search} onChange={onChange} />
        </Suspense>
      )}
    </div>
  )
}

type CoverageNoteProps = {
  coverage: Coverage | undefined
  /** Without the reasons, for a line that has little room. */
  isShort?: boolean
}

/** Which part of the time that a list asks for is stored, and why the rest is not; nothing where all of it is. */
export function CoverageNote({ coverage, isShort = false }: CoverageNoteProps) {
  if (!coverage || coverage.gaps.length === 0) return null
  const { from, gaps } = coverage
  const older = gaps.at(-1)
  if (from === null) {
    return isShort ? null : <span>None of this time is stored{older && `: ${GAP_REASONS[older.why]}`}.</span>
  }
  const isOlder = older !== undefined && older.to <= from
  const inner = isOlder ? gaps.slice(0, -1) : gaps
  return (
    <span>
      {isOlder && (
        <>
          Stored from <Time at={from} show="day" />
          {!isShort && `. Older ones: ${GAP_REASONS[older.why]}.`}
        </>
      )}
      {!isShort &&
        inner.map((gap) => (
          <span key={gap.to}>
            {' '}
            Not stored: <Time at={gap.from ?? from} show="exact" /> to <Time at={gap.to} show="exact" /> (
            {GAP_REASONS[gap.why]}).
          </span>
        ))}
    </span>
  )
}
