import type { Log } from '#bff/http/log.ts'
import { HOUR_MS } from '#contract/duration.ts'
import type { Database } from '#database/database.ts'
import type { Channel } from '#database/listen.ts'
import type { OpenDatabase } from '#database/open-database.ts'
import type { LeaveOutRemoved } from '#delivery/causes.ts'
import type { WebChannelOptions } from '#delivery/channels/web-channels.ts'
import { keepDestinations } from '#delivery/destination-queries.ts'
import { resealDestinations } from '#delivery/destinations.ts'
import { pruneDeliveries } from '#delivery/prune-deliveries.ts'
import { runDeliveries } from '#delivery/run-deliveries.ts'
import { startLoop } from '#server/start-loop.ts'
import { createChannels, type NotifySettings } from './create-channels.ts'
import { linkToMatches } from './link-to-matches.ts'
import { destinationsOf, leaveOutFormer, leaveOutUnwanted, readRecipientsOf } from './recipient-queries.ts'
import { createLedgerAccess, fingerprintOf, resealRecipients } from './recipient-seals.ts'

type NotifyingOptions = {
  database: OpenDatabase
  secret: string
  /** Browsers find Lantern here. */
  origin: string
  notify: NotifySettings
  proxy?: WebChannelOptions['proxy']
  log: Log
}

export type Notifying = { notices: Channel; stop(): Promise<void> }

/** Sends the dashboard's messages in the background, and deletes old ones. */
export function startNotifying({
  database,
  secret,
  origin,
  notify,
  proxy,
  log,
}: NotifyingOptions): Notifying {
  const access = createLedgerAccess(secret)
  const worker = runDeliveries({
    database,
    secret,
    channels: createChannels({ ...notify, database, secret, origin, proxy }),
    leaveOutRemoved: (tx, removed) => leaveOutRemoved(tx, secret, removed),
    linkTo: (deliveryId) => linkToMatches(database, origin, deliveryId),
    onError: (error) => log.error('delivery-failed', error),
  })

  async function prune(): Promise<void> {
    const recipients = await readRecipientsOf(database, null)
    await keepDestinations(database, destinationsOf(recipients, { secret, hasEmail: true }), access)
    await pruneDeliveries(database, { days: notify.retentionDays, readNow: access.readNow })
  }

  const pruning = startLoop(prune, {
    everyMs: HOUR_MS,
    onFault: (error) => log.error('deliveries-not-pruned', error),
  })
  return {
    notices: worker.notices,
    async stop() {
      await Promise.all([worker.stop(), pruning.stop()])
    },
  }
}

/** Waiting messages of a profile are not sent to a removed recipient, or to a user who may no longer sign in. */
async function leaveOutRemoved(
  tx: Database,
  secret: string,
  { id, channel, destination }: Parameters<LeaveOutRemoved>[1],
): Promise<void> {
  await leaveOutFormer(tx, id)
  // Sealed by another SECRET: the attempt says so.
  if (destination === null) return
  const fingerprint = fingerprintOf(secret, channel, destination)
  await leaveOutUnwanted(tx, { deliveryId: id, channel, destination, fingerprint })
}

/** After SECRET was replaced: what the one before has sealed is read by the new one. */
export async function resealNotifying(
  database: OpenDatabase,
  secrets: { secret: string; before: string },
): Promise<void> {
  await resealDestinations(database, secrets)
  await resealRecipients(database, secrets)
}
