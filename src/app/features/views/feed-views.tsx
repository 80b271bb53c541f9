import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react'
import { sessionOptions } from '#app/features/session/session-options.ts'
import { Button } from '#app/ui/button.tsx'
import { Popover } from '#app/ui/popover.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import type { View } from '#contract/bff/view.ts'
import { viewListOptions } from './view-options.ts'
import { isEmpty, type RequestedView, type Shown, viewToOpen } from './view-state.ts'

// Not on the way to the first page: fetched when first needed.
const ViewsPanel = lazy(async () => ({ default: (await import('./views-panel.tsx')).ViewsPanel }))
const ViewDialog = lazy(async () => ({ default: (await import('./view-dialog.tsx')).ViewDialog }))
const ViewState = lazy(async () => ({ default: (await import('./feed-view-state.tsx')).FeedViewState }))

type FeedViewsProps = {
  shown: Shown
  /** The view in the address. */
  requested: RequestedView
  onOpen(shown: Shown, requested: RequestedView, options?: { replace: boolean }): void
}

/** Which saved view the feed shows, the way to the others, and to saving this one. */
export function FeedViews({ shown, requested, onOpen }: FeedViewsProps) {
  const { data, error, refetch } = useQuery(viewListOptions())
  const { data: session } = useQuery(sessionOptions())
  const role = session?.user.role ?? 'viewer'
  const open = data?.views.find(({ id }) => id === requested)
  const { filter, arrangement } = shown
  const opening = viewToOpen(requested, shown, data?.views ?? [])
  const [dialog, setDialog] = useState<{ view: View | null } | null>(null)

  // An address may name a view alone: the feed's state is in its filters.
  const followAddress = useEffectEvent(() => {
    if (!opening) return
    const own = isEmpty(arrangement) ? opening : { ...opening, arrangement }
    onOpen(own, opening.id, { replace: true })
  })
  useEffect(() => {
    if (opening?.id) followAddress()
  }, [opening?.id])

  const openView = (view: View | null) => {
    if (view) onOpen(view, view.id)
    // An empty address would open the default.
    else onOpen({ filter: {} }, data?.views.some(({ isDefault }) => isDefault) ? 'all' : undefined)
  }
  const isGone = data && requested !== undefined && requested !== 'all' && !open
  return (
    <>
      <Popover
        label="Views"
        className="w-80"
        renderTrigger={(props) => (
          <Button
            icon="bookmark"
            aria-label={open ? `Views, ${open.name}` : 'Views'}
            className="min-w-0 max-w-64 shrink! max-sm:h-11 max-sm:max-w-40"
            {...props}
          >
            <span className="min-w-0 truncate">
              {open ? <Untrusted text={open.name} maxLength={80} clip="silent" isRaw /> : 'Views'}
            </span>
          </Button>
        )}
      >
        <Suspense fallback={<div className="h-40" />}>
          <ViewsPanel
            views={data?.views}
            error={error}
            openId={open?.id ?? (isEmpty(filter) ? null : undefined)}
            onRetry={() => refetch()}
            onOpen={openView}
            onEdit={(view) => setDialog({ view })}
            canAlert={role !== 'viewer'}
          />
        </Suspense>
      </Popover>
      {isGone && <p className="text-muted text-xs">This view was deleted, or is no longer shared.</p>}
      <Suspense>
        {data && !opening && (open || !isEmpty(filter)) && (
          <ViewState
            key={open?.id}
            view={open}
            {...shown}
            role={role}
            onSaveAs={() => setDialog({ view: null })}
          />
        )}
        {dialog && (
          <ViewDialog
            view={dialog.view}
            {...shown}
            role={role}
            onSaved={(view) => {
              setDialog(null)
              if (!dialog.view) openView(view)
            }}
            onDeleted={({ id }) => {
              setDialog(null)
              if (id === requested) onOpen(shown, undefined, { replace: true })
            }}
            onClose={() => setDialog(null)}
          />
        )}
      </Suspense>
    </>
  )
}
