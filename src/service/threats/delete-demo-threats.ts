import * as z from 'zod/mini'
import type { Database } from '#database/database.ts'
import { retallyDays } from './tally-threats.ts'

const daysSchema = z.array(z.object({ day: z.string() }))

const DEMO_DAYS = `
  select distinct to_char(published_at at time zone 'utc', 'YYYY-MM-DD') as day from threat where is_demo`

/** Takes the generated records away and answers how many they were. Real records and their tallies stay. */
export async function deleteDemoThreats(db: Database): Promise<number> {
  return db.transaction(async (tx) => {
    await tx.query('set local statement_timeout = 0')
    // Waits for inserts under way and holds off later ones, whose counts this would otherwise miss or double.
    await tx.query('lock table threat_tally in share row exclusive mode')
    const { rows } = await tx.query(DEMO_DAYS)
    const { rowCount } = await tx.query('delete from threat where is_demo')
    await retallyDays(
      tx,
      daysSchema.parse(rows).map(({ day }) => day),
    )
    return rowCount
  })
}
