import { lazy, type Ref, Suspense } from 'react'
import { CallCost } from '#app/features/source/call-cost.tsx'
import { count, countOf } from '#app/format/count.ts'
import { AgeNote } from '#app/ui/age-note.tsx'
import { Button } from '#app/ui/button.tsx'
import type { ThreatList } from '#contract/bff/threat-list.ts'
import type { ThreatSearch } from '../address/threat-search.ts'
import { CoverageNote } from './coverage-note.tsx'

// Not on the way to the first page: few lists have any.
const ListNotes = lazy(async () => ({ default: (await import('./list-notes.tsx')).ListNotes }))

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
              {isNewCountWhole ? countOf(newCount, 'new threat') : `${count(newCount)}+ new threats`}
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

function totalOf({ total, isTotalExact, freshness }: ThreatList): string {
  if (freshness.coverage?.status === 'none') return 'No threats stored'
  return isTotalExact ? countOf(total, 'threat') : `about ${countOf(total, 'threat')}`
}
