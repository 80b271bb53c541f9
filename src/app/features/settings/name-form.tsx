import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { Button } from '#app/ui/button.tsx'
import { explainError } from '#app/ui/explain-error.ts'
import { TextField } from '#app/ui/text-field.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { fieldReason } from '#app/ui/use-form.ts'
import type { Profile } from '#contract/bff/profile.ts'
import { renameMutation } from './profile-options.ts'

const WAYS = {
  password: 'a password',
  singleSignOn: 'single sign-on',
  both: 'a password or single sign-on',
} as const

export function NameForm({ profile }: { profile: Profile }) {
  const rename = useMutation(renameMutation(useQueryClient()))
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    rename.mutate(String(new FormData(event.currentTarget).get('name')))
  }
  const way =
    profile.hasSingleSignOn && profile.hasPassword
      ? 'both'
      : profile.hasSingleSignOn
        ? 'singleSignOn'
        : 'password'
  const { error } = rename

  return (
    <form onSubmit={submit} className="grid gap-4 p-4">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-1.5 text-sm">
        <dt className="text-muted">Email</dt>
        <dd className="wrap-anywhere">
          <Untrusted text={profile.email} isRaw />
        </dd>
        <dt className="text-muted">Role</dt>
        <dd className="first-letter:uppercase">{profile.role}</dd>
        <dt className="text-muted">Signs in by</dt>
        <dd>{WAYS[way]}</dd>
      </dl>
      <div className="flex items-end gap-2">
        <TextField
          label="Name"
          name="name"
          autoComplete="name"
          required
          maxLength={100}
          defaultValue={profile.name}
          className="flex-1"
          error={error && (fieldReason(error, 'name') ?? explainError(error).message)}
        />
        <Button type="submit" isBusy={rename.isPending} className="max-sm:h-11">
          Save name
        </Button>
      </div>
    </form>
  )
}
