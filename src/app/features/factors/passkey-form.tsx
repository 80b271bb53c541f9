import { useMutation, useQueryClient } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { createPasskey } from '#app/api/passkey.ts'
import { sendProved } from '#app/api/send-json.ts'
import { ActionError } from '#app/ui/action-error.tsx'
import { Button } from '#app/ui/button.tsx'
import { TextField } from '#app/ui/field.tsx'
import { useForm } from '#app/ui/use-form.ts'
import { type FactorsChanged, factorsChangedSchema, passkeyChangeSchema } from '#contract/bff/factor.ts'
import { noteFactors } from './factor-options.ts'

type PasskeyFormProps = {
  /** The one to rename; a new one is made without. */
  passkey?: { id: string; name: string } | undefined
  onDone(changed: FactorsChanged): void
}

export function PasskeyForm({ passkey, onDone }: PasskeyFormProps) {
  const onSuccess = noteFactors(useQueryClient())
  const add = useMutation({
    mutationFn: async (name: string) => {
      const made = await createPasskey(await sendProved('factors/passkeys/options', z.unknown(), {}))
      return sendProved('factors/passkeys', factorsChangedSchema, { body: { name, passkey: made } })
    },
    onSuccess,
  })
  const rename = useMutation({
    mutationFn: ({ id, name }: { id: string; name: string }) =>
      sendProved(`factors/passkeys/${id}`, factorsChangedSchema, { method: 'PUT', body: { name } }),
    onSuccess,
  })
  const failure = add.error ?? rename.error
  const { submit, reasonOf } = useForm({
    schema: passkeyChangeSchema,
    error: failure,
    onSubmit({ name }) {
      if (passkey) rename.mutate({ id: passkey.id, name }, { onSuccess: onDone })
      else add.mutate(name, { onSuccess: onDone })
    },
  })
  const reason = reasonOf('name')

  return (
    <form noValidate onSubmit={submit} className="grid gap-4">
      {!passkey && (
        <p className="text-muted">
          A passkey is kept by this device, a password manager or a security key. Your browser asks where.
        </p>
      )}
      <TextField
        label="Name of the passkey"
        name="name"
        autoComplete="off"
        maxLength={60}
        defaultValue={passkey?.name ?? ''}
        hint="What holds it, such as “Work laptop”."
        autoFocus
        data-first-focus
        error={reason}
      />
      {!reason && <ActionError error={failure} not={passkey ? 'renamed' : 'added'} />}
      <Button
        type="submit"
        variant="primary"
        isBusy={add.isPending || rename.isPending}
        className="max-sm:h-11"
      >
        {passkey ? 'Save name' : 'Add passkey'}
      </Button>
    </form>
  )
}
