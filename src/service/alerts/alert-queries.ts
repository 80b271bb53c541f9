import * as z from 'zod/mini'
import { type AlertProfile, alertProfileSchema } from '#contract/upstream/earlier/alert-profile.ts'
import type { ChangeAlert } from '#contract/upstream/earlier/change-alert.ts'
import type { CreateAlert } from '#contract/upstream/earlier/create-alert.ts'
import type { Database } from '#database/database.ts'
import { isoUtc } from '#database/iso-timestamp.ts'
import { execute, findRow, readRow, readRows } from '#database/read-rows.ts'
import {
  openNotifications,
  replaceDestinations,
  SEALED_DESTINATIONS,
  sealedDestinationsSchema,
} from './alert-destinations.ts'

const rowSchema = z.extend(z.omit(alertProfileSchema, { notifications: true }), {
  hasEmails: z.boolean(),
  destinations: sealedDestinationsSchema,
  state: z.enum(['active', 'paused']),
})
const idSchema = z.object({ id: z.string() })

const COLUMNS = `
  id, name, keywords, categories, state, has_emails as "hasEmails", ${SEALED_DESTINATIONS} as destinations,
  ${isoUtc('created_at')} as created_at,
  ${isoUtc('updated_at')} as updated_at,
  triggered_count`

export type StoredProfile = { profile: AlertProfile; state: 'active' | 'paused' }

export async function listAlertProfiles(
  db: Database,
  accountId: string,
  secret: string,
): Promise<StoredProfile[]> {
  return readRows(db, profileSchema(secret), [accountId])`
    select ${COLUMNS} from alert_profile where account_id = $1 order by created_at desc, id desc`
}

/** Null where the account has none of that id. */
export async function readAlertProfile(
  db: Database,
  { accountId, id, secret }: { accountId: string; id: string; secret: string },
): Promise<StoredProfile | null> {
  return findRow(db, profileSchema(secret), [accountId, id])`
    select ${COLUMNS} from alert_profile where account_id = $1 and id = $2`
}

export async function createAlertProfile(
  db: Database,
  accountId: string,
  { name, keywords, categories, notifications }: CreateAlert,
  secret: string,
): Promise<AlertProfile> {
  return db.transaction(async (tx) => {
    const { id } = await readRow(tx, idSchema, [
      accountId,
      name,
      keywords,
      categories,
      notifications.email !== null,
    ])`
      insert into alert_profile (account_id, name, keywords, categories, has_emails)
      values ($1, $2, $3, $4, $5) returning id`
    await replaceDestinations(tx, id, notifications, secret)
    const created = await readAlertProfile(tx, { accountId, id, secret })
    if (!created) throw new Error('A profile that was inserted is there')
    return created.profile
  })
}

/** Changes the given members. Returns null if there is no such profile. */
export async function changeAlertProfile(
  db: Database,
  { accountId, id }: { accountId: string; id: string },
  { notifications, state, ...criteria }: ChangeAlert,
  secret: string,
): Promise<StoredProfile | null> {
  return db.transaction(async (tx) => {
    const before = await lockProfile(tx, { accountId, id, secret })
    if (!before) return null
    const { profile } = before
    const merged = { ...profile.notifications, ...notifications }
    const { name, keywords, categories } = { ...profile, ...criteria }
    const values = [id, name, keywords, categories, merged.email !== null, state ?? before.state]
    await execute(tx, values)`
      update alert_profile
         set name = $2, keywords = $3, categories = $4, has_emails = $5, state = $6, updated_at = now()
       where id = $1`
    if (notifications) await replaceDestinations(tx, id, merged, secret)
    return readAlertProfile(tx, { accountId, id, secret })
  })
}

/** Null where there is none. */
export async function deleteAlertProfile(
  db: Database,
  { accountId, id, secret }: { accountId: string; id: string; secret: string },
): Promise<AlertProfile | null> {
  return db.transaction(async (tx) => {
    const before = await lockProfile(tx, { accountId, id, secret })
    if (!before) return null
    await tx.query('delete from alert_profile where id = $1', [id])
    return before.profile
  })
}

/** Imports that have matched it have ended, and others wait. */
async function lockProfile(
  tx: Database,
  wanted: { accountId: string; id: string; secret: string },
): Promise<StoredProfile | null> {
  await execute(tx, [wanted.accountId, wanted.id])`
    select from alert_profile where account_id = $1 and id = $2 for update`
  return readAlertProfile(tx, wanted)
}

function profileSchema(secret: string) {
  const open = ({ hasEmails, destinations, state, ...rest }: z.infer<typeof rowSchema>): StoredProfile => ({
    profile: { ...rest, notifications: openNotifications({ hasEmails, destinations }, secret) },
    state,
  })
  return z.pipe(rowSchema, z.transform(open))
}
