import type { Database } from '#database/database.ts'

/** Lengthens every wait after failed sign-ins by an hour. The first wait is a second, less than a busy machine may need. */
export async function lengthenWaits(database: Database): Promise<void> {
  await database.query(
    `update sign_in_attempt set blocked_until = blocked_until + interval '1 hour' where failures >= 5`,
  )
}
