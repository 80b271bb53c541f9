import { countOf } from '#app/format/count.ts'
import { Button } from '#app/ui/button.tsx'

type ListEndProps = {
  shown: number
  hasMore: boolean
  isLoading: boolean
  /** Why the next page did not come. */
  error: Error | null
  onMore(): void
}

/** The line under the last row. It keeps its height in every state, so that nothing jumps. */
export function ListEnd({ shown, hasMore, isLoading, error, onMore }: ListEndProps) {
  return (
    <div role="status" className="flex h-14 items-center justify-center gap-3 px-4 text-muted text-xs">
      <ListEndState shown={shown} hasMore={hasMore} isLoading={isLoading} error={error} onMore={onMore} />
    </div>
  )
}

function ListEndState({ shown, hasMore, isLoading, error, onMore }: ListEndProps) {
  if (isLoading) return 'Loading older threats…'
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
  if (!hasMore) return `End of list · ${countOf(shown, 'threat')}`
  return (
    <Button size="small" variant="quiet" onClick={onMore}>
      Load older threats
    </Button>
  )
}
