import { Button } from '#app/ui/button.tsx'
import { usePageActs } from '#app/ui/page-acts.ts'
import type { Role } from '#contract/bff/session.ts'
import type { View } from '#contract/bff/view.ts'
import { isChanged, isOtherFilter } from './is-changed.ts'
import { ViewChanges } from './view-changes.tsx'
import type { Shown } from './view-state.ts'
import { ViewZone } from './view-zone.tsx'

type FeedViewStateProps = Shown & {
  /** The one that is open; undefined where the feed is filtered by hand. */
  view: View | undefined
  role: Role
  onSaveAs(): void
  onWatch(view: View | null): void
}

/** What is to be said of the view that the feed shows, and the way to be told of its new threats. */
export function FeedViewState({ view, filter, arrangement, role, onSaveAs, onWatch }: FeedViewStateProps) {
  const isOther = view !== undefined && isOtherFilter(view, filter)
  const watch = () => onWatch(view && !isOther ? view : null)
  usePageActs(() =>
    role === 'viewer'
      ? []
      : [{ label: 'Watch these threats…', icon: 'eye', words: 'alert notify tell', run: watch }],
  )
  return (
    <>
      {role !== 'viewer' && (
        <Button icon="eye" className="max-sm:h-11" onClick={watch}>
          <span className="max-sm:sr-only">Watch</span>
        </Button>
      )}
      {view && <ViewZone view={view} />}
      {view && isChanged(view, { filter, arrangement }) && (
        <ViewChanges
          view={view}
          filter={filter}
          arrangement={arrangement}
          canSave={view.owner.isMe || role === 'admin'}
          onSaveAs={onSaveAs}
        />
      )}
    </>
  )
}
