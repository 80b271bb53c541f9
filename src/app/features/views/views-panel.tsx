import { useNavigate } from '@tanstack/react-router'
import type { MouseEvent } from 'react'
import { Button, IconButton } from '#app/ui/button.tsx'
import { ErrorPanel } from '#app/ui/error-panel.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { closePopoverOf } from '#app/ui/popover.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import type { View } from '#contract/bff/view.ts'
import { useIsOverdue } from './use-is-overdue.ts'

type ViewsPanelProps = {
  views: readonly View[] | undefined
  error: Error | null
  /** Null while all threats are shown, undefined while some are that no view names. */
  openId: string | null | undefined
  onRetry(): void
  onOpen(view: View | null): void
  /** Null for a new one. */
  onEdit(view: View | null): void
  /** True if the user may create alert profiles. */
  canAlert: boolean
}

const NAME = 'flex min-w-0 flex-1 items-center gap-2 rounded-md px-2 py-1.5 text-left hover:bg-hover'

/** All views: a press opens one. */
export function ViewsPanel({ views, error, openId, onRetry, onOpen, onEdit, canAlert }: ViewsPanelProps) {
  const navigate = useNavigate()
  const closing = (act: () => void) => (event: MouseEvent) => {
    closePopoverOf(event.currentTarget)
    act()
  }
  return (
    <div className="grid gap-1 p-1">
      {!views && !error && <Skeleton className="m-2 h-16" />}
      {!views && error && <ErrorPanel error={error} onRetry={onRetry} />}
      {views && (
        <ul aria-label="Saved views">
          <li className="flex">
            <button type="button" className={NAME} onClick={closing(() => onOpen(null))}>
              <OpenMark isOpen={openId === null} />
              All threats
            </button>
          </li>
          {views.map((view) => (
            <li key={view.id} className="flex items-center">
              <button type="button" className={NAME} onClick={closing(() => onOpen(view))}>
                <OpenMark isOpen={view.id === openId} />
                <span className="grid min-w-0">
                  <span className="truncate">
                    <Untrusted text={view.name} maxLength={80} clip="silent" isRaw />
                  </span>
                  <span className="text-faint text-xs empty:hidden">{describe(view)}</span>
                </span>
              </button>
              {canAlert && (
                <AlertButton
                  view={view}
                  onPress={closing(() =>
                    navigate({ to: '/alerts/new', search: { ...view.filter, name: view.name } }),
                  )}
                />
              )}
              <IconButton
                icon="settings"
                label={`Settings of ${view.name}`}
                onClick={closing(() => onEdit(view))}
              />
            </li>
          ))}
        </ul>
      )}
      {views?.length === 0 && (
        <p className="px-2 pb-1 text-faint text-xs">
          Set filters, then save them here under a name: for yourself, or for the team.
        </p>
      )}
      <Button variant="quiet" icon="plus" className="justify-start!" onClick={closing(() => onEdit(null))}>
        Save as a new view…
      </Button>
    </div>
  )
}

function OpenMark({ isOpen }: { isOpen: boolean }) {
  return (
    <span className="grid size-4 shrink-0 place-items-center">
      {isOpen && (
        <>
          <Icon name="check" className="size-4 text-accent" />
          <span className="sr-only">Open now: </span>
        </>
      )}
    </span>
  )
}

function describe({ isDefault, isShared, owner, hasFeed }: View): string {
  const facts = [
    isDefault && 'My default',
    isShared && (owner.isMe ? 'Shared with the team' : `By ${owner.name}`),
    hasFeed && 'Atom feed',
  ]
  return facts.filter((fact) => fact !== false).join(' · ')
}

/** Absent for overdue cases: the settings of the view say why. */
function AlertButton({ view, onPress }: { view: View; onPress(event: MouseEvent): void }) {
  if (useIsOverdue(view.filter) !== false) return null
  return <IconButton icon="bell" label={`Alert me of ${view.name}`} onClick={onPress} />
}
