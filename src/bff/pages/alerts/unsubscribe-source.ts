import { listNamedDestinations, readSourceProfiles } from '#bff/alerts/source-profiles.ts'
import { listSourceCauses, lockSourceProfiles, storeRecipients } from '#bff/alerts/source-queries.ts'
import { createLedgerAccess } from '#bff/notify/recipient-seals.ts'
import type { Unsubscribed, Unsubscriber } from '#bff/notify/unsubscribe.ts'
import { readAlertProfile } from '#bff/upstream/reader/read-alert-profiles.ts'
import type { Database } from '#database/database.ts'
import type { AlertContext } from './alert-context.ts'
import { sendChange, storeChange } from './profile-changes.ts'

type RecordLeft = (tx: Database, profile: Unsubscribed) => Promise<void>

/**
 * Takes the address of a message off the profiles of our own service that the message was of. Each profile has a
 * transaction of its own: what was changed stays recorded though the service fails at the next one.
 */
export async function leaveSourceProfiles(
  deliveryId: string,
  by: Unsubscriber,
  context: AlertContext,
  record: RecordLeft,
): Promise<void> {
  const { database, source } = context
  for (const id of await listSourceCauses(database, source(), deliveryId))
    await database.transaction((tx) => leaveSourceProfile(tx, id, by, context, record))
}

async function leaveSourceProfile(
  tx: Database,
  id: string,
  { address, masked }: Unsubscriber,
  context: AlertContext,
  record: RecordLeft,
): Promise<void> {
  const { upstream, secret } = context
  await lockSourceProfiles(tx)
  const found = (await readSourceProfiles(upstream)).find((profile) => profile.id === id)
  if (!found) return
  const { name, notifications } = found
  const before = notifications.email ?? []
  const email = before.filter((one) => one.toLowerCase() !== address.toLowerCase())
  if (email.length === before.length) return
  await record(tx, { profileId: id, name, accountId: null, recipient: `email ${masked}` })
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
