import { ApiError } from '#app/api/api-error.ts'
import { countOf } from '#app/format/count.ts'
import { Button } from '#app/ui/button.tsx'
import { MissingNote } from '#app/ui/missing-note.tsx'
import { describeMissing } from '#contract/bff/freshness.ts'
import type { ThreatList } from '#contract/bff/threat-list.ts'
import { CoverageNote } from './feed-status.tsx'

type ListEndProps = {
  shown: number
  /** True if threats of closed groups are left out. */
  isPart: boolean
  /** The threats of the next page: older ones, or more of another order. */
  next: 'older' | 'more'
  hasMore: boolean
  /** Why there may be more, though the list goes no further. */
  endsEarly: string | undefined
  isLoading: boolean
  /** Why the next page did not come. */
  error: Error | null
  onMore(): void
  /** Starts again from the newest page. */
  onReload(): void
}

/** A cursor that the BFF no longer takes leads nowhere, however often it is tried. */
function isCursorRefused(error: Error): boolean {
  return error instanceof ApiError && error.problem.code === 'bad_request'
}

type ListFootProps = ListEndProps & {
  /** The first page. */
  first: ThreatList
}

/** Foot of the list. Its first line keeps its height in every state, so that nothing jumps. */
export function ListFoot({ first, ...end }: ListFootProps) {
  const { coverage } = first.freshness
  const missing = describeMissing(first.freshness.missing)
  const rows = countOf(end.shown, first.cases === undefined ? 'claim' : 'case')
  return (
    <>
      {end.shown > 0 && (
        <div
          role="status"
          className="flex min-h-14 items-center justify-center gap-3 px-4 text-muted text-xs"
        >
          <ListEndState {...end} rows={rows} />
        </div>
      )}
      {!end.hasMore && (
        <>
          <MissingNote reasons={missing} className="justify-center px-4 pb-4 text-xs" />
          {/* The empty list itself says that nothing of its time is stored. */}
          {coverage?.status !== 'none' && (
            <p className="px-4 pb-4 text-center text-faint text-xs empty:hidden">
              <CoverageNote coverage={coverage} />
            </p>
          )}
        </>
      )}
    </>
  )
}

function ListEndState({
  rows,
  isPart,
  next,
  hasMore,
  endsEarly,
  isLoading,
  error,
  onMore,
  onReload,
}: Omit<ListEndProps, 'shown'> & { rows: string }) {
  if (isLoading) return `Loading ${next} threats…`
  if (error && isCursorRefused(error)) {
    return (
      <>
        The list has changed meanwhile.
        <Button size="small" icon="refresh" onClick={onReload}>
          Reload the list
        </Button>
      </>
    )
  }
  if (error) {
    return (
      <>
        <span className="min-w-0 truncate">
          {next === 'older' ? 'Older' : 'More'} threats did not load: {error.message}
        </span>
        <Button size="small" icon="refresh" onClick={onMore}>
          Try again
        </Button>
      </>
    )
  }
  if (!hasMore && endsEarly) {
    return (
      <p className="py-2 text-medium">
        <span className="font-medium">The list ends early, after {rows}.</span> {endsEarly}
      </p>
    )
  }
  if (!hasMore) return `End of list · ${rows}${isPart ? ' in open groups' : ''}`
  return (
    <Button size="small" variant="quiet" onClick={onMore}>
      Load {next} threats
    </Button>
  )
}
