import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { countOf } from '#app/format/count.ts'
import { ActionError } from '#app/ui/action-error.tsx'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { LoadedPart } from '#app/ui/loaded-part.tsx'
import { SecretField } from '#app/ui/secret-field.tsx'
import { SectionCard } from '#app/ui/section-card.tsx'
import { SelectField } from '#app/ui/select-field.tsx'
import { TextField } from '#app/ui/text-field.tsx'
import { useForm } from '#app/ui/use-form.ts'
import { type CreatedServiceKey, newServiceKeySchema } from '#contract/bff/service-key.ts'
import { EARLIER_PLAN_NAMES, V1_PLAN_NAMES } from '#contract/service-key-parts.ts'
import { serviceKeyMutations, serviceKeysOptions } from './key-options.ts'
import { ServiceKeyTable } from './service-key-table.tsx'

/** Keys by which other programs ask Lantern's own service. */
export function ServiceKeys() {
  const query = useQuery(serviceKeysOptions())
  const { data } = query
  const revoke = useMutation(serviceKeyMutations(useQueryClient()).revoke)
  const [isMaking, setIsMaking] = useState(false)
  const [made, setMade] = useState<CreatedServiceKey | null>(null)
  return (
    <SectionCard
      title={data ? countOf(data.keys.length, 'key of the service', 'keys of the service') : 'Service keys'}
      tools={
        <Button icon="plus" size="small" onClick={() => setIsMaking(true)}>
          New key
        </Button>
      }
    >
      <ActionError error={revoke.error} className="border-line border-b px-4 py-2" />
      <LoadedPart query={query} name="the keys of the service" heights={['h-24']}>
        {({ keys }) => (
          <ServiceKeyTable keys={keys} isBusy={revoke.isPending} onRevoke={(id) => revoke.mutate(id)} />
        )}
      </LoadedPart>
      <Dialog isOpen={isMaking} onClose={() => setIsMaking(false)} title="New service key" size="small">
        <NewServiceKeyForm
          onMade={(created) => {
            setIsMaking(false)
            setMade(created)
          }}
        />
      </Dialog>
      <Dialog isOpen={made !== null} onClose={() => setMade(null)} title="The key">
        {made && <MadeKey token={made.token} />}
      </Dialog>
    </SectionCard>
  )
}

function MadeKey({ token }: { token: string }) {
  return (
    <div className="grid gap-3">
      <p>Copy it now: it is not kept and not shown again. Programs send it as a Bearer token.</p>
      <SecretField label="Key" value={token} isFirstFocus />
    </div>
  )
}

/** A trial runs for 14 days, as the service's own command has it. */
function NewServiceKeyForm({ onMade }: { onMade(created: CreatedServiceKey): void }) {
  const create = useMutation({ ...serviceKeyMutations(useQueryClient()).create, onSuccess: onMade })
  const { submit, reasonOf } = useForm({
    schema: newServiceKeySchema,
    error: create.error,
    onSubmit: (key) => create.mutate(key),
  })

  return (
    <form noValidate onSubmit={submit} className="grid gap-4">
      <TextField
        label="Name"
        name="name"
        autoComplete="off"
        data-first-focus
        hint="What uses the key."
        error={reasonOf('name')}
      />
      <TextField
        label="Team"
        name="account"
        autoComplete="off"
        hint="Keys of one team share its alert profiles."
        error={reasonOf('account')}
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
      {!reasonOf('name') && !reasonOf('account') && <ActionError error={create.error} not="made" />}
      <Button type="submit" variant="primary" isBusy={create.isPending} className="max-sm:h-11">
        Make key
      </Button>
    </form>
  )
}
