import { Link } from '@tanstack/react-router'
import { buttonLook } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import type { Role } from '#contract/bff/session.ts'
import type { View } from '#contract/bff/view.ts'
import { DeleteView } from './delete-view.tsx'
import { ViewFeedAddress } from './view-feed-address.tsx'
import { ViewForm } from './view-form.tsx'
import type { Shown } from './view-state.ts'

/** Content of a new view. */
type ViewDialogProps = Shown & {
  /** Null for a new one. */
  view: View | null
  role: Role
  onSaved(view: View): void
  onDeleted(view: View): void
  onClose(): void
}

export function ViewDialog(props: ViewDialogProps) {
  const { view, filter, arrangement, role, onSaved, onDeleted, onClose } = props
  const canShare = role !== 'viewer'
  const canChange = view === null || view.owner.isMe || role === 'admin'
  return (
    <Dialog isOpen onClose={onClose} title={view ? 'View' : 'Save view'} size="small">
      <div className="grid gap-4">
        <ViewForm
          view={view}
          filter={filter}
          arrangement={arrangement}
          canChange={canChange}
          canShare={canShare}
          onSaved={onSaved}
        />
        {view && canShare && (
          <>
            {canChange && <ViewFeedAddress view={view} />}
            <ViewAlertLink view={view} />
          </>
        )}
        {view && canChange && <DeleteView view={view} onDeleted={() => onDeleted(view)} />}
      </div>
    </Dialog>
  )
}

/** To the builder of alert profiles, with the filter of the view. */
function ViewAlertLink({ view: { name, filter } }: { view: View }) {
  return (
    <section aria-label="Alert profile" className="grid gap-2 border-line border-t pt-3">
      <h3 className="font-medium text-muted text-xs">Alert profile</h3>
      <p className="text-faint text-xs">
        A profile with this search notifies people of new threats. Later changes of the view do not change it.
      </p>
      <Link
        to="/alerts/new"
        search={{ ...filter, name }}
        className={`${buttonLook({ size: 'small' })} justify-self-start`}
      >
        Alert me
      </Link>
    </section>
  )
}
