import { Link } from '@tanstack/react-router'
import { buttonLook } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import type { Role } from '#contract/bff/session.ts'
import type { ThreatFilter } from '#contract/bff/threat-list.ts'
import type { View } from '#contract/bff/view.ts'
import { parseSearch } from '#matcher/search-query.ts'
import { DeleteView } from './delete-view.tsx'
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

/** To the builder of alert profiles, filled in with what a profile has of the view. */
function ViewAlertLink({ view: { name, filter } }: { view: View }) {
  const { q, actor = [], category } = filter
  const keyword = [...parseSearch(q ?? '').keywords.map(({ text }) => text), ...actor]
  return (
    <section aria-label="Alert profile" className="grid gap-2 border-line border-t pt-3">
      <h3 className="font-medium text-muted text-xs">Alert profile</h3>
      <p className="text-faint text-xs">
        A profile watches for any of its words, and knows categories: the other filters stay behind.
      </p>
      <Link
        to="/alerts/new"
        search={{ name, category, keyword: keyword.length > 0 ? keyword : undefined }}
        className={`${buttonLook({ size: 'small' })} justify-self-start`}
      >
        Save as alert profile
      </Link>
    </section>
  )
}
