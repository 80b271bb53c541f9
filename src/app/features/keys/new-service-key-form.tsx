import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Button } from '#app/ui/button.tsx'
import { explainError } from '#app/ui/explain-error.ts'
import { SelectField } from '#app/ui/select-field.tsx'
import { TextField } from '#app/ui/text-field.tsx'
import { type CreatedServiceKey, newServiceKeySchema } from '#contract/bff/service-key.ts'
import { EARLIER_PLAN_NAMES, V1_PLAN_NAMES } from '#contract/service-key-parts.ts'
import { serviceKeyMutations } from './key-options.ts'

/** A trial runs for 14 days, as the service's own command has it. */
export function NewServiceKeyForm({ onMade }: { onMade(created: CreatedServiceKey): void }) {
  const create = useMutation({ ...serviceKeyMutations(useQueryClient()).create, onSuccess: onMade })
  const [faults, setFaults] = useState<ReadonlyMap<string, string>>(new Map())

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const wanted = newServiceKeySchema.safeParse(Object.fromEntries(new FormData(event.currentTarget)))
    const issues = wanted.error?.issues ?? []
    setFaults(new Map(issues.map(({ path, message }) => [String(path[0]), message])))
    if (wanted.success) create.mutate(wanted.data)
    else event.currentTarget.querySelector<HTMLElement>(`[name=${String(issues[0]?.path[0])}]`)?.focus()
  }

  return (
    <form noValidate onSubmit={submit} className="grid gap-4">
      <TextField
        label="Name"
        name="name"
        autoComplete="off"
        data-first-focus
        hint="What uses the key."
        error={faults.get('name')}
      />
      <TextField
        label="Team"
        name="account"
        autoComplete="off"
        hint="Keys of one team share its alert profiles."
        error={faults.get('account')}
      />
      <SelectField label="v1 plan" name="v1Plan" defaultValue="protection">
        {V1_PLAN_NAMES.map((plan) => (
          <option key={plan}>{plan}</option>
        ))}
      </SelectField>
      <SelectField label="Earlier plan" name="earlierPlan" defaultValue="none">
        {EARLIER_PLAN_NAMES.map((plan) => (
          <option key={plan}>{plan}</option>
        ))}
      </SelectField>
      {create.error && (
        <p role="alert" className="text-critical text-xs">
          Not made. {explainError(create.error).message}.
        </p>
      )}
      <Button type="submit" variant="primary" isBusy={create.isPending} className="max-sm:h-11">
        Make key
      </Button>
    </form>
  )
}
