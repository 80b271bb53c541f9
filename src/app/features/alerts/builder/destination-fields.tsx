import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense } from 'react'
import { sessionOptions } from '#app/features/session/session-options.ts'
import { sourceOptions } from '#app/features/source/source-options.ts'
import { ChipField, type ChipNote } from '#app/ui/chip-field.tsx'
import { TextField } from '#app/ui/field.tsx'
import { useTimeZone } from '#app/ui/preferences.ts'
import { Untrusted } from '#app/ui/untrusted.tsx'
import type { AlertTest } from '#contract/bff/alert.ts'
import { knownAlertListOptions } from '../alert-options.ts'
import { TestedRow } from '../deliveries/tested-row.tsx'
import { testDestination } from '../profiles/profile-mutations.ts'
import type { BuilderDraft } from './builder-draft.ts'
import type { DraftFaults } from './check-draft.ts'
import { splitEmails } from './split-values.ts'

// Not on the way to the page: fetched with the first destination that can be tried.
const TestButton = lazy(async () => ({ default: (await import('../deliveries/test-button.tsx')).TestButton }))

type DestinationFieldsProps = {
  draft: BuilderDraft
  faults: DraftFaults
  onChange(change: Partial<BuilderDraft>): void
}

/** Addresses that any profile may have, but for those that it keeps; each may be tried before it is saved, where Lantern's own service sends. */
export function DestinationFields({ draft, faults, onChange }: DestinationFieldsProps) {
  const { data: source } = useQuery(sourceOptions())
  const { data: session } = useQuery(sessionOptions())
  // The vendor sends the messages of profiles in its account.
  const { data: list } = useQuery({
    ...knownAlertListOptions(useTimeZone()),
    enabled: source?.isOwnService === true,
  })
  const canTest = Boolean(list?.extension) && session !== undefined && session.user.role !== 'viewer'
  const field = { draft, faults, canTest, onChange }
  return (
    <>
      {!draft.kept.includes('email') && (
        <div className="grid gap-1">
          <ChipField
            label="Email"
            name="email"
            inputMode="email"
            error={faults.get('email')}
            values={draft.email}
            split={splitEmails}
            noteOf={(_address, at) => noteOf(faults.get(`email.${at}`))}
            onChange={(email) => onChange({ email: [...new Set(email)] })}
          />
          {canTest &&
            draft.email.map(
              (address, at) =>
                !faults.has(`email.${at}`) && (
                  <Tried key={address} label={address} test={{ channel: 'email', destination: address }} />
                ),
            )}
        </div>
      )}
      <WebhookField
        {...field}
        label="Slack webhook"
        name="slack"
        placeholder="https://hooks.slack.com/services/…"
        hint="From an incoming webhook of your Slack workspace."
      />
      <WebhookField
        {...field}
        label="Teams webhook"
        name="teams"
        placeholder="https://….logic.azure.com/workflows/…"
        hint="From a workflow of your Teams channel, not from an Office 365 connector."
      />
    </>
  )
}

type WebhookFieldProps = DestinationFieldsProps & {
  label: string
  name: 'slack' | 'teams'
  placeholder: string
  hint: string
  canTest: boolean
}

/** Whatever is typed, nothing else on the page ever shows it. */
function WebhookField({ draft, faults, canTest, hint, onChange, ...field }: WebhookFieldProps) {
  const { name } = field
  const value = draft[name]
  const fault = faults.get(name)
  if (draft.kept.includes(name)) return null
  return (
    <div className="grid gap-1">
      <TextField
        {...field}
        type="url"
        value={value}
        spellCheck={false}
        hint={value.trim() !== '' && !fault ? 'The address has the right form.' : hint}
        error={fault}
        onChange={(event) => onChange({ [name]: event.target.value })}
      />
      {canTest && value.trim() !== '' && !fault && (
        <Tried key={value} label={null} test={{ channel: name, destination: value.trim() }} />
      )}
    </div>
  )
}

/** Gone with what was typed: an outcome is of one address. */
function Tried({ label, test }: { label: string | null; test: AlertTest }) {
  return (
    <TestedRow
      test={
        <Suspense>
          <TestButton subject={label ?? `this ${test.channel} webhook`} send={() => testDestination(test)} />
        </Suspense>
      }
    >
      {label !== null && (
        <span className="text-muted text-xs">
          <Untrusted text={label} maxLength={80} clip="silent" isRaw />
        </span>
      )}
    </TestedRow>
  )
}

export function noteOf(fault: ReactNode): ChipNote | null {
  return fault === undefined ? null : { tone: 'danger', text: fault }
}
