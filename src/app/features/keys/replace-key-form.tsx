import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { fieldReason } from '#app/api/field-reason.ts'
import { Button } from '#app/ui/button.tsx'
import { explainError } from '#app/ui/explain-error.ts'
import { TextField } from '#app/ui/text-field.tsx'
import { type Key, newKeySchema } from '#contract/bff/key.ts'
import { keyMutations } from './key-options.ts'

/** Written, never read: the key leaves the page with the request and stays on the server. */
export function ReplaceKeyForm({ stored: { set, from, isShared } }: { stored: Key }) {
  const mutations = keyMutations(useQueryClient(), set)
  const replace = useMutation(mutations.replace)
  const remove = useMutation(mutations.remove)
  const [fault, setFault] = useState<string | undefined>()
  const isOwn = from === 'settings' && !isShared
  const failure = replace.error ?? remove.error
  const reason = fault ?? fieldReason(replace.error, 'key')

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const wanted = newKeySchema.safeParse({ key: new FormData(form).get('key') })
    setFault(wanted.error?.issues[0]?.message)
    remove.reset()
    if (wanted.success) replace.mutate(wanted.data.key, { onSuccess: () => form.reset() })
    else form.querySelector('input')?.focus()
  }

  return (
    <form noValidate onSubmit={submit} className="grid gap-3 border-line border-t p-4">
      <TextField
        label={from === null || isShared ? 'API key of this set' : 'New API key'}
        name="key"
        type="password"
        autoComplete="off"
        spellCheck={false}
        className="max-w-md"
        hint="Tried with one call first. If the source refuses it, nothing changes."
        error={reason}
      />
      {failure && !reason && (
        <p role="alert" className="text-critical text-xs">
          Nothing was changed. {explainError(failure).message}. {explainError(failure).detail}
        </p>
      )}
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" isBusy={replace.isPending} className="max-sm:h-11">
          {from === null ? 'Test and save' : 'Test and replace'}
        </Button>
        {isOwn && (
          <Button
            variant="quiet"
            isBusy={remove.isPending}
            onClick={() => {
              replace.reset()
              remove.mutate()
            }}
            className="max-sm:h-11"
          >
            {set === 'v1' ? 'Remove, and use the server’s own' : 'Remove'}
          </Button>
        )}
        <p role="status" className="text-muted text-xs">
          {replace.isSuccess && 'Replaced. It is in use everywhere.'}
          {remove.isSuccess && 'Removed.'}
        </p>
      </div>
    </form>
  )
}
