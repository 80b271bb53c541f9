import { useQuery } from '@tanstack/react-query'
import { sessionOptions } from '#app/features/session/session-options.ts'
import { IconButton } from '#app/ui/button.tsx'
import { Checkbox } from '#app/ui/checkbox.tsx'
import { SelectField, TextField } from '#app/ui/field.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import type { Recipient } from '#contract/bff/recipient.ts'
import { visibleLine } from '#contract/visible-text.ts'
import type { BuilderDraft } from '../builder/builder-draft.ts'
import type { DraftFaults } from '../builder/check-draft.ts'
import { recipientUsersOptions } from '../lantern-profile-options.ts'

export type RecipientFieldsProps = {
  draft: BuilderDraft
  onChange(change: Partial<BuilderDraft>): void
}

const NAMELESS = 'A user without a name'

type UserChoiceProps = RecipientFieldsProps & {
  recipients: readonly Recipient[]
  faults: DraftFaults
}

/** Oneself and the other users, by name. */
export function UserChoice({ draft: { kept, userIds }, recipients, faults, onChange }: UserChoiceProps) {
  const { data: session } = useQuery(sessionOptions())
  const isViewer = session?.user.role === 'viewer'
  const { data } = useQuery({ ...recipientUsersOptions(), enabled: session !== undefined && !isViewer })
  if (!session) return null
  const me = session.user
  const takenIds = recipients.flatMap((one) =>
    one.channel === 'user' && kept.includes(one.id) ? [one.userId] : [],
  )
  const others = (data?.users ?? []).filter(({ id }) => id !== me.id)
  const offered = others.filter(({ id }) => !takenIds.includes(id) && !userIds.includes(id))
  const chosen = others.filter(({ id }) => userIds.includes(id))
  const drop = (id: string) => onChange({ userIds: userIds.filter((other) => other !== id) })
  return (
    <div className="grid gap-2 text-sm">
      {!takenIds.includes(me.id) && (
        <Checkbox
          name="users"
          isChecked={userIds.includes(me.id)}
          onChange={(isOn) => (isOn ? onChange({ userIds: [me.id, ...userIds] }) : drop(me.id))}
        >
          <span className="min-w-0 truncate">
            Me <span className="text-faint text-xs">{me.email}</span>
          </span>
        </Checkbox>
      )}
      {chosen.map(({ id, name }) => (
        <span key={id} className="flex items-center gap-2 rounded-md border border-line pl-2.5">
          <span className="min-w-0 flex-1 truncate">
            <Untrusted text={name || NAMELESS} maxLength={80} clip="silent" />
          </span>
          <IconButton icon="x" label={`Remove ${visibleLine(name || NAMELESS)}`} onClick={() => drop(id)} />
        </span>
      ))}
      {offered.length > 0 && (
        <SelectField
          label="Other users"
          value=""
          onChange={({ target: { value } }) => value && onChange({ userIds: [...userIds, value] })}
        >
          <option value="">Add a user…</option>
          {offered.map(({ id, name }) => (
            <option key={id} value={id}>
              {visibleLine(name || NAMELESS)}
            </option>
          ))}
        </SelectField>
      )}
      {faults.has('users') && (
        <p role="alert" className="text-critical text-xs">
          {faults.get('users')}
        </p>
      )}
    </div>
  )
}

type SignedWebhookProps = RecipientFieldsProps & { faults: DraftFaults }

/** Write-only: nothing else on the page ever shows it. */
export function SignedWebhook({ draft, faults, onChange }: SignedWebhookProps) {
  return (
    <TextField
      label="Signed webhook"
      name="webhook"
      type="url"
      autoComplete="off"
      spellCheck={false}
      placeholder="https://soar.example/hooks/lantern"
      hint="For a program of yours. Its signing secret is shown once, after saving."
      value={draft.webhook}
      error={faults.get('webhook')}
      onChange={(event) => onChange({ webhook: event.target.value })}
    />
  )
}
