import * as z from 'zod/mini'
import type { Database } from '#database/database.ts'
import { readRows } from '#database/read-rows.ts'

const adminSchema = z.object({ id: z.uuid(), email: z.string() })

/** Lists admins who may sign in. */
export async function listAdmins(db: Database) {
  return readRows(db, adminSchema)`
    select id, email from account where role = 'admin' and disabled_at is null order by email`
}
