import * as z from 'zod/mini'
import {
  type Profile,
  type ProfileChange,
  profilePreferencesSchema,
  profileSchema,
} from '#contract/bff/profile.ts'
import type { Database } from '#database/database.ts'

const profileRowSchema = z.extend(profileSchema, {
  preferences: z.catch(z.nullable(profilePreferencesSchema), null),
})

export async function readProfile(db: Database, id: string): Promise<Profile> {
  const { rows } = await db.query(
    `select id, email, name, role, password_hash is not null as "hasPassword",
            oidc_subject is not null as "hasSingleSignOn", preferences,
            has_chosen_time_zone as "hasChosenTimeZone"
       from account where id = $1`,
    [id],
  )
  return profileRowSchema.parse(rows[0])
}

/** A time zone other than the stored one counts as chosen. */
export async function updateProfile(
  db: Database,
  id: string,
  { name, preferences, hasChosenTimeZone }: ProfileChange,
): Promise<void> {
  await db.query(
    `update account
        set name = coalesce($2, name),
            preferences = coalesce($3::jsonb, preferences),
            has_chosen_time_zone = has_chosen_time_zone or $4
              or coalesce($3::jsonb ->> 'timeZone' <> coalesce(preferences ->> 'timeZone', 'UTC'), false)
      where id = $1`,
    [id, name ?? null, preferences ? JSON.stringify(preferences) : null, hasChosenTimeZone ?? false],
  )
}
