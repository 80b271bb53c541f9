import { useState } from 'react'
import { Button } from '#app/ui/button.tsx'
import type { FactorsChanged } from '#contract/bff/factor.ts'
import { PasskeyForm } from './passkey-form.tsx'
import { ProofRequests } from './proof-requests.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { TotpSetup } from './totp-setup.tsx'

type Stage =
  | { kind: 'choose' }
  | { kind: 'totp' }
  | { kind: 'passkey' }
  | { kind: 'codes'; codes: readonly string[] }

/** For those whose role needs a second factor, and who have none: nothing else opens before. */
export function EnrolFirst({ onDone }: { onDone(): void }) {
  const [stage, setStage] = useState<Stage>({ kind: 'choose' })
  const showCodes = ({ recoveryCodes: codes }: FactorsChanged) => {
    if (codes) setStage({ kind: 'codes', codes })
    else onDone()
  }

  return (
    <div className="grid gap-4 text-sm">
      {stage.kind === 'choose' && (
        <>
          <p>
            Your role needs a second factor beside the password. Set one up now; more can be added in
            Settings.
          </p>
          <Button
            variant="primary"
            autoFocus
            onClick={() => setStage({ kind: 'totp' })}
            className="max-sm:h-11"
          >
            Use an authenticator app
          </Button>
          <Button icon="lock" onClick={() => setStage({ kind: 'passkey' })} className="max-sm:h-11">
            Use a passkey
          </Button>
        </>
      )}
      {stage.kind === 'totp' && <TotpSetup onDone={showCodes} />}
      {stage.kind === 'passkey' && <PasskeyForm onDone={showCodes} />}
      {(stage.kind === 'totp' || stage.kind === 'passkey') && (
        <Button variant="quiet" onClick={() => setStage({ kind: 'choose' })} className="max-sm:h-11">
          Choose another way
        </Button>
      )}
      {stage.kind === 'codes' && <RecoveryCodes codes={stage.codes} onKept={onDone} />}
      <ProofRequests />
    </div>
  )
}
