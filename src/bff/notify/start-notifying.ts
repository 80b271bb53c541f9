import type { Log } from '#bff/http/log.ts'
import type { Database } from '#database/database.ts'
import type { OpenDatabase } from '#database/open-database.ts'
import type { LeaveOutRemoved } from '#delivery/causes.ts'
import type { WebChannelOptions } from '#delivery/channels/web-channels.ts'
import { resealDestinations } from '#delivery/destinations.ts'
import { type DeliveryWorker, runDeliveries } from '#delivery/run-deliveries.ts'
import { createChannels, type NotifySettings } from './create-channels.ts'
import { linkToMatches } from './link-to-matches.ts'
import { leaveOutFormer, leaveOutUnwanted } from './recipient-queries.ts'
import { fingerprintOf, resealRecipients } from './recipient-seals.ts'

type NotifyingOptions = {
  database: OpenDatabase
  secret: string
  /** The origin at which browsers reach Lantern. */
  origin: string
  notify: NotifySettings
  proxy?: WebChannelOptions['proxy']
  log: Log
}

/** Sends the dashboard's messages in the background. */
export function startNotifying({
  database,
  secret,
  origin,
  notify,
  proxy,
  log,
}: NotifyingOptions): DeliveryWorker {
  return runDeliveries({
    database,
    secret,
    channels: createChannels({ ...notify, database, secret, origin, proxy }),
    leaveOutRemoved: (tx, removed) => leaveOutRemoved(tx, secret, removed),
    linkTo: (deliveryId) => linkToMatches(database, origin, deliveryId),
    onError: (error) => log.error('delivery-failed', error),
  })
}

/** Waiting messages of a profile are not sent to a removed recipient, or to a user who may no longer sign in. */
async function leaveOutRemoved(
  tx: Database,
  secret: string,
  { id, channel, destination }: Parameters<LeaveOutRemoved>[1],
): Promise<void> {
  await leaveOutFormer(tx, id)
  // The destination was sealed with another SECRET. The attempt reports this.
  if (destination === null) return
  const fingerprint = fingerprintOf(secret, channel, destination)
  await leaveOutUnwanted(tx, { deliveryId: id, channel, destination, fingerprint })
}

/** Seals stored recipients with the new SECRET after the operator replaced it. */
export async function resealNotifying(
  database: OpenDatabase,
  secrets: { secret: string; before: string },
): Promise<void> {
  await resealDestinations(database, secrets)
  await resealRecipients(database, secrets)
}
