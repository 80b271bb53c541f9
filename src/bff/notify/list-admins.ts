import * as z from 'zod/mini'
import type { Database } from '#database/database.ts'

const adminsSchema = z.array(z.object({ id: z.uuid(), email: z.string() }))

/** Admins who may sign in. */
export async function listAdmins(db: Database) {
  const { rows } = await db.query(
    `select id, email from account where role = 'admin' and disabled_at is null order by email`,
  )
  return adminsSchema.parse(rows)
}
