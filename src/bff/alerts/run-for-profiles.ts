import * as z from 'zod/mini'
import type { Log } from '#bff/http/log.ts'
import type { Database } from '#database/database.ts'
import { execute, readRows } from '#database/read-rows.ts'
import { type LedgerAccess, readLedgerTime } from '#delivery/ledger-access.ts'

type DueJob = {
  job: 'waiting' | 'proof'
  /** SQL condition for a due `profile`. `$1` is now. */
  isDue: string
  access: LedgerAccess
  log: Log
}

const dueSchema = z.object({ id: z.uuid(), isFailing: z.boolean() })

/**
 * Runs a job for each due profile in a transaction of its own. Neither a crash nor a second process sends anything
 * twice. A profile that fails does not delay the others. Its failure is recorded, and the retry delay grows from 2
 * seconds to 5 minutes.
 */
export async function runForProfiles(
  database: Database,
  { job, isDue, access, log }: DueJob,
  run: (tx: Database, id: string) => Promise<void>,
): Promise<void> {
  const now = await readLedgerTime(database, access)
  // This deletes failures of profiles that were paused or changed since, because nothing of them waits.
  await execute(database, [now, job])`
    delete from alert_fault using alert_profile profile
     where profile_id = profile.id and job = $2 and not (${isDue})`
  const rows = await readRows(database, dueSchema, [now, job])`
    select profile.id, since is not null as "isFailing"
      from alert_profile profile left join alert_fault on profile_id = profile.id and job = $2
     where (${isDue}) and coalesce(retry_at <= $1, true)
     order by profile.id`
  for (const { id, isFailing } of rows) {
    try {
      await database.transaction(async (tx) => {
        await run(tx, id)
        if (isFailing) await tx.query('delete from alert_fault where profile_id = $1 and job = $2', [id, job])
      })
    } catch (error) {
      if (!isFailing) log.error('alert-profile-not-sent', error, { profile: id, job })
      await recordFault(database, { id, job, now })
    }
  }
}

async function recordFault(
  database: Database,
  { id, job, now }: { id: string; job: string; now: Date },
): Promise<void> {
  await execute(database, [id, job, now])`
    insert into alert_fault (profile_id, job, since, retry_at)
    select id, $2, $3, $3::timestamptz + interval '2 s' from alert_profile where id = $1
    on conflict (profile_id, job) do update
      set retry_at = $3::timestamptz + least(greatest($3 - alert_fault.since, interval '2 s'), interval '5 min')`
}
