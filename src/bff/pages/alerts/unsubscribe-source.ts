import { listNamedDestinations, readSourceProfiles } from '#bff/alerts/source-profiles.ts'
import { listSourceCauses, lockSourceProfiles, storeRecipients } from '#bff/alerts/source-queries.ts'
import { createLedgerAccess } from '#bff/notify/recipient-seals.ts'
import type { Unsubscribed, Unsubscriber } from '#bff/notify/unsubscribe.ts'
import { readAlertProfile } from '#bff/upstream/reader/read-alert-profiles.ts'
import type { Database } from '#database/database.ts'
import type { AlertContext } from './alert-context.ts'
import { sendChange, storeChange } from './profile-changes.ts'

/**
 * Takes the address of a message off the profiles of our own service that the message was of. Each is recorded before the
 * request to the service is sent.
 */
export async function leaveSourceProfiles(
  tx: Database,
  deliveryId: string,
  { address, masked }: Unsubscriber,
  context: AlertContext,
  record: (profile: Unsubscribed) => Promise<void>,
): Promise<void> {
  const { upstream, source, secret } = context
  const ids = await listSourceCauses(tx, source(), deliveryId)
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
    if (profile) await storeChange(tx, context, { id, profile })
  }
}
