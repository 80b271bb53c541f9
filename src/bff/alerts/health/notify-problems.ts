import * as z from 'zod/mini'
import { listAdmins } from '#bff/notify/list-admins.ts'
import {
  type NoticeOptions,
  type NoticePerson,
  notifyOver,
  notifyPeople,
} from '#bff/notify/operation-notices.ts'
import type { Database } from '#database/database.ts'
import { readRows } from '#database/read-rows.ts'
import { listNotices } from '#delivery/notices.ts'
import { type AlertProblem, describeProblem, KINDS } from './describe-problem.ts'
import { MAIL_KEY, type MailFault } from './list-problems.ts'

/** The key prefix of notices about alerts, which separates them from other notices of Lantern. */
const PREFIX = 'alerts '

/**
 * Notifies owners and admins once when a problem begins, and once when it is over. Returns the problems that were
 * reported now.
 */
export async function notifyProblems(
  db: Database,
  problems: readonly AlertProblem[],
  options: NoticeOptions,
): Promise<AlertProblem[]> {
  const raised = new Map((await listNotices(db)).map(({ key, notified }) => [key, notified]))
  const lasting = new Set(problems.map(({ key }) => PREFIX + key))
  const sent: AlertProblem[] = []
  for (const problem of problems) {
    const key = PREFIX + problem.key
    const known = raised.get(key)
    const people = await listPeople(db, problem)
    if (known && people.every(({ accountId }) => known.includes(accountId))) continue
    const hasEmail = options.hasEmail && !isOfMail(problem)
    const over = { ...overOf(problem), why: problem.why }
    if (await notifyPeople(db, { key, people, over }, { ...options, hasEmail })) sent.push(problem)
  }
  for (const key of raised.keys())
    if (key.startsWith(PREFIX) && !lasting.has(key)) await notifyOver(db, key, options)
  return sent
}

/** Returns why the mail server cannot be used, as the leading process found; null if it can. */
export async function readMailFault(db: Database): Promise<MailFault> {
  const raised = (await listNotices(db)).find(({ key }) => key === PREFIX + MAIL_KEY)
  return raised ? { why: raised.content?.why ?? null, since: raised.since } : null
}

/** True if mail cannot carry the notice, because the problem keeps mail from being sent. */
function isOfMail({ kind, where }: AlertProblem): boolean {
  return (
    kind === 'mailServer' ||
    kind === 'workerStopped' ||
    (where !== null && where.channel === 'email' && where.isServer)
  )
}

const peopleSchema = z.object({ id: z.uuid(), email: z.string() })

/** Lists the people to notify: all admins, and the owners of affected profiles, each for their own. */
async function listPeople(db: Database, problem: AlertProblem): Promise<NoticePerson[]> {
  const ownerIds = problem.affected.flatMap(({ profiles }) => profiles.map(({ ownerId }) => ownerId))
  const rows = await readRows(db, peopleSchema, [ownerIds.filter((id) => id !== null)])`
    select id, email from account where id = any($1) and disabled_at is null order by email`
  const admins = await listAdmins(db)
  const isAdmin = new Set(admins.map(({ id }) => id))
  const owners = rows.filter(({ id }) => !isAdmin.has(id))
  return [...admins, ...owners].flatMap(({ id, email }) => {
    const shown = describeProblem(problem, {
      isAdmin: isAdmin.has(id),
      canSee: ({ ownerId }) => ownerId === id,
    })
    return shown ? [{ accountId: id, email, subject: shown.subject, text: shown.text, path: shown.path }] : []
  })
}

/** The text names no profile besides the one of the problem, because all recipients get the same text. */
function overOf(problem: AlertProblem) {
  const shown = describeProblem(problem, { isAdmin: true, canSee: () => true })
  return {
    subject: `Solved: ${shown?.subject ?? ''}`,
    text: KINDS[problem.kind].over,
    path: '/alerts',
  }
}
