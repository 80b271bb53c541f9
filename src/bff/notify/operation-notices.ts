import * as z from 'zod/mini'
import type { Database } from '#database/database.ts'
import { readRows } from '#database/read-rows.ts'
import { insertDeliveries } from '#delivery/enqueue.ts'
import { endNotice, raiseNotice } from '#delivery/notices.ts'
import { addInboxItems, ringBells } from './inbox-queries.ts'
import { listAdmins } from './list-admins.ts'

type NoticeText = {
  subject: string
  text: string
  /** A path of the app, where a person can see or solve the problem. */
  path: string
}

/** A notice for admins, sent once when it begins and once when it is over. */
export type OperationNotice = NoticeText & {
  /** The database stores this key. */
  key: 'dead-key' | 'stale-data'
  overSubject: string
  overText: string
}

export const KEY_REFUSED: OperationNotice = {
  key: 'dead-key',
  subject: 'The vendor refuses Lantern’s key',
  text: 'Nothing new is read until an admin enters a key that the vendor accepts, in Settings.',
  path: '/settings?tab=api',
  overSubject: 'The vendor accepts Lantern’s key again',
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

export type NoticeOptions = { secret: string; origin: string; hasEmail: boolean }

/** A recipient, and the text for this recipient. */
export type NoticePerson = NoticeText & { accountId: string; email: string }

/** Raises or ends a notice. An unchanged state notifies nobody. */
export async function setNotice(
  db: Database,
  notice: OperationNotice,
  isOn: boolean,
  options: NoticeOptions,
): Promise<void> {
  const { key, subject, text, path, overSubject, overText } = notice
  if (!isOn) return notifyOver(db, key, options)
  const people = (await listAdmins(db)).map(({ id, email }) => ({
    accountId: id,
    email,
    subject,
    text,
    path,
  }))
  const over = { subject: overSubject, text: overText, path, why: null }
  await notifyPeople(db, { key, people, over }, options)
}

type Raised = { key: string; people: readonly NoticePerson[]; over: NoticeText & { why: string | null } }

/** Notifies people who do not have the notice yet, by the bell and by mail. Returns true if anybody was notified. */
export async function notifyPeople(
  db: Database,
  { key, people, over: { path, ...over } }: Raised,
  { secret, origin, hasEmail }: NoticeOptions,
): Promise<boolean> {
  const access = { secret }
  return db.transaction(async (tx) => {
    const paths = new Map(people.map((person) => [person.accountId, person.path]))
    const notified = people.map(({ accountId, email, subject, text, path: own }) => ({
      accountId,
      subject,
      text,
      link: `${origin}${own}`,
      to: hasEmail ? { channel: 'email', destination: email } : null,
    }))
    const content = { ...over, link: `${origin}${path}` }
    const added = await raiseNotice(tx, { key, people: notified, content }, access)
    await addInboxItems(
      tx,
      added.map(({ accountId, subject, text }) => ({
        accountId,
        ...itemOf({ subject, text, path: paths.get(accountId) ?? path }),
      })),
    )
    return added.length > 0
  })
}

const idSchema = z.object({ id: z.uuid() })

/** Notifies the recipients of a notice that it is over. */
export async function notifyOver(
  db: Database,
  key: string,
  { secret, origin }: NoticeOptions,
): Promise<void> {
  await db.transaction(async (tx) => {
    const ended = await endNotice(tx, key, { secret })
    if (!ended) return
    const { subject, text, link } = ended.content
    const rows = await readRows(tx, idSchema, [ended.notified])`
      select id from account where id = any($1) and disabled_at is null`
    const path = link.startsWith(origin) ? link.slice(origin.length) : '/alerts'
    const ids = rows.map(({ id }) => id)
    await ringBells(tx, ids, itemOf({ subject, text, path }))
  })
}

/** Reports a problem afterwards that could not be stored while it lasted. */
export async function notifyOfPast(db: Database, text: NoticeText, options: NoticeOptions): Promise<void> {
  await db.transaction(async (tx) => {
    const ids = (await listAdmins(tx)).map(({ id }) => id)
    await ringBells(tx, ids, itemOf(text))
    await enqueueAdminMail(tx, text, options)
  })
}

/** Enqueues a mail to each admin, if a mail server is set up. */
export async function enqueueAdminMail(
  tx: Database,
  { subject, text, path }: NoticeText,
  { secret, origin, hasEmail }: NoticeOptions,
): Promise<void> {
  if (!hasEmail) return
  const to = (await listAdmins(tx)).map(({ email }) => ({ channel: 'email', destination: email }))
  const message = { kind: 'notice', subject, text, link: `${origin}${path}` } as const
  await insertDeliveries(tx, to, message, { secret })
}

/** Returns the bell's entry. */
export function itemOf({ subject, text, path }: NoticeText) {
  return { kind: 'notice', title: subject, detail: text, path } as const
}
