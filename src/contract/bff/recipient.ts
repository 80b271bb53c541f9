import * as z from 'zod/mini'
import { isHostOf } from '../host-pattern.ts'
import { idSchema } from '../id.ts'
import { destinationHealthSchema } from './alert-health.ts'

const RECIPIENTS_MAX_COUNT = 20

/** Whom a profile of Lantern notifies, as it is shown: never a whole webhook. */
export const recipientSchema = z.discriminatedUnion('channel', [
  /** A user of this Lantern, by whatever address the account has. */
  z.object({
    channel: z.literal('user'),
    id: z.uuid(),
    userId: z.uuid(),
    name: z.string(),
    /** Health of messages by email. Absent if no mail server is set up or the user may not sign in. */
    health: z.optional(destinationHealthSchema),
  }),
  z.object({
    channel: z.enum(['email', 'slack', 'teams', 'webhook']),
    id: z.uuid(),
    /** Masked. */
    destination: z.string(),
    health: destinationHealthSchema,
  }),
])
export type Recipient = z.infer<typeof recipientSchema>

/** Checks the form of a webhook address only. The server, which knows NOTIFY_HOSTS, checks its host. */
const webhookTextSchema = z.string().check(
  z.refine((text) => webAddressFault(text) === null, {
    error: ({ input }) => webAddressFault(String(input)) ?? undefined,
  }),
)

const webAddressSchema = z
  .string()
  .check(z.trim(), z.maxLength(2048), z.refine(URL.canParse, 'This is not a web address.'))

/** Write-only: they come back masked. `kept` is one that the profile already has. */
export const recipientDraftSchema = z.discriminatedUnion('channel', [
  z.strictObject({ channel: z.literal('kept'), id: idSchema }),
  z.strictObject({ channel: z.literal('user'), userId: idSchema }),
  z.strictObject({ channel: z.literal('email'), address: z.email().check(z.maxLength(254)) }),
  z.strictObject({ channel: z.literal('slack'), url: webhookTextSchema }),
  z.strictObject({ channel: z.literal('teams'), url: webhookTextSchema }),
  z.strictObject({ channel: z.literal('webhook'), url: webAddressSchema }),
])
export type RecipientDraft = z.infer<typeof recipientDraftSchema>

export const recipientDraftsSchema = z
  .array(recipientDraftSchema)
  .check(z.minLength(1), z.maxLength(RECIPIENTS_MAX_COUNT))

/** Answer of `GET /bff/alert-profiles/users` (analysts): who may be notified or mentioned, by name. */
export const recipientUsersSchema = z.object({
  users: z.array(
    z.object({
      id: z.uuid(),
      name: z.string(),
      /** The address of those whose name another user has, too. */
      email: z._default(z.nullable(z.string()), null),
    }),
  ),
})

export type WebhookKind = 'slack' | 'teams'

const MAX_LENGTH = 2048

const SLACK_HOST = /^hooks\.slack(-gov)?\.com$/
const RETIRED_TEAMS_HOST = /(^|\.)webhook\.office(365)?\.com$|^outlook\.office(365)?\.com$/
// Power Automate's two kinds of addresses, in Microsoft's public and national clouds.
const WORKFLOWS_HOST =
  /\.(logic\.azure\.(com|us|cn)|api\.powerplatform\.(com|us|cn|partner\.microsoftonline\.cn))$/

const SLACK_EXAMPLE = 'https://hooks.slack.com/services/…'
const WORKFLOWS_HOW =
  'In Teams, add the workflow “Send webhook alerts to a channel” and paste the address that it shows.'

/** Why a text is no address that any webhook can have, for a person; null when it is one. */
export function webAddressFault(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || /[^\x21-\x7e]/.test(text)) return 'This is not a web address.'
  if (url.protocol !== 'https:') return 'The address has to begin with https://.'
  if (url.username !== '' || url.password !== '')
    return 'The address must not contain a user name or a password.'
  return text.length > MAX_LENGTH ? 'The address is too long.' : null
}

/**
 * Why a text is no address that this kind of webhook can have, for a person; null when it is one. `hosts` are those of
 * NOTIFY_HOSTS, which may take webhooks of any kind.
 */
export function webhookFault(kind: WebhookKind, text: string, hosts: readonly string[]): string | null {
  const fault = webAddressFault(text)
  if (fault !== null) return fault
  const url = new URL(text)
  const host = url.hostname.replace(/\.$/, '')
  if (hosts.some((permitted) => isHostOf(permitted, host))) return null
  return kind === 'slack' ? slackFault(url) : teamsFault(url)
}

function slackFault({ hostname, port, pathname }: URL): string | null {
  if (!SLACK_HOST.test(hostname) || port !== '') return `Slack webhooks look like ${SLACK_EXAMPLE}`
  return /^\/(services|workflows|triggers)\/./.test(pathname)
    ? null
    : `The address is cut short: Slack webhooks look like ${SLACK_EXAMPLE}`
}

function teamsFault({ hostname, pathname }: URL): string | null {
  if (RETIRED_TEAMS_HOST.test(hostname)) {
    return `Microsoft has switched off Office 365 connectors: messages to this address are lost. ${WORKFLOWS_HOW}`
  }
  if (!WORKFLOWS_HOST.test(hostname)) return `This is no address of a Teams workflow. ${WORKFLOWS_HOW}`
  return pathname.includes('/workflows/') ? null : `The address is cut short. ${WORKFLOWS_HOW}`
}
