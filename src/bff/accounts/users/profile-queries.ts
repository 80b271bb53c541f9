import * as z from 'zod/mini'
import {
  type Profile,
  type ProfileChange,
  profilePreferencesSchema,
  profileSchema,
} from '#contract/bff/profile.ts'
import type { Database } from '#database/database.ts'
import { affectsRows, execute, readRow } from '#database/read-rows.ts'

const profileRowSchema = z.extend(profileSchema, {
  preferences: z.catch(z.nullable(profilePreferencesSchema), null),
})

export async function readProfile(db: Database, id: string): Promise<Profile> {
  return readRow(db, profileRowSchema, [id])`
    select id, email, name, role, password_hash is not null as "hasPassword",
           oidc_subject is not null as "hasSingleSignOn", preferences,
           has_chosen_time_zone as "hasChosenTimeZone", has_seen_welcome as "hasSeenWelcome"
      from account where id = $1`
}

/** A time zone other than the stored one counts as chosen. */
export async function updateProfile(
  db: Database,
  id: string,
  { name, preferences, hasChosenTimeZone, hasSeenWelcome }: ProfileChange,
): Promise<void> {
  await execute(db, [
    id,
    name ?? null,
    preferences ? JSON.stringify(preferences) : null,
    hasChosenTimeZone ?? false,
    hasSeenWelcome ?? false,
  ])`
    update account
       set name = coalesce($2, name),
           preferences = coalesce($3::jsonb, preferences),
           has_chosen_time_zone = has_chosen_time_zone or $4
             or coalesce($3::jsonb ->> 'timeZone' <> coalesce(preferences ->> 'timeZone', 'UTC'), false),
           has_seen_welcome = has_seen_welcome or $5
     where id = $1`
}

/** Returns true once for each account: the welcome page is shown after that sign-in. */
export async function takeWelcome(db: Database, id: string): Promise<boolean> {
  return affectsRows(db, [id])`
    update account set has_seen_welcome = true where id = $1 and not has_seen_welcome`
}
