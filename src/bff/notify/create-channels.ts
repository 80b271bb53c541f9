import type { Database } from '#database/database.ts'
import type { Channel } from '#delivery/channels/channel.ts'
import { type EmailOptions, openEmailChannel } from '#delivery/channels/email-channel.ts'
import { refuse } from '#delivery/channels/read-answer.ts'
import {
  createSlackChannel,
  createTeamsChannel,
  createWebhookChannel,
  type WebChannelOptions,
} from '#delivery/channels/web-channels.ts'
import { fingerprintOf, readSigningSecrets } from './recipient-seals.ts'
import { isWanted } from './watch-queries.ts'

/** Of SMTP_URL and MAIL_FROM, NOTIFY_HOSTS and NOTIFY_DOMAINS. */
export type NotifySettings = Pick<EmailOptions, 'mail' | 'domains'> &
  Pick<WebChannelOptions, 'hosts' | 'resolve'> & {
    /** DELIVERY_RETENTION_DAYS: what ended longer ago is forgotten. */
    retentionDays: number
  }

export const NO_NOTIFYING: NotifySettings = { mail: undefined, domains: [], hosts: [], retentionDays: 90 }

/** What the ledger says of a message to whom nobody tells anything any more. */
export const WITHDRAWN = 'Not sent: its recipient was taken off, or has no access to Lantern any more.'

type ChannelOptions = Omit<NotifySettings, 'retentionDays'> &
  Pick<WebChannelOptions, 'proxy'> & { database: Database; secret: string }

/** The ways in which the dashboard tells people. */
export function createChannels({
  mail,
  domains,
  database,
  secret,
  ...web
}: ChannelOptions): Readonly<Record<string, Channel>> {
  const secretsOf = (url: string) => readSigningSecrets(database, secret, url)
  const channels: Record<string, Channel> = {
    email: openEmailChannel({ mail, domains }),
    slack: createSlackChannel(web),
    teams: createTeamsChannel(web),
    webhook: createWebhookChannel({ ...web, secretsOf }),
  }
  return Object.fromEntries(
    Object.entries(channels).map(([name, channel]) => [
      name,
      onlyWanted(name, channel, { database, secret }),
    ]),
  )
}

/** Whoever was removed while a message waited is not told: asked at each attempt. */
function onlyWanted(
  name: string,
  { send, canTellTwice }: Channel,
  { database, secret }: { database: Database; secret: string },
): Channel {
  return {
    canTellTwice,
    async send(attempt) {
      const { destination } = attempt
      const fingerprint = fingerprintOf(secret, name, destination)
      if (await isWanted(database, { channel: name, destination, fingerprint })) return send(attempt)
      return refuse(WITHDRAWN, true)
    },
  }
}
