import { mutationOptions, useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import * as z from 'zod/mini'
import { askPasskey } from '#app/api/passkey.ts'
import { sendJson } from '#app/api/send-json.ts'
import { ActionError } from '#app/ui/action-error.tsx'
import { Button } from '#app/ui/button.tsx'
import { ErrorPanel } from '#app/ui/error-panel.tsx'
import { TextField } from '#app/ui/field.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { TOTP_CODE } from '#app/ui/totp-code-field.ts'
import { fieldReason } from '#app/ui/use-form.ts'
import type { Factors } from '#contract/bff/factor.ts'
import { ssoStartedSchema } from '#contract/bff/single-sign-on.ts'
import { factorsOptions } from './factor-options.ts'

function sendProof(
  body: { password: string } | { code: string } | { recoveryCode: string } | { passkey: unknown },
) {
  return sendJson('proof', z.undefined(), { body })
}

const WAYS = {
  password: {
    label: 'Password',
    input: { type: 'password', autoComplete: 'current-password' },
    pattern: /./,
    missing: 'Enter your password.',
    offer: '',
  },
  code: { ...TOTP_CODE, offer: 'Use a code of your app' },
  recoveryCode: {
    label: 'Recovery code',
    input: { autoComplete: 'off', maxLength: 64, spellCheck: false },
    pattern: /\S/,
    missing: 'Enter one of your recovery codes.',
    offer: 'Use a recovery code',
  },
} as const
type Way = keyof typeof WAYS

/** The ways in which its person can prove to be there: by a second factor where there is one, else by the password. */
export function ProofForms({ onProven }: { onProven(): void }) {
  const { data: factors, error, refetch } = useQuery(factorsOptions())
  if (!factors) {
    return error ? <ErrorPanel error={error} onRetry={() => refetch()} /> : <Skeleton className="h-32" />
  }
  const ways = listWays(factors)
  const hasPasskeys = factors.passkeys.length > 0
  if (ways.length === 0 && !hasPasskeys) return <SignInAnew />
  return (
    <div className="grid gap-4">
      <p className="text-muted">Confirm that it is you to continue.</p>
      {hasPasskeys && <PasskeyProof onProven={onProven} />}
      {ways.length > 0 && <WordProof ways={ways} isOpen={ways[0] !== 'recoveryCode'} onProven={onProven} />}
    </div>
  )
}

function listWays({ hasPassword, totp, passkeys, recoveryCodes }: Factors): Way[] {
  if (!totp && passkeys.length === 0) return hasPassword ? ['password'] : []
  const codes: Way[] = totp ? ['code'] : []
  return recoveryCodes > 0 ? [...codes, 'recoveryCode'] : codes
}

/** `isOpen`: without a press. A recovery code is for when nothing else is at hand. */
type WordProofProps = { ways: readonly Way[]; isOpen: boolean; onProven(): void }

function WordProof({ ways, isOpen, onProven }: WordProofProps) {
  const [way, setWay] = useState<Way | null>(isOpen ? (ways[0] ?? null) : null)
  const [isMissing, setIsMissing] = useState(false)
  const proof = useMutation({ mutationFn: sendProof, onSuccess: onProven })
  const change = (to: Way) => {
    setWay(to)
    setIsMissing(false)
    proof.reset()
  }
  const offers = ways
    .filter((other) => other !== way)
    .map((other) => (
      <Button key={other} variant="quiet" onClick={() => change(other)} className="max-sm:h-11">
        {WAYS[other].offer}
      </Button>
    ))
  if (way === null) return offers
  const { label, input, pattern, missing } = WAYS[way]
  const reason = isMissing ? missing : fieldReason(proof.error, way)

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const text = String(new FormData(event.currentTarget).get('proof'))
    const isGiven = pattern.test(text)
    setIsMissing(!isGiven)
    if (isGiven) return proof.mutate(toProof(way, text))
    event.currentTarget.querySelector('input')?.focus()
  }

  return (
    <form noValidate onSubmit={submit} className="grid gap-4">
      <TextField key={way} label={label} name="proof" autoFocus data-first-focus error={reason} {...input} />
      {!reason && <ActionError error={proof.error} />}
      <Button type="submit" variant="primary" isBusy={proof.isPending} className="max-sm:h-11">
        Confirm
      </Button>
      {offers}
    </form>
  )
}

function toProof(way: Way, text: string): Parameters<typeof sendProof>[0] {
  if (way === 'password') return { password: text }
  return way === 'code' ? { code: text } : { recoveryCode: text }
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
      <ActionError error={proof.error} />
    </>
  )
}

/** Who has nothing here to prove it with comes from the provider of single sign-on. */
function SignInAnew() {
  const signIn = useMutation(startSsoMutation())
  return (
    <div className="grid gap-4">
      <p className="text-muted">
        Your last sign-in by single sign-on does not prove that it is you. Sign in again; you come back to
        this page, and what you typed here has to be typed again.
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
      <ActionError error={signIn.error} />
    </div>
  )
}

/** Leads this browser to the provider of single sign-on. */
function startSsoMutation() {
  return mutationOptions({
    mutationKey: ['sign-in', 'sso'],
    mutationFn: async (redirect: string | undefined) => {
      const { url } = await sendJson('sign-in/sso', ssoStartedSchema, { body: { redirect } })
      // Not a step of Back: it would lead forward again.
      location.replace(url)
    },
  })
}
