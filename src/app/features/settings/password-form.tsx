import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import * as z from 'zod/mini'
import { fieldReason } from '#app/api/field-reason.ts'
import { sendProved } from '#app/api/send-proved.ts'
import { ActionError } from '#app/ui/action-error.tsx'
import { Button } from '#app/ui/button.tsx'
import { TextField } from '#app/ui/text-field.tsx'
import { type PasswordChange, passwordChangeSchema } from '#contract/bff/profile.ts'
import { PASSWORD_MIN_LENGTH } from '#contract/bff/user.ts'

export function PasswordForm() {
  const change = useMutation({
    mutationFn: (body: PasswordChange) =>
      sendProved('profile/password', z.undefined(), { method: 'PUT', body }),
  })
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({})

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const entries = Object.fromEntries(new FormData(form))
    const wanted = passwordChangeSchema.safeParse(entries)
    setFaults(
      Object.fromEntries(
        wanted.error?.issues.map(({ path, message }) => [
          String(path[0]),
          path[0] === 'current' ? 'Enter your password.' : message,
        ]) ?? [],
      ),
    )
    if (wanted.success) change.mutate(wanted.data, { onSuccess: () => form.reset() })
    else form.querySelector<HTMLElement>(`[name=${String(wanted.error.issues[0]?.path[0])}]`)?.focus()
  }
  const { error } = change
  const reasonOf = (name: string) => faults[name] ?? fieldReason(error, name)

  return (
    <form noValidate onSubmit={submit} className="grid gap-4 p-4">
      <TextField
        label="Current password"
        name="current"
        type="password"
        autoComplete="current-password"
        error={reasonOf('current')}
      />
      <TextField
        label="New password"
        name="password"
        type="password"
        autoComplete="new-password"
        hint={`${PASSWORD_MIN_LENGTH} characters or more. Several unrelated words make a good one.`}
        error={reasonOf('password')}
      />
      {!reasonOf('current') && !reasonOf('password') && <ActionError error={error} not="changed" />}
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" isBusy={change.isPending} className="max-sm:h-11">
          Change password
        </Button>
        <p role="status" className="text-muted text-xs">
          {change.isSuccess
            ? 'Changed. Every other browser is signed out.'
            : 'Every other browser will be signed out.'}
        </p>
      </div>
    </form>
  )
}
