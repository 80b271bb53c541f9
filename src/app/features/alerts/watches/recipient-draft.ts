import { type RecipientDraft, recipientDraftSchema, type Watch } from '#contract/bff/watch.ts'
import { webhookFault } from '#contract/bff/webhook-fault.ts'

/** What the dialog's fields contain; an empty address is none. */
export type RecipientsDraft = {
  /** Ids of recipients that the watch has and keeps. */
  kept: readonly string[]
  userIds: readonly string[]
  email: readonly string[]
  slack: string
  teams: string
  webhook: string
}

export function startRecipients(watch: Watch | null, ownId: string): RecipientsDraft {
  return {
    kept: watch?.recipients.map(({ id }) => id) ?? [],
    userIds: watch ? [] : [ownId],
    email: [],
    slack: '',
    teams: '',
    webhook: '',
  }
}

/** What is sent. */
export function toRecipients(draft: RecipientsDraft): RecipientDraft[] {
  const [slack, teams, webhook] = [draft.slack.trim(), draft.teams.trim(), draft.webhook.trim()]
  return [
    ...draft.kept.map((id) => ({ channel: 'kept', id }) as const),
    ...draft.userIds.map((userId) => ({ channel: 'user', userId }) as const),
    ...draft.email.map((address) => ({ channel: 'email', address }) as const),
    ...(slack ? [{ channel: 'slack', url: slack } as const] : []),
    ...(teams ? [{ channel: 'teams', url: teams } as const] : []),
    ...(webhook ? [{ channel: 'webhook', url: webhook } as const] : []),
  ]
}

export type RecipientFaults = ReadonlyMap<string, string>

/**
 * Why a field cannot be sent as it is: `email.0`, `slack`, `teams`, `webhook`. `hosts` are those that webhooks of every kind
 * may lead to.
 */
export function findRecipientFaults(draft: RecipientsDraft, hosts: readonly string[]): RecipientFaults {
  const faults: (readonly [string, string | null])[] = [
    ...draft.email.map((address, at) => [`email.${at}`, emailFault(address)] as const),
    ['slack', draft.slack.trim() ? webhookFault('slack', draft.slack.trim(), hosts) : null],
    ['teams', draft.teams.trim() ? webhookFault('teams', draft.teams.trim(), hosts) : null],
    ['webhook', webhookUrlFault(draft.webhook.trim())],
  ]
  return new Map(faults.flatMap(([field, fault]) => (fault === null ? [] : [[field, fault] as const])))
}

function emailFault(address: string): string | null {
  const { success } = recipientDraftSchema.safeParse({ channel: 'email', address })
  return success ? null : 'This is not an email address.'
}

function webhookUrlFault(url: string): string | null {
  if (url === '') return null
  const isUrl = recipientDraftSchema.safeParse({ channel: 'webhook', url }).success
  return isUrl && /^https:\/\//i.test(url) ? null : 'Enter an address that begins with https://.'
}
