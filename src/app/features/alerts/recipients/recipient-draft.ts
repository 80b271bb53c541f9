import type { RecipientDraft } from '#contract/bff/recipient.ts'

/** What the fields of recipients contain; an empty address is none. */
export type RecipientsDraft = {
  /** Ids of recipients that the profile has and keeps. */
  kept: string[]
  userIds: string[]
  email: string[]
  slack: string
  teams: string
  webhook: string
}

export const NO_RECIPIENTS: RecipientsDraft = {
  kept: [],
  userIds: [],
  email: [],
  slack: '',
  teams: '',
  webhook: '',
}

type NamedRecipient = { field: string; recipient: RecipientDraft }

/** What is sent, each with the field that it is of. */
function nameRecipients(draft: RecipientsDraft): NamedRecipient[] {
  const [slack, teams, webhook] = [draft.slack.trim(), draft.teams.trim(), draft.webhook.trim()]
  return [
    ...draft.kept.map((id) => ({ field: 'kept', recipient: { channel: 'kept', id } as const })),
    ...draft.userIds.map((userId) => ({ field: 'users', recipient: { channel: 'user', userId } as const })),
    ...draft.email.map((address, at) => ({
      field: `email.${at}`,
      recipient: { channel: 'email', address } as const,
    })),
    ...(slack === '' ? [] : [{ field: 'slack', recipient: { channel: 'slack', url: slack } as const }]),
    ...(teams === '' ? [] : [{ field: 'teams', recipient: { channel: 'teams', url: teams } as const }]),
    ...(webhook === ''
      ? []
      : [{ field: 'webhook', recipient: { channel: 'webhook', url: webhook } as const }]),
  ]
}

export function toRecipients(draft: RecipientsDraft): RecipientDraft[] {
  return nameRecipients(draft).map(({ recipient }) => recipient)
}

/** The field that `recipients.3` of a refusal is of. */
export function fieldOfRecipient(draft: RecipientsDraft, name: string): string | undefined {
  return nameRecipients(draft)[Number(name.split('.')[1])]?.field
}
