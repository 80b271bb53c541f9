import * as z from 'zod/mini'
import type { AuditAction } from '#contract/bff/audit.ts'
import type { Database } from '#database/database.ts'
import { execute, findRow, onlyColumn, readRows } from '#database/read-rows.ts'
import { insertDeliveries } from '#delivery/enqueue.ts'
import { addInboxItems } from './inbox-queries.ts'
import type { NoticeOptions } from './operation-notices.ts'

/** The most audit records read in one poll. The next polls read the rest of a burst. */
const LINKS_MAX = 200

const TITLES: Partial<Record<AuditAction, string>> = {
  'sign-in-from-new-device': 'Your account was signed in to from a new device',
  'password-changed': 'Your password was changed',
  'password-set-by-link': 'Your password was set by a link',
  'user-link-created': 'An admin has made a link to set your password',
  'factor-added': 'A second factor was added to your account',
  'factor-removed': 'A second factor was removed from your account',
  'recovery-codes-made': 'New recovery codes were made for your account',
  'recovery-code-used': 'A recovery code was used for your account',
  'user-factors-reset': 'An admin has removed your second factors',
  'user-signed-out': 'An admin has signed you out everywhere',
  'sign-out-everywhere': 'All your sessions were ended',
  'other-sessions-ended': 'Your other sessions were ended',
  'session-ended': 'One of your sessions was ended',
  'sso-linked': 'Your account was linked to single sign-on',
  'sso-unlinked': 'Your account was unlinked from single sign-on',
}

const markSchema = onlyColumn(z.int())
const eventSchema = z.object({
  number: z.int(),
  action: z.string(),
  accountId: z.uuid(),
  email: z.string(),
  at: z.string(),
})

/**
 * Notifies people of changes to their passwords, second factors and sessions. It reads the audit chain, whose records
 * are in commit order, so that no change is missed. The cursor moves in the transaction that notifies, so that no
 * change is reported twice.
 */
export async function notifyAccountChanges(
  db: Database,
  { secret, origin, hasEmail }: NoticeOptions,
): Promise<void> {
  await db.transaction(async (tx) => {
    // Records that are older than this feature are not reported.
    await execute(tx)`
      insert into notice_mark (number) select coalesce(max(number), 0) from audit_link on conflict do nothing`
    const mark = await findRow(tx, markSchema)`select number from notice_mark for update`
    const upTo = await findRow(tx, markSchema, [mark])`
      select max(number) as number from (
        select number from audit_link where number > $1 order by number limit ${LINKS_MAX}) next_ones
      having max(number) is not null`
    if (mark === null || upTo === null) return
    for (const event of await readEvents(tx, mark, upTo)) {
      const title = new Map(Object.entries(TITLES)).get(event.action) ?? event.action
      const detail = `On ${event.at} UTC. If this was not you, change your password and tell an admin at once.`
      await addInboxItems(tx, [
        { accountId: event.accountId, kind: 'notice', title, detail, path: '/settings' },
      ])
      if (!hasEmail) continue
      const notice = { kind: 'notice', subject: title, text: detail, link: `${origin}/settings` } as const
      await insertDeliveries(tx, [{ channel: 'email', destination: event.email }], notice, { secret })
    }
    await tx.query('update notice_mark set number = $1', [upTo])
  })
}

async function readEvents(tx: Database, from: number, to: number) {
  return readRows(tx, eventSchema, [from, to, Object.keys(TITLES)])`
    select number, action, account.id as "accountId", email,
           to_char(record.at at time zone 'utc', 'YYYY-MM-DD HH24:MI') as at
      from audit_link join audit_record record on record.id = record_id
      join account on account.id::text = record.object
     where number > $1 and number <= $2 and disabled_at is null
       and action = any($3)
     order by number`
}
