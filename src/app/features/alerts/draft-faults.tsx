import { ApiError } from '#app/api/api-error.ts'
import { Untrusted } from '#app/ui/untrusted.tsx'
import type { AlertChange, AlertDraft } from '#contract/bff/alert.ts'
import { type BuilderDraft, fieldOfRecipient } from './builder-draft.ts'
import type { DraftFaults } from './check-draft.ts'

const TYPED_FAR_ENOUGH = 'https://'.length

/** Faults shown before the first press of the button: only those that more typing does not fix. */
export function faultsWhileTyping(
  faults: DraftFaults,
  { slack, teams, webhook }: Pick<BuilderDraft, 'slack' | 'teams' | 'webhook'>,
): DraftFaults {
  const typed = new Map([
    ['slack', slack.trim()],
    ['teams', teams.trim()],
    ['webhook', webhook.trim()],
  ])
  return new Map(
    [...faults].filter(([field]) => {
      const address = typed.get(field)
      return address === undefined ? field.includes('.') : address.length >= TYPED_FAR_ENOUGH
    }),
  )
}

/** The fields that were refused when the draft was sent, but for those that have changed since. */
export function refusedFields(
  error: Error | null,
  sent: AlertChange | undefined,
  now: AlertDraft,
): DraftFaults {
  const fields = error instanceof ApiError ? (error.problem.fields ?? []) : []
  const [before, after] = [new Map(Object.entries(sent ?? {})), new Map(Object.entries(now))]
  const standing = fields.filter(({ name }) => {
    const [member = ''] = name.split('.')
    return before.get(member) === after.get(member)
  })
  // The vendor's words: third-party text.
  return new Map(
    standing.map(({ name, reason }) => [name, <Untrusted key={name} text={reason} maxLength={300} />]),
  )
}

/** The recipients that were refused when the draft was sent to Lantern. */
export function refusedRecipients(error: Error | null, draft: BuilderDraft): DraftFaults {
  const fields = error instanceof ApiError ? (error.problem.fields ?? []) : []
  return new Map(
    fields.flatMap(({ name, reason }) => {
      const field = name.startsWith('recipients.') ? fieldOfRecipient(draft, name) : undefined
      return field === undefined ? [] : [[field, reason] as const]
    }),
  )
}

/** Leads to the first field at fault, in the order of the form. */
export function focusFirstFault(form: HTMLFormElement | null, faults: DraftFaults): void {
  const members = new Set([...faults.keys()].map((field) => field.split('.')[0]))
  const controls = [...(form?.querySelectorAll('input') ?? [])]
  controls.find(({ name }) => name !== '' && members.has(name))?.focus()
}
