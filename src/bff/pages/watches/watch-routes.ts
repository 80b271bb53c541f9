import * as z from 'zod/mini'
import { type AuditRecord, auditFacts, recordAudit } from '#bff/accounts/audit/record-audit.ts'
import { transactAs } from '#bff/accounts/sign-in/transact-as.ts'
import { destinationsOf } from '#bff/alerts/watch-profiles.ts'
import { TESTS } from '#bff/http/account-limits.ts'
import { notifyLive } from '#bff/http/live/live-channel.ts'
import { ProblemError } from '#bff/http/problem-error.ts'
import { type BffRoute, defineRoute, type ReaderSession, type RouteRequest } from '#bff/http/route.ts'
import { writeOnce } from '#bff/http/write-once.ts'
import { createLedgerAccess } from '#bff/notify/recipient-seals.ts'
import {
  deleteWatch,
  describeWatch,
  findWatch,
  insertWatch,
  listActiveUsers,
  listWatches,
  readRecipients,
  removeRecipient,
  replaceRecipients,
  type StoredWatch,
  setWatchState,
} from '#bff/notify/watch-queries.ts'
import type { TestSent } from '#contract/bff/ledger.ts'
import type { Role } from '#contract/bff/session.ts'
import { type View, viewSchema } from '#contract/bff/view.ts'
import {
  type Watch,
  type WatchSaved,
  watchChangeSchema,
  watchDraftSchema,
  watchSavedSchema,
} from '#contract/bff/watch.ts'
import { idSchema } from '#contract/id.ts'
import type { Database } from '#database/database.ts'
import { resumeCause, stopCause } from '#delivery/causes.ts'
import { sendTest } from '#delivery/enqueue.ts'
import { readSearchFaults, requireSearchOf, type SearchDependencies } from './search-faults.ts'
import { makeRecipients, type RecipientOptions } from './watch-recipients.ts'

const OWN = { access: 'analyst', cache: 'none' } as const
const ID = z.object({ id: idSchema })

export type WatchRouteDependencies = RecipientOptions &
  SearchDependencies & {
    database: Database
    /** Where browsers find us. */
    origin: string
  }

type RequestContext = { session: ReaderSession; request: RouteRequest }
type Change = Pick<AuditRecord, 'action' | 'before' | 'after'> & { watch: { id: string; viewName: string } }

