import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import * as z from 'zod/mini'
import { askPasskey } from '#app/api/passkey.ts'
import { sendJson } from '#app/api/send-json.ts'
import { Button } from '#app/ui/button.tsx'
import { TextField } from '#app/ui/text-field.tsx'
import { TOTP_CODE } from '#app/ui/totp-code-field.ts'
import { type SignInAnswer, type SignInStep, signInAnswerSchema } from '#contract/bff/sign-in-step.ts'
import { SignInError } from './sign-in-error.tsx'

function finishStep(body: { code: string } | { recoveryCode: string } | { passkey: unknown }) {
  return sendJson('sign-in/second-step', signInAnswerSchema, { body })
}

const WAYS = {
  code: { ...TOTP_CODE, other: 'Use a code of your app' },
  recoveryCode: {
    label: 'Recovery code',
    input: { autoComplete: 'off', maxLength: 64, spellCheck: false },
    pattern: /\S/,
    missing: 'Enter one of the codes that you were given when you set up your second factor.',
    other: 'Use a recovery code',
  },
} as const

type SecondStepFormProps = {
  step: SignInStep
  onSignedIn(answer: SignInAnswer): void
  /** Back to email and password. */
  onAgain(): void
}

/** What is asked after the password. Keeps what was typed, whatever the answer. */
export function SecondStepForm({ step: { hasTotp, hasPasskeys }, onSignedIn, onAgain }: SecondStepFormProps) {
  const [way, setWay] = useState<keyof typeof WAYS | null>(hasTotp ? 'code' : null)
  const passkey = useMutation({
    mutationFn: async () =>
      finishStep({
        passkey: await askPasskey(await sendJson('sign-in/second-step/passkey', z.unknown(), {})),
      }),
    onSuccess: onSignedIn,
  })
  const shown = way ?? 'recoveryCode'
  const other = shown === 'recoveryCode' ? 'code' : 'recoveryCode'

  return (
    <div className="grid gap-4">
      {hasPasskeys && (
        <>
          {passkey.error && <SignInError error={passkey.error} />}
          <Button
            icon="lock"
            variant={way === null ? 'primary' : 'secondary'}
            autoFocus={way === null}
            isBusy={passkey.isPending || passkey.isSuccess}
            onClick={() => passkey.mutate()}
            className="h-9 max-sm:h-11"
          >
            Use a passkey
          </Button>
        </>
      )}
      {way && <CodeForm key={way} way={way} onSignedIn={onSignedIn} />}
      <div className="flex flex-wrap justify-between gap-2">
        {(way === null || hasTotp || way === 'code') && (
          <Button
            variant="quiet"
            size="small"
            onClick={() => setWay(way === null ? 'recoveryCode' : other)}
            className="max-sm:h-11"
          >
            {WAYS[way === null ? 'recoveryCode' : other].other}
          </Button>
        )}
        <Button variant="quiet" size="small" onClick={onAgain} className="max-sm:h-11">
          Begin again
        </Button>
      </div>
    </div>
  )
}

type CodeFormProps = { way: keyof typeof WAYS; onSignedIn(answer: SignInAnswer): void }

function CodeForm({ way, onSignedIn }: CodeFormProps) {
  const { label, input, pattern, missing } = WAYS[way]
  const finish = useMutation({ mutationFn: finishStep, onSuccess: onSignedIn })
  const [isMissing, setIsMissing] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const { error } = finish

  useEffect(() => {
    // Ready to be typed over.
    if (error) field.current?.select()
  }, [error])

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const text = String(new FormData(event.currentTarget).get('code'))
    setIsMissing(!pattern.test(text))
    if (!pattern.test(text)) return field.current?.focus()
    finish.mutate(way === 'code' ? { code: text } : { recoveryCode: text })
  }

  return (
    <form className="grid gap-4" noValidate onSubmit={submit}>
      {error && !isMissing && <SignInError error={error} />}
      <TextField ref={field} label={label} name="code" autoFocus error={isMissing && missing} {...input} />
      <Button
        type="submit"
        variant="primary"
        isBusy={finish.isPending || finish.isSuccess}
        className="mt-1 h-9 max-sm:h-11"
      >
        Continue
      </Button>
    </form>
  )
}
