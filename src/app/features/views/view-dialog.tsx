import { Dialog } from '#app/ui/dialog.tsx'
import type { Role } from '#contract/bff/session.ts'
import type { ThreatFilter } from '#contract/bff/threat-list.ts'
import type { View } from '#contract/bff/view.ts'
import { DeleteView } from './delete-view.tsx'
import { ViewAlertLink } from './view-alert-link.tsx'
import { ViewFeedAddress } from './view-feed-address.tsx'
import { ViewForm } from './view-form.tsx'

type ViewDialogProps = {
  /** Null for a new one. */
  view: View | null
  /** What a new one is of. */
  filter: ThreatFilter
  role: Role
  onSaved(view: View): void
  onDeleted(view: View): void
  onClose(): void
}

export function ViewDialog({ view, filter, role, onSaved, onDeleted, onClose }: ViewDialogProps) {
  const canShare = role !== 'viewer'
  const canChange = view === null || view.owner.isMe || role === 'admin'
  return (
    <Dialog isOpen onClose={onClose} title={view ? 'View' : 'Save view'} size="small">
      <div className="grid gap-4">
        <ViewForm view={view} filter={filter} canChange={canChange} canShare={canShare} onSaved={onSaved} />
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
