import { Dialog } from '#app/ui/dialog.tsx'
import { ProofForms } from './proof-forms.tsx'

type ProofDialogProps = { isOpen: boolean; onEnd(isProven: boolean): void }

/** Asks whoever sits at an open session to prove that it is theirs. */
export function ProofDialog({ isOpen, onEnd }: ProofDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={() => onEnd(false)} title="Confirm that it is you" size="small">
      <ProofForms onProven={() => onEnd(true)} />
    </Dialog>
  )
}
