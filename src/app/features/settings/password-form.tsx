import { useMutation } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { sendProved } from '#app/api/send-proved.ts'
import { ActionError } from '#app/ui/action-error.tsx'
import { Button } from '#app/ui/button.tsx'
import { TextField } from '#app/ui/text-field.tsx'
import { useForm } from '#app/ui/use-form.ts'
import { type PasswordChange, passwordChangeSchema } from '#contract/bff/profile.ts'
import { PASSWORD_MIN_LENGTH } from '#contract/bff/user.ts'

const formSchema = z.extend(passwordChangeSchema, {
  current: z.string().check(z.minLength(1, 'Enter your password.')),
})

export function PasswordForm() {
  const change = useMutation({
    mutationFn: (body: PasswordChange) =>
      sendProved('profile/password', z.undefined(), { method: 'PUT', body }),
  })
  const { error } = change
  const { submit, reasonOf } = useForm({
    schema: formSchema,
    error,
    onSubmit: (wanted, form) => change.mutate(wanted, { onSuccess: () => form.reset() }),
  })

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
