import type { Database } from '#database/database.ts'
import type { Channel } from '#delivery/channels/channel.ts'
import { createEmailChannel, type EmailOptions } from '#delivery/channels/email-channel.ts'
import { refuse } from '#delivery/channels/read-answer.ts'
import {
  sendToSlack,
  sendToTeams,
  sendToWebhook,
  type WebChannelOptions,
} from '#delivery/channels/web-channels.ts'
import { isAddressOfUser } from './recipient-queries.ts'
import { readSigningSecrets } from './recipient-seals.ts'
import { unsubscribeLink } from './unsubscribe.ts'

/** The values of SMTP_URL and MAIL_FROM, NOTIFY_HOSTS and NOTIFY_DOMAINS. */
export type NotifySettings = EmailOptions & WebChannelOptions

/** The ledger shows this for a message whose recipient was removed or lost access. */
export const WITHDRAWN = 'Not sent: its recipient was taken off, or has no access to Lantern any more.'

type ChannelOptions = EmailOptions &
  WebChannelOptions & {
    database: Database
    secret: string
    /** The origin at which browsers reach Lantern. */
    origin: string
  }

/** Creates the channels of the dashboard. */
export function createChannels({
  mail,
  domains,
  database,
  secret,
  origin,
  ...web
}: ChannelOptions): Readonly<Record<string, Channel>> {
  const secretsOf = (url: string) => readSigningSecrets(database, secret, url)
  const email = createEmailChannel({
    mail,
    domains,
    unsubscribeLink: (id) => unsubscribeLink(secret, origin, id),
  })
  return {
    email: onlyToUsers(database, email),
    slack: onlyToUsers(database, { recognizesRepeats: false, send: (attempt) => sendToSlack(web, attempt) }),
    teams: onlyToUsers(database, { recognizesRepeats: false, send: (attempt) => sendToTeams(web, attempt) }),
    webhook: onlyToUsers(database, {
      recognizesRepeats: true,
      hasPages: true,
      send: (attempt) => sendToWebhook({ ...web, secretsOf }, attempt),
    }),
  }
}

/** A notice is not sent to an account that was removed while the message waited. */
function onlyToUsers(database: Database, { send, ...channel }: Channel): Channel {
  return {
    ...channel,
    async send(attempt) {
      // Recipients of matches were checked when the message was claimed. A test is sent to any destination that a
      // person enters.
      if (attempt.message.kind !== 'notice') return send(attempt)
      if (await isAddressOfUser(database, attempt.destination)) return send(attempt)
      return refuse(WITHDRAWN, true)
    },
  }
}
