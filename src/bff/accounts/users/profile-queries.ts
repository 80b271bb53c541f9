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
            oidc_subject is not null as "hasSingleSignOn", preferences
       from account where id = $1`,
    [id],
  )
  return profileRowSchema.parse(rows[0])
}

export async function updateProfile(
  db: Database,
  id: string,
  { name, preferences }: ProfileChange,
): Promise<void> {
  await db.query(
    `update account set name = coalesce($2, name), preferences = coalesce($3::jsonb, preferences) where id = $1`,
    [id, name ?? null, preferences ? JSON.stringify(preferences) : null],
  )
}
