import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ActionError } from '#app/ui/action-error.tsx'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { usePageActs } from '#app/ui/page-acts.ts'
import { useTimeZone } from '#app/ui/preferences.ts'
import type { Role } from '#contract/bff/session.ts'
import { hasDays } from '#contract/bff/threat-list.ts'
import type { View } from '#contract/bff/view.ts'
import { NO_ALERT_WORDS, useIsOverdue } from './use-is-overdue.ts'
import { viewMutations } from './view-mutations.ts'
import { isChanged, isEmpty, isOtherFilter, type Shown } from './view-state.ts'

type FeedViewStateProps = Shown & {
  /** The one that is open; undefined where the feed is filtered by hand. */
  view: View | undefined
  role: Role
  onSaveAs(): void
}

/** Describes the view that the feed shows, and links to an alert profile for its new threats. */
export function FeedViewState({ view, filter, arrangement, role, onSaveAs }: FeedViewStateProps) {
  const isOther = view !== undefined && isOtherFilter(view, filter)
  const navigate = useNavigate()
  const name = view && !isOther ? view.name : undefined
  const alertMe = () => navigate({ to: '/alerts/new', search: { ...filter, name } })
  const isOverdue = useIsOverdue(filter)
  const canAlert = role !== 'viewer' && isOverdue === false
  usePageActs(() =>
    !canAlert
      ? []
      : [{ label: 'Alert me of these threats…', icon: 'bell', words: 'profile notify watch', run: alertMe }],
  )
  return (
    <>
      {canAlert && (
        <Button icon="bell" className="max-sm:h-11" onClick={alertMe}>
          <span className="max-sm:sr-only">Alert me</span>
        </Button>
      )}
      {role !== 'viewer' && isOverdue && (
        <p className="text-muted text-xs max-sm:order-last max-sm:w-full">{NO_ALERT_WORDS}</p>
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

/** Says whose days the page shows, where a view was saved in another zone than the reader's. */
function ViewZone({ view: { filter, timeZone, hasFeed } }: { view: View }) {
  const own = useTimeZone()
  if (!hasDays(filter) || timeZone === own) return null
  return (
    <p className="text-muted text-xs max-sm:order-last max-sm:w-full">
      Days of your zone, {own}. The view was saved in {timeZone}
      {hasFeed && ', whose days its Atom feed keeps'}.
    </p>
  )
}

type ViewChangesProps = Shown & {
  view: View
  canSave: boolean
  onSaveAs(): void
}

/** The filters are not those that the view was saved with, or the list stands otherwise. */
function ViewChanges({ view, filter, arrangement, canSave, onSaveAs }: ViewChangesProps) {
  const timeZone = useTimeZone()
  const saving = useMutation(viewMutations(useQueryClient()).change)
  // Nothing is a change where there was something.
  const arranged = isEmpty(arrangement) && !view.arrangement ? {} : { arrangement: arrangement ?? {} }
  return (
    <div className="flex flex-wrap items-center gap-2 max-sm:order-last max-sm:w-full">
      <Badge tone="accent">Changed</Badge>
      {canSave && (
        <Button
          size="small"
          isBusy={saving.isPending}
          onClick={() => saving.mutate({ view, change: { filter, ...arranged, timeZone } })}
        >
          Save changes
        </Button>
      )}
      <Button size="small" variant="quiet" onClick={onSaveAs}>
        Save as…
      </Button>
      <ActionError error={saving.error} not="saved" />
    </div>
  )
}
