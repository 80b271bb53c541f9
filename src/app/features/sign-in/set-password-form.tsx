import { type FormEvent, useState } from 'react'
import { fieldReason } from '#app/api/field-reason.ts'
import { Button } from '#app/ui/button.tsx'
import { TextField } from '#app/ui/text-field.tsx'
import { PASSWORD_MIN_LENGTH, passwordSchema } from '#contract/bff/user.ts'
import { SignInError } from './sign-in-error.tsx'

type SetPasswordFormProps = {
  isBusy: boolean
  error: Error | null
  onSubmit(password: string): void
}

/** For those whom an admin has sent a link. */
export function SetPasswordForm({ isBusy, error, onSubmit }: SetPasswordFormProps) {
  const [fault, setFault] = useState<string | null>(null)
  const refusal = fieldReason(error, 'password')

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const password = passwordSchema.safeParse(new FormData(event.currentTarget).get('password'))
    setFault(password.error?.issues.at(0)?.message ?? null)
    if (password.success) return onSubmit(password.data)
    event.currentTarget.querySelector('input')?.focus()
  }

  return (
    <form className="grid gap-4" noValidate onSubmit={submit}>
      {error && !refusal && !fault && <SignInError error={error} />}
      <TextField
        label="New password"
        name="password"
        type="password"
        autoComplete="new-password"
        autoFocus
        hint={`${PASSWORD_MIN_LENGTH} characters or more. Several unrelated words make a good one.`}
        error={fault ?? refusal}
      />
      <Button type="submit" variant="primary" isBusy={isBusy} className="mt-1 h-9 max-sm:h-11">
        Set password and sign in
      </Button>
    </form>
  )
}
