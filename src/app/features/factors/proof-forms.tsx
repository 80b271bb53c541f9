import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import * as z from 'zod/mini'
import { fieldReason } from '#app/api/field-reason.ts'
import { askPasskey } from '#app/api/passkey.ts'
import { sendJson } from '#app/api/send-json.ts'
import { startSsoMutation } from '#app/features/sign-in/sso-options.ts'
import { Button } from '#app/ui/button.tsx'
import { ErrorPanel } from '#app/ui/error-panel.tsx'
import { explainError } from '#app/ui/explain-error.ts'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { TextField } from '#app/ui/text-field.tsx'
import { TOTP_CODE } from '#app/ui/totp-code-field.ts'
import type { Factors } from '#contract/bff/factor.ts'
import { factorsOptions } from './factor-options.ts'

function sendProof(body: { password: string } | { code: string } | { passkey: unknown }) {
  return sendJson('proof', z.undefined(), { body })
}

/** The ways in which its person can prove to be there. */
export function ProofForms({ onProven }: { onProven(): void }) {
  const { data: factors, error, refetch } = useQuery(factorsOptions())
  if (!factors) {
    return error ? <ErrorPanel error={error} onRetry={() => refetch()} /> : <Skeleton className="h-32" />
  }
  const { hasPassword, totp, passkeys } = factors
  if (!hasPassword && !totp && passkeys.length === 0) return <SignInAnew />
  return (
    <div className="grid gap-4">
      <p className="text-muted">
        You signed in more than 10 minutes ago. After this, what you were doing goes on.
      </p>
      <WordProof factors={factors} onProven={onProven} />
      {passkeys.length > 0 && <PasskeyProof onProven={onProven} />}
    </div>
  )
}

const WAYS = {
  password: {
    label: 'Password',
    input: { type: 'password', autoComplete: 'current-password' },
    pattern: /./,
    missing: 'Enter your password.',
  },
  code: TOTP_CODE,
} as const

type WordProofProps = { factors: Factors; onProven(): void }

function WordProof({ factors: { hasPassword, totp }, onProven }: WordProofProps) {
  const [way, setWay] = useState<keyof typeof WAYS>(hasPassword ? 'password' : 'code')
  const [isMissing, setIsMissing] = useState(false)
  const proof = useMutation({ mutationFn: sendProof, onSuccess: onProven })
  if (!hasPassword && !totp) return null
  const { label, input, pattern, missing } = WAYS[way]
  const reason = isMissing ? missing : fieldReason(proof.error, way)

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const text = String(new FormData(event.currentTarget).get('proof'))
    const isGiven = pattern.test(text)
    setIsMissing(!isGiven)
    if (isGiven) return proof.mutate(way === 'code' ? { code: text } : { password: text })
    event.currentTarget.querySelector('input')?.focus()
  }
  const change = () => {
    setWay(way === 'code' ? 'password' : 'code')
    setIsMissing(false)
    proof.reset()
  }

  return (
    <form noValidate onSubmit={submit} className="grid gap-4">
      <TextField key={way} label={label} name="proof" autoFocus data-first-focus error={reason} {...input} />
      {proof.error && !reason && <Failure error={proof.error} />}
      <Button type="submit" variant="primary" isBusy={proof.isPending} className="max-sm:h-11">
        Confirm
      </Button>
      {hasPassword && totp && (
        <Button variant="quiet" onClick={change} className="max-sm:h-11">
          {way === 'password' ? 'Use a code of your app instead' : 'Use your password instead'}
        </Button>
      )}
    </form>
  )
}

function PasskeyProof({ onProven }: { onProven(): void }) {
  const proof = useMutation({
    mutationFn: async () =>
      sendProof({ passkey: await askPasskey(await sendJson('proof/passkey', z.unknown(), {})) }),
    onSuccess: onProven,
  })
  return (
    <>
      <Button icon="lock" isBusy={proof.isPending} onClick={() => proof.mutate()} className="max-sm:h-11">
        Use a passkey
      </Button>
      {proof.error && <Failure error={proof.error} />}
    </>
  )
}

/** Who has nothing here to prove it with comes from the provider of single sign-on. */
function SignInAnew() {
  const signIn = useMutation(startSsoMutation())
  return (
    <div className="grid gap-4">
      <p className="text-muted">
        You signed in more than 10 minutes ago, by single sign-on. Sign in again; you come back to this page,
        and what you typed here has to be typed again.
      </p>
      <Button
        variant="primary"
        isBusy={signIn.isPending}
        autoFocus
        onClick={() => signIn.mutate(location.pathname + location.search)}
        className="max-sm:h-11"
      >
        Sign in again
      </Button>
      {signIn.error && <Failure error={signIn.error} />}
    </div>
  )
}

function Failure({ error }: { error: Error }) {
  const { message, detail } = explainError(error)
  return (
    <p role="alert" className="text-critical text-xs">
      {message}. {detail}
    </p>
  )
}
