import { useQuery } from '@tanstack/react-query'
import { sessionOptions } from '#app/features/session/session-options.ts'
import { ChipField } from '#app/ui/chip-field.tsx'
import { IconButton } from '#app/ui/icon-button.tsx'
import { SelectField } from '#app/ui/select-field.tsx'
import { TextField } from '#app/ui/text-field.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import type { WatchList, WatchRecipient } from '#contract/bff/watch.ts'
import { visibleLine } from '#contract/visible-text.ts'
import { NoEmailNote } from '../no-email-note.tsx'
import { splitEmails } from '../split-values.ts'
import type { RecipientFaults, RecipientsDraft } from './recipient-draft.ts'
import { RecipientName, recipientLine } from './recipient-name.tsx'
import { watchUsersOptions } from './recipient-options.ts'

type RecipientFieldsProps = {
  draft: RecipientsDraft
  /** Those that the watch has already. */
  recipients: readonly WatchRecipient[]
  list: WatchList | undefined
  faults: RecipientFaults
  onChange(change: Partial<RecipientsDraft>): void
}

/** Whom a watch tells. What it has already is shown masked, and can only be taken away. */
export function RecipientFields({ draft, recipients, list, faults, onChange }: RecipientFieldsProps) {
  const kept = recipients.filter(({ id }) => draft.kept.includes(id))
  const hasEmail = list?.hasEmail ?? true
  const domains = list?.domains ?? []
  return (
    <div className="grid gap-4">
      {kept.length > 0 && (
        <ul aria-label="Recipients" className="grid gap-1">
          {kept.map((recipient) => (
            <li key={recipient.id} className="flex items-center gap-2 rounded-md border border-line pl-2.5">
              <span className="wrap-anywhere min-w-0 flex-1 py-1">
                <RecipientName recipient={recipient} />
              </span>
              <IconButton
                icon="x"
                label={`Remove ${visibleLine(recipientLine(recipient))}`}
                onClick={() => onChange({ kept: draft.kept.filter((id) => id !== recipient.id) })}
              />
            </li>
          ))}
        </ul>
      )}
      <UserChoice
        draft={draft}
        takenIds={kept.flatMap((recipient) => (recipient.channel === 'user' ? [recipient.userId] : []))}
        onChange={onChange}
      />
      {hasEmail ? (
        <ChipField
          label="E-mail addresses"
          name="email"
          inputMode="email"
          hint={domains.length > 0 ? `Only at ${domains.join(', ')}.` : 'For people without an account here.'}
          values={draft.email}
          split={splitEmails}
          noteOf={(_address, at) => {
            const text = faults.get(`email.${at}`)
            return text === undefined ? null : { tone: 'danger', text }
          }}
          onChange={(email) => onChange({ email: [...new Set(email)] })}
        />
      ) : (
        <NoEmailNote />
      )}
      <AddressField
        {...{ draft, faults, onChange }}
        name="slack"
        label="Slack webhook"
        placeholder="https://hooks.slack.com/services/…"
      />
      <AddressField
        {...{ draft, faults, onChange }}
        name="teams"
        label="Teams webhook"
        placeholder="https://….logic.azure.com/workflows/…"
      />
      <AddressField
        {...{ draft, faults, onChange }}
        name="webhook"
        label="Signed webhook"
        placeholder="https://soar.example/hooks/lantern"
        hint="For a program of yours. Its signing secret is shown once, after saving."
      />
    </div>
  )
}

const NAMELESS = 'A user without a name'

type UserChoiceProps = Pick<RecipientFieldsProps, 'draft' | 'onChange'> & { takenIds: readonly string[] }

/** Oneself and the other users, by name. */
function UserChoice({ draft: { userIds }, takenIds, onChange }: UserChoiceProps) {
  const { data: session } = useQuery(sessionOptions())
  const { data } = useQuery(watchUsersOptions())
  if (!session) return null
  const me = session.user
  const others = (data?.users ?? []).filter(({ id }) => id !== me.id)
  const offered = others.filter(({ id }) => !takenIds.includes(id) && !userIds.includes(id))
  const chosen = others.filter(({ id }) => userIds.includes(id))
  const drop = (id: string) => onChange({ userIds: userIds.filter((other) => other !== id) })
  return (
    <div className="grid gap-2">
      {!takenIds.includes(me.id) && (
        <label className="flex items-center gap-2 max-sm:min-h-11">
          <input
            type="checkbox"
            className="size-4"
            checked={userIds.includes(me.id)}
            onChange={({ target }) =>
              target.checked ? onChange({ userIds: [me.id, ...userIds] }) : drop(me.id)
            }
          />
          <span className="min-w-0 truncate">
            Me <span className="text-faint text-xs">{me.email}</span>
          </span>
        </label>
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
    </div>
  )
}

type AddressFieldProps = Pick<RecipientFieldsProps, 'draft' | 'faults' | 'onChange'> & {
  name: 'slack' | 'teams' | 'webhook'
  label: string
  placeholder: string
  hint?: string
}

/** Write-only: nothing else on the page ever shows it. */
function AddressField({ draft, faults, onChange, name, hint, ...field }: AddressFieldProps) {
  return (
    <TextField
      {...field}
      name={name}
      type="url"
      autoComplete="off"
      spellCheck={false}
      value={draft[name]}
      hint={hint}
      error={faults.get(name)}
      onChange={(event) => onChange({ [name]: event.target.value })}
    />
  )
}
