import { Dialog } from '#app/ui/dialog.tsx'
import type { FactorsChanged } from '#contract/bff/factor.ts'
import { PasskeyForm } from './passkey-form.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { TotpSetup } from './totp-setup.tsx'

export type OpenFactor =
  | { kind: 'totp' }
  | { kind: 'passkey'; passkey?: { id: string; name: string } }
  | { kind: 'codes'; codes: readonly string[] }

type FactorDialogProps = {
  open: OpenFactor
  onClose(): void
  onDone(changed: FactorsChanged): void
}

const TITLES = { totp: 'Authenticator app', passkey: 'Passkey', codes: 'Recovery codes' } as const

/** The kinds of second factor that this dialog sets up. */
export function FactorDialog({ open, onClose, onDone }: FactorDialogProps) {
  return (
    <Dialog key={open.kind} isOpen onClose={onClose} title={TITLES[open.kind]} size="small">
      {open.kind === 'totp' && <TotpSetup onDone={onDone} />}
      {open.kind === 'passkey' && <PasskeyForm passkey={open.passkey} onDone={onDone} />}
      {open.kind === 'codes' && <RecoveryCodes codes={open.codes} onKept={onClose} />}
    </Dialog>
  )
}