/** Views whose new threats people are told of. Analysts watch their own and the team's. */
export function watchRoutes(dependencies: WatchRouteDependencies): BffRoute[] {
  const { database, origin, secret, hasEmail, domains, reach } = dependencies
  const access = createLedgerAccess(secret)

  function change<Result>(
    route: string,
    context: RequestContext,
    run: (tx: Database, record: (facts: Change) => Promise<void>) => Promise<Result>,
    role: Role = 'analyst',
  ): Promise<Result> {
    return transactAs(database, context.session, role, async (tx) => {
      const record = async ({ watch, ...facts }: Change) => {
        const object = { object: watch.id, objectName: watch.viewName }
        await recordAudit(tx, { ...auditFacts(route, context), ...object, ...facts })
        await notifyLive(tx, { kind: 'views' })
      }
      return run(tx, record)
    })
  }

  async function saved(
    tx: Database,
    id: string,
    session: ReaderSession,
    secrets: WatchSaved['secrets'] = {},
  ): Promise<WatchSaved> {
    return { watch: await describe(tx, await requireWatch(tx, id, session)), secrets }
  }

  async function describe(db: Database, stored: StoredWatch): Promise<Watch> {
    const searchFaults = await readSearchFaults(stored, dependencies)
    return { ...(await describeWatch(db, stored, secret)), ...(searchFaults && { searchFaults }) }
  }

  return [
    defineRoute({
      method: 'GET',
      path: '/bff/watches',
      access: 'viewer',
      cache: 'none',
      async answer({ session: { user } }) {
        const reader = { id: user.id, isAdmin: user.role === 'admin' }
        const listed = await listWatches(database, reader)
        const watches = await Promise.all(listed.map((watch) => describe(database, watch)))
        return { json: { watches, hasEmail, domains, hosts: reach.hosts } }
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/bff/watches/users',
      ...OWN,
      answer: async () => ({ json: { users: await listActiveUsers(database) } }),
    }),
    defineRoute({
      method: 'POST',
      path: '/bff/watches',
      body: watchDraftSchema,
      ...OWN,
      async answer({ body: { idempotencyKey: key, ...body }, ...context }) {
        const { session } = context
        const route = 'POST /bff/watches'
        const write = { accountId: session.user.id, route, key, body, answer: watchSavedSchema }
        let secrets: WatchSaved['secrets'] = {}
        const create = async (tx: Database, record: (facts: Change) => Promise<void>) => {
          const view = await requireView(tx, body.viewId, session)
          await requireSearchOf(view, dependencies)
          const made = await makeRecipients(tx, body.recipients, [], dependencies)
          secrets = made.secrets
          const id = await insertWatch(tx, view.id, session.user.id)
          if (id === null) throw alreadyWatched()
          await replaceRecipients(tx, id, made.recipients)
          await record({
            action: 'watch-created',
            watch: { id, viewName: view.name },
            after: { recipients: await namesOf(tx, id) },
          })
          return saved(tx, id, session)
        }
        // No secret is kept with the answer.
        const json = await change(route, context, (tx, record) =>
          writeOnce(tx, write, () => create(tx, record)),
        )
        return { status: 201, json: { ...json, secrets } }
      },
    }),
    defineRoute({
      method: 'PUT',
      path: '/bff/watches/:id',
      params: ID,
      body: watchChangeSchema,
      ...OWN,
      async answer({ params: { id }, body, ...context }) {
        const { session } = context
        const json = await change('PUT /bff/watches/:id', context, async (tx, record) => {
          const watch = await requireOwnWatch(tx, id, session)
          const before = { state: watch.state, recipients: await namesOf(tx, id) }
          const kept = await readRecipients(tx, id)
          const made = body.recipients && (await makeRecipients(tx, body.recipients, kept, dependencies))
          if (made) await replaceRecipients(tx, id, made.recipients)
          if (body.state && body.state !== watch.state) {
            await setWatchState(tx, id, body.state)
            const cause = { kind: 'watch', id, name: watch.viewName } as const
            await (body.state === 'paused' ? stopCause(tx, cause, 'paused') : resumeCause(tx, cause))
          }
          const after = { state: body.state ?? watch.state, recipients: await namesOf(tx, id) }
          await record({ action: 'watch-changed', watch, before, after })
          return saved(tx, id, session, made?.secrets ?? {})
        })
        return { json }
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/bff/watches/:id',
      params: ID,
      ...OWN,
      async answer({ params: { id }, ...context }) {
        await change('DELETE /bff/watches/:id', context, async (tx, record) => {
          const watch = await requireOwnWatch(tx, id, context.session)
          const before = { state: watch.state, recipients: await namesOf(tx, id) }
          await deleteWatch(tx, watch)
          await record({ action: 'watch-deleted', watch, before })
        })
        return { status: 204 }
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/bff/watches/:id/recipients/me',
      params: ID,
      access: 'viewer',
      cache: 'none',
      async answer({ params: { id }, ...context }) {
        const { user } = context.session
        const leave = async (tx: Database, record: (facts: Change) => Promise<void>) => {
          const before = { recipients: await namesOf(tx, id) }
          const watch = await findWatch(tx, id, user.id)
          if (!watch || !(await removeRecipient(tx, id, user.id))) throw gone('This watch does not tell you.')
          await record({
            action: 'watch-changed',
            watch,
            before,
            after: { recipients: await namesOf(tx, id) },
          })
        }
        await change('DELETE /bff/watches/:id/recipients/me', context, leave, 'viewer')
        return { status: 204 }
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/bff/watches/:id/recipients/:recipient/test',
      limit: TESTS,
      params: z.object({ id: idSchema, recipient: idSchema }),
      ...OWN,
      async answer({ params: { id, recipient: recipientId }, ...context }) {
        const route = 'POST /bff/watches/:id/recipients/:recipient/test'
        const json = await change(route, context, async (tx, record): Promise<TestSent> => {
          const watch = await requireOwnWatch(tx, id, context.session)
          const recipient = (await readRecipients(tx, id)).find((one) => one.id === recipientId)
          if (!recipient) throw gone('The watch has no such recipient any more.')
          const [to] = destinationsOf([recipient], { secret, hasEmail })
          if (!to) throw cannotTell()
          const sent = await sendTest(
            tx,
            {
              to,
              causes: [{ kind: 'watch', id, name: watch.viewName }],
              requestedBy: context.session.user.name,
              link: `${origin}/threats?view=${watch.viewId}`,
            },
            access,
          )
          await record({
            action: 'watch-tested',
            watch,
            after: { destination: access.mask(to.channel, to.destination) },
          })
          return { id: sent }
        })
        return { status: 202, json }
      },
    }),
  ]
}

const viewRowSchema = z.pick(viewSchema, { id: true, name: true, filter: true, timeZone: true })
type WatchedView = Pick<View, 'id' | 'name' | 'filter' | 'timeZone'>

async function requireView(tx: Database, id: string, { user }: ReaderSession): Promise<WatchedView> {
  const { rows } = await tx.query(
    `select id, name, filter, time_zone as "timeZone" from saved_view
      where id = $1 and (is_shared or account_id = $2)`,
    [id, user.id],
  )
  const [row] = z.array(z.looseObject({ filter: z.string() })).parse(rows)
  if (!row) throw gone('This view is gone, or is not shared any more.')
  return viewRowSchema.parse({ ...row, filter: JSON.parse(row.filter) })
}

/** What is not shared is not there for others. */
async function requireWatch(tx: Database, id: string, { user }: ReaderSession): Promise<StoredWatch> {
  const watch = await findWatch(tx, id, user.id)
  if (!watch || (!watch.isShared && !watch.owner.isMe && user.role !== 'admin'))
    throw gone('This watch has ended.')
  return watch
}

async function requireOwnWatch(tx: Database, id: string, session: ReaderSession): Promise<StoredWatch> {
  const watch = await requireWatch(tx, id, session)
  if (watch.owner.isMe || session.user.role === 'admin') return watch
  throw new ProblemError({
    code: 'role_not_allowed',
    detail: `This watch is ${watch.owner.name}’s. Watch the view yourself, or ask an admin.`,
  })
}

/** As the record has them: users by id, destinations masked. */
async function namesOf(tx: Database, id: string): Promise<string[]> {
  return (await readRecipients(tx, id)).map(
    ({ channel, userId, masked }) => `${channel} ${userId ?? masked ?? ''}`,
  )
}

function gone(detail: string): ProblemError {
  return new ProblemError({ code: 'not_found', detail })
}

function alreadyWatched(): ProblemError {
  return new ProblemError({
    code: 'conflict',
    title: 'You watch this view already',
    detail: 'Change its recipients instead.',
  })
}

function cannotTell(): ProblemError {
  return new ProblemError({
    code: 'conflict',
    title: 'This recipient cannot be told',
    detail: 'E-mail is not set up, the user has no access any more, or SECRET was replaced: enter it again.',
  })
}
