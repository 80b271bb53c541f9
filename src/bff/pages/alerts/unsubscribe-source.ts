import { listNamedDestinations, readSourceProfiles } from '#bff/alerts/source-profiles.ts'
import { listSourceCauses, lockSourceProfiles, storeRecipients } from '#bff/alerts/source-queries.ts'
import { createLedgerAccess } from '#bff/notify/recipient-seals.ts'
import type { Unsubscribed, Unsubscriber } from '#bff/notify/unsubscribe.ts'
import type { Clock } from '#bff/time/clock.ts'
import type { Upstream } from '#bff/upstream/client/upstream-client.ts'
import { readAlertProfile } from '#bff/upstream/reader/read-alert-profiles.ts'
import type { Database } from '#database/database.ts'
import { writeChange } from './creation-queries.ts'
import { sendChange } from './profile-changes.ts'

export type SourceDependencies = {
  upstream: Upstream
  clock: Clock
  /** Names the source's address and the keys as they are now. */
  keysName: () => string
  secret: string
}

/**
 * Takes the address of a message off the profiles of our own service that the message was of. Each is recorded before the
 * request to the service is sent.
 */
export async function leaveSourceProfiles(
  tx: Database,
  deliveryId: string,
  { address, masked }: Unsubscriber,
  { upstream, clock, keysName, secret }: SourceDependencies,
  record: (profile: Unsubscribed) => Promise<void>,
): Promise<void> {
  const source = keysName()
  const ids = await listSourceCauses(tx, source, deliveryId)
  if (ids.length === 0) return
  await lockSourceProfiles(tx)
  for (const { id, name, notifications } of await readSourceProfiles(upstream)) {
    const before = notifications.email ?? []
    const email = before.filter((one) => one.toLowerCase() !== address.toLowerCase())
    if (!ids.includes(id) || email.length === before.length) continue
    await record({ profileId: id, name, accountId: null, recipient: `email ${masked}` })
    const changed = await sendChange(upstream, 'changeAlert', { id, body: { notifications: { email } } })
    await storeRecipients(
      tx,
      id,
      listNamedDestinations({ ...notifications, email }).map(({ name: _name, ...to }) => to),
      createLedgerAccess(secret),
    )
    const profile = readAlertProfile(changed)
    if (profile) await writeChange(tx, { source, id, at: new Date(clock.nowMs()), profile })
  }
}
