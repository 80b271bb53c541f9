import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { count, countOf } from '#app/format/count.ts'
import { ActionError } from '#app/ui/action-error.tsx'
import { AskFirst } from '#app/ui/ask-first.tsx'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import type { Column } from '#app/ui/data-table.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { SelectField, TextField } from '#app/ui/field.tsx'
import { LoadedPart } from '#app/ui/loaded-part.tsx'
import { SecretField } from '#app/ui/secret-field.tsx'
import { SectionCard } from '#app/ui/section-card.tsx'
import { Time } from '#app/ui/time.tsx'
import { useForm } from '#app/ui/use-form.ts'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import { WideTable } from '#app/ui/wide-table.tsx'
import { type CreatedServiceKey, newServiceKeySchema, type ServiceKey } from '#contract/bff/service-key.ts'
import { EARLIER_PLAN_NAMES, V1_PLAN_NAMES } from '#contract/service-key-parts.ts'
import { visibleLine } from '#contract/visible-text.ts'
import { serviceKeyMutations, serviceKeysOptions } from './key-options.ts'

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

const STATUSES = { active: 'Active', ending: 'Ending', ended: 'Revoked', expired: 'Expired' } as const

/** On phones the rest would push the actions out of sight. */
const WIDE = 'max-sm:hidden'

const COLUMNS: readonly Column<ServiceKey>[] = [
  {
    key: 'name',
    head: 'Name',
    isName: true,
    cellClassName: 'wrap-anywhere max-w-80 font-medium',
    cell: ({ name }) => name,
  },
  {
    key: 'team',
    head: 'Team',
    className: WIDE,
    cellClassName: 'wrap-anywhere max-w-60',
    cell: ({ account }) => account,
  },
  { key: 'v1', head: 'v1 plan', className: WIDE, cell: ({ v1Plan }) => v1Plan },
  { key: 'earlier', head: 'Earlier plan', className: WIDE, cell: ({ earlierPlan }) => earlierPlan },
  {
    key: 'status',
    head: 'Status',
    cell: ({ status, endsAt }) => (
      <>
        <Badge tone={status === 'active' ? 'accent' : 'neutral'}>{STATUSES[status]}</Badge>
        {endsAt && (
          <span className="ml-2 text-faint text-xs">
            <Time at={endsAt} show="day" />
          </span>
        )}
      </>
    ),
  },
  {
    key: 'requests',
    head: 'Requests today',
    className: WIDE,
    cellClassName: 'tabular-nums',
    cell: ({ requestsToday }) => count(requestsToday),
  },
]

type ServiceKeyTableProps = {
  keys: readonly ServiceKey[]
  isBusy: boolean
  onRevoke(id: string): void
}

function ServiceKeyTable({ keys, ...revoking }: ServiceKeyTableProps) {
  const columns: Column<ServiceKey>[] = [
    ...COLUMNS,
    {
      key: 'actions',
      head: <VisuallyHidden>Actions</VisuallyHidden>,
      align: 'right',
      cell: (key) => <RevokeAction serviceKey={key} {...revoking} />,
    },
  ]
  return <WideTable label="Keys of the service" columns={columns} rows={keys} rowKey={({ id }) => id} />
}

type RevokeActionProps = { serviceKey: ServiceKey; isBusy: boolean; onRevoke(id: string): void }

function RevokeAction({ serviceKey: { id, name, isOwn, status }, isBusy, onRevoke }: RevokeActionProps) {
  if (isOwn) return <span className="text-faint text-xs">Used by this dashboard</span>
  if (status === 'ended' || status === 'expired') return null
  return (
    <AskFirst
      label="Revoke"
      accessibleLabel={`Revoke ${name}`}
      warning={`Programs that use the key “${visibleLine(name)}” are refused at once.`}
      confirm="Revoke key"
      isBusy={isBusy}
      onConfirm={() => onRevoke(id)}
    />
  )
}
