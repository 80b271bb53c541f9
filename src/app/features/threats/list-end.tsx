import { ApiError } from '#app/api/api-error.ts'
import { countOf } from '#app/format/count.ts'
import { Button } from '#app/ui/button.tsx'

type ListEndProps = {
  shown: number
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

/** The line under the last row. It keeps its height in every state, so that nothing jumps. */
export function ListEnd(props: ListEndProps) {
  return (
    <div role="status" className="flex min-h-14 items-center justify-center gap-3 px-4 text-muted text-xs">
      <ListEndState {...props} />
    </div>
  )
}

function ListEndState({ shown, hasMore, endsEarly, isLoading, error, onMore, onReload }: ListEndProps) {
  if (isLoading) return 'Loading older threats…'
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
        <span className="min-w-0 truncate">Older threats did not load: {error.message}</span>
        <Button size="small" icon="refresh" onClick={onMore}>
          Try again
        </Button>
      </>
    )
  }
  if (!hasMore && endsEarly) {
    return (
      <p className="py-2 text-medium">
        <span className="font-medium">The list ends early, after {countOf(shown, 'threat')}.</span>{' '}
        {endsEarly}
      </p>
    )
  }
  if (!hasMore) return `End of list · ${countOf(shown, 'threat')}`
  return (
    <Button size="small" variant="quiet" onClick={onMore}>
      Load older threats
    </Button>
  )
}
