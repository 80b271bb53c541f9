import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { fieldReason } from '#app/api/field-reason.ts'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { explainError } from '#app/ui/explain-error.ts'
import { SelectField } from '#app/ui/select-field.tsx'
import { TextField } from '#app/ui/text-field.tsx'
import { newUserSchema, type UserAdded } from '#contract/bff/user.ts'
import { userMutations } from './user-options.ts'

type AddUserDialogProps = {
  isOpen: boolean
  /** True if the new user gets a link to set a password. */
  hasLink: boolean
  onClose(): void
  onAdded(added: UserAdded): void
}

export function AddUserDialog({ isOpen, onClose, ...form }: AddUserDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Add user" size="small">
      <AddUserForm {...form} />
    </Dialog>
  )
}

function AddUserForm({ hasLink, onAdded }: Pick<AddUserDialogProps, 'hasLink' | 'onAdded'>) {
  const add = useMutation({ ...userMutations(useQueryClient()).add, onSuccess: onAdded })
  const [isMistyped, setIsMistyped] = useState(false)

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { email, name, role } = Object.fromEntries(new FormData(event.currentTarget))
    const wanted = newUserSchema.safeParse({ email: String(email).trim(), role, ...(name && { name }) })
    setIsMistyped(!wanted.success)
    if (wanted.success) add.mutate(wanted.data)
    else event.currentTarget.querySelector('input')?.focus()
  }
  const refusal = fieldReason(add.error, 'email')

  return (
    <form noValidate onSubmit={submit} className="grid gap-4">
      <TextField
        label="Email"
        name="email"
        type="email"
        autoComplete="off"
        spellCheck={false}
        data-first-focus
        hint={!hasLink && 'As their identity provider has it: by it they come in.'}
        error={isMistyped ? 'Enter an email address.' : refusal}
      />
      <TextField label="Name" name="name" autoComplete="off" maxLength={100} hint="They can change it." />
      <SelectField label="Role" name="role" defaultValue="analyst">
        <option value="viewer">Viewer: reads everything</option>
        <option value="analyst">Analyst: also triages and builds alerts</option>
        <option value="admin">Admin: also keys, users and the audit log</option>
      </SelectField>
      {add.error && !refusal && (
        <p role="alert" className="text-critical text-xs">
          Not added. {explainError(add.error).message}.
        </p>
      )}
      <Button type="submit" variant="primary" isBusy={add.isPending} className="max-sm:h-11">
        {hasLink ? 'Add and get a link' : 'Add'}
      </Button>
    </form>
  )
}
