import * as z from 'zod/mini'
import type { Database } from '#database/database.ts'
import { execute, onlyColumn, readRows } from '#database/read-rows.ts'
import { raiseDataVersion } from '#service/data-version/data-version-queries.ts'
import { retallyDays } from './tally-threats.ts'

/** Takes the generated records away and answers how many they were. Real records and their tallies stay. */
export async function deleteDemoThreats(db: Database): Promise<number> {
  return db.transaction(async (tx) => {
    await tx.query('set local statement_timeout = 0')
    // Waits for inserts under way and holds off later ones, whose counts this would otherwise miss or double.
    await tx.query('lock table threat_tally in share row exclusive mode')
    const days = await readRows(tx, onlyColumn(z.string()))`
      select distinct to_char(published_at at time zone 'utc', 'YYYY-MM-DD') from threat where is_demo`
    await untriggerDemo(tx)
    const removed = await execute(tx)`delete from threat where is_demo`
    await retallyDays(tx, days)
    await raiseDataVersion(tx, { removed })
    return removed
  })
}

/** A profile has not triggered by what never happened. */
async function untriggerDemo(tx: Database): Promise<void> {
  await execute(tx)`
    with gone as (
      delete from alert_trigger t using threat where threat.id = t.threat_id and threat.is_demo
      returning t.profile_id
    )
    update alert_profile p
       set triggered_count = triggered_count - (select count(*) from gone where profile_id = p.id)
     where p.id in (select profile_id from gone)`
}
