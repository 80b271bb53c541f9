import { countOf } from '#app/format/count.ts'
import { Dialog } from '#app/ui/dialog.tsx'
import type { TriageAction } from '#contract/bff/triage.ts'
import { AssignForm } from './assign-form.tsx'
import { CloseForm } from './close-form.tsx'
import { CommentForm } from './comment-form.tsx'
import type { TriageRequest } from './triage-command.ts'

type TriageDialogProps = {
  request: TriageRequest
  onAct(action: TriageAction): Promise<boolean>
  onClose(): void
}

const TITLES: Readonly<Record<TriageRequest['command'], (cases: string) => string>> = {
  assign: (cases) => `Assign ${cases}`,
  close: (cases) => `Close ${cases}`,
  note: (cases) => `Comment on ${cases}`,
}

/** Asks for what a key or a button alone cannot say: why, or what to comment. */
export function TriageDialog({ request: { command, ids }, onAct, onClose }: TriageDialogProps) {
  const act = (action: TriageAction) => {
    onClose()
    return onAct(action)
  }
  const assign = (ownerId: string | null) =>
    act(
      ownerId === null ? { action: 'release', ids: [...ids] } : { action: 'assign', ids: [...ids], ownerId },
    )
  const cases = countOf(ids.length, 'case')
  return (
    <Dialog isOpen size="small" title={TITLES[command](cases)} onClose={onClose}>
      {command === 'close' && (
        <CloseForm onReason={(reason, text) => act({ action: 'close', ids: [...ids], reason, text })} />
      )}
      {command === 'assign' && <AssignForm onOwner={assign} />}
      {command === 'note' && <CommentForm ids={ids} onComment={act} />}
    </Dialog>
  )
}
