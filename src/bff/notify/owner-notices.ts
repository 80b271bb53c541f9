import * as z from 'zod/mini'
import type { Database } from '#database/database.ts'
import { execute, readRows } from '#database/read-rows.ts'
import { ringBells } from './inbox-queries.ts'
import { pathToFeed } from './link-to-matches.ts'
import { listAdmins } from './list-admins.ts'
import { itemOf } from './operation-notices.ts'

const ownerSchema = z.object({ id: z.uuid(), name: z.string(), cases: z.int() })

/**
 * Notifies admins once about each account that owns open cases but is disabled or became a viewer. Only cases of stored
 * threats count, as in the feed. The account is reported again if it could own cases in between.
 */
export async function notifyOfInactiveOwners(tx: Database): Promise<void> {
  await execute(tx)`
    update account set is_owner_reported = false
     where is_owner_reported and disabled_at is null and role <> 'viewer'`
  const owners = await readRows(tx, ownerSchema)`
    update account set is_owner_reported = true
      from account owner
      cross join lateral (
        select count(distinct coalesce(case_id::text, 'alone ' || threat_id))::int as cases
          from triage_state join window_threat on id = threat_id left join case_claim using (threat_id)
         where owner_id = owner.id and dismissed_at is null) owned
     where owner.id = account.id and cases > 0
       and not account.is_owner_reported and (account.disabled_at is not null or account.role = 'viewer')
    returning account.id, account.name, cases`
  if (owners.length === 0) return
  const admins = (await listAdmins(tx)).map(({ id }) => id)
  for (const { id, name, cases } of owners) {
    const subject =
      cases === 1
        ? `1 open case of ${name} has no active owner`
        : `${cases} open cases of ${name} have no active owner`
    const item = itemOf({
      subject,
      text: 'The account is disabled, or may only read. Assign the cases to somebody else.',
      path: pathToFeed({ triage: 'open', q: 'owner:inactive' }),
    })
    await ringBells(tx, admins, { ...item, aboutAccountId: id })
  }
}
