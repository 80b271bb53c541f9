import type { Database } from '#database/database.ts'
import { insertDeliveries } from '#delivery/enqueue.ts'
import { endNotice, raiseNotice } from '#delivery/notices.ts'
import { WITHDRAWN } from './create-channels.ts'
import { addInboxItems } from './inbox-queries.ts'
import { listAdmins } from './list-admins.ts'
import { createLedgerAccess } from './recipient-seals.ts'

/** Something that admins are told of once, and once more when it is over. */
export type OperationNotice = {
  key: 'dead-key' | 'stale-data' | 'failed-deliveries' | 'late-deliveries' | 'mail-server'
  subject: string
  text: string
  /** A path of the app, where it is seen or mended. */
  path: string
  overSubject: string
  overText: string
}

export const DEAD_KEY: OperationNotice = {
  key: 'dead-key',
  subject: 'The source refuses Lantern’s key',
  text: 'Nothing new is read until an admin enters a key that the source takes, in Settings.',
  path: '/settings?tab=api',
  overSubject: 'The source takes Lantern’s key again',
  overText: 'New threats are read again.',
}
export const STALE_DATA: OperationNotice = {
  key: 'stale-data',
  subject: 'Lantern shows old data',
  text: 'New threats could not be read for a quarter of an hour. Settings says why.',
  path: '/settings?tab=api',
  overSubject: 'Lantern is up to date again',
  overText: 'New threats are read again.',
}
export const FAILED_DELIVERIES: OperationNotice = {
  key: 'failed-deliveries',
  subject: 'Alerts were not delivered',
  text: 'Messages have failed for good, or nobody knows whether they arrived. The list of deliveries says which and why; they can be sent again there.',
  path: '/alerts/deliveries?state=failed&state=unclear',
  overSubject: 'No undelivered alerts are left',
  overText: 'What had failed was sent, or lies more than 7 days back.',
}

export const LATE_DELIVERIES: OperationNotice = {
  key: 'late-deliveries',
  subject: 'Alerts are not getting through',
  text: 'Messages have been tried for more than ten minutes. The list of deliveries says which and why.',
  path: '/alerts/deliveries?state=retrying',
  overSubject: 'No alerts are waiting any more',
  overText: 'What had been tried for long was sent, or has ended.',
}
/** By the bell alone: mail would come when it is over. */
export const MAIL_SERVER: OperationNotice = {
  key: 'mail-server',
  subject: 'Lantern cannot send e-mail',
  text: 'Correct SMTP_URL, or mend the mail server that it names. No e-mail is sent until then.',
  path: '/alerts/deliveries',
  overSubject: 'Lantern can send e-mail again',
  overText: 'The mail server of SMTP_URL can be used. What waits is tried again by itself.',
}

export type AdminNoticeOptions = { secret: string; origin: string; hasEmail: boolean }

/** Raises or ends a notice; what is as it was is told nobody. */
export async function setNotice(
  db: Database,
  notice: OperationNotice,
  isOn: boolean,
  { secret, origin, hasEmail }: AdminNoticeOptions,
): Promise<void> {
  const access = createLedgerAccess(secret)
  const { key, path } = notice
  const link = `${origin}${path}`
  await db.transaction(async (tx) => {
    const admins = await listAdmins(tx)
    const to = hasEmail ? admins.map(({ email }) => ({ channel: 'email', destination: email })) : []
    const subject = isOn ? notice.subject : notice.overSubject
    const text = isOn ? notice.text : notice.overText
    const isNew = isOn
      ? await raiseNotice(tx, { key, to, subject, text, link }, access)
      : await endNotice(tx, { key, subject, text, link }, access)
    if (isNew)
      await addInboxItems(
        tx,
        admins.map((admin) => itemFor(admin.id, { subject, text, path })),
      )
  })
}

/** What could not be written down while it lasted. */
export async function tellOfPast(
  db: Database,
  { subject, text, path }: Pick<OperationNotice, 'subject' | 'text' | 'path'>,
  { secret, origin, hasEmail }: AdminNoticeOptions,
): Promise<void> {
  await db.transaction(async (tx) => {
    const admins = await listAdmins(tx)
    await addInboxItems(
      tx,
      admins.map(({ id }) => itemFor(id, { subject, text, path })),
    )
    if (!hasEmail) return
    const to = admins.map(({ email }) => ({ channel: 'email', destination: email }))
    const message = { kind: 'notice', subject, text, link: `${origin}${path}` } as const
    await insertDeliveries(tx, to, message, createLedgerAccess(secret))
  })
}

function itemFor(accountId: string, told: Pick<OperationNotice, 'subject' | 'text' | 'path'>) {
  return { accountId, kind: 'notice', title: told.subject, detail: told.text, path: told.path } as const
}

/** Whether an alert is still being tried ten minutes after its first attempt. */
export async function hasLateDeliveries(db: Database): Promise<boolean> {
  const { rowCount } = await db.query(
    `select from delivery join delivery_attempt attempt on delivery_id = delivery.id and number = attempts_before + 1
      where state in ('retrying', 'sending') and kind = 'matches' and started_at < now() - interval '10 minutes'
      limit 1`,
  )
  return rowCount > 0
}

/** Alerts of the last 7 days that have failed or are unclear, but for those whose recipient was taken off. */
export async function hasFailedDeliveries(db: Database): Promise<boolean> {
  const { rowCount } = await db.query(
    `select from delivery
      where state in ('failed', 'unclear') and kind = 'matches' and created_at > now() - interval '7 days'
        and not exists (select from delivery_attempt
                         where delivery_id = delivery.id and number = attempts and excerpt = $1)
      limit 1`,
    [WITHDRAWN],
  )
  return rowCount > 0
}
