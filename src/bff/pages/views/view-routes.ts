import * as z from 'zod/mini'
import type { AuditedAction } from '#bff/accounts/audit/record-audit.ts'
import { type ChangeContext, makeChange } from '#bff/accounts/make-change.ts'
import { notifyLive } from '#bff/http/live/live-channel.ts'
import { conflict, notFound, type ProblemError, roleNotAllowed } from '#bff/http/problem-error.ts'
import { type BffRoute, defineRoute, type ReaderSession } from '#bff/http/route.ts'
import { createToken, hashToken } from '#bff/http/token.ts'
import { writeOnce } from '#bff/http/write-once.ts'
import { requireSearch } from '#bff/store/read-search.ts'
import type { Role } from '#contract/bff/session.ts'
import { type View, viewSchema } from '#contract/bff/view.ts'
import { defaultViewSchema, newViewSchema, viewChangeSchema } from '#contract/bff/view-draft.ts'
import { idSchema } from '#contract/id.ts'
import type { Database } from '#database/database.ts'
import {
  closeFeed,
  deleteView,
  findFeed,
  findView,
  insertView,
  listFeedAddresses,
  listViews,
  openFeed,
  setDefaultView,
  updateView,
} from './view-queries.ts'

/** One account has at most this many: more could not be found again in a list. */
const VIEWS_MAX_COUNT = 200
const ID = z.object({ id: idSchema })

type ViewRouteDependencies = {
  database: Database
  /** Browsers and feed readers find Lantern here. */
  origin: string
}

type Change = AuditedAction & {
  view: { id: string; name: string }
}

/** Saved views: everybody has their own; what the team shares, analysts make. */
export function viewRoutes({ database, origin }: ViewRouteDependencies): BffRoute[] {
  /** A change of views and its record, together or not at all. */
  function change<Result>(
    context: ChangeContext,
    run: (tx: Database, record: (facts: Change) => Promise<void>) => Promise<Result>,
    least: Role = 'viewer',
  ): Promise<Result> {
    return makeChange(database, context, least, (tx, record) =>
      run(tx, async ({ view, ...facts }) => {
        await record({ object: view.id, objectName: view.name, ...facts })
        await notifyLive(tx, { kind: 'views' })
      }),
    )
  }

  return [
    defineRoute('GET /bff/views', {
      access: 'viewer',
      answer: async ({ session }) => ({ json: { views: await listViews(database, session.user.id) } }),
    }),
    defineRoute('POST /bff/views', {
      body: newViewSchema,
      access: 'viewer',
      async answer({ body: { idempotencyKey: key, ...draft }, ...context }) {
        requireSharing(draft.isShared, context.session)
        requireSearch(draft.filter, 'filter.q')
        const { id: accountId } = context.session.user
        const { route } = context.request
        const view = await change(context, (tx, record) =>
          writeOnce(tx, { accountId, route, key, body: draft, answer: viewSchema }, async () => {
            const id = await insertView(tx, accountId, draft, VIEWS_MAX_COUNT)
            if (id === null) throw tooManyViews()
            await record({ action: 'view-created', view: { id, name: draft.name }, after: draft })
            return requireView(tx, id, context.session)
          }),
        )
        return { status: 201, json: view }
      },
    }),
    defineRoute('PUT /bff/views/default', {
      body: defaultViewSchema,
      access: 'viewer',
      async answer({ body: { id }, ...context }) {
        const { id: account } = context.session.user
        await change(context, async (tx, record) => {
          const before = (await listViews(tx, account)).find(({ isDefault }) => isDefault)
          const view = id === null ? before : await requireView(tx, id, context.session)
          await setDefaultView(tx, account, id)
          if (!view || before?.id === id) return
          await record({
            action: 'view-changed',
            view,
            before: { isDefault: id === null },
            after: { isDefault: id !== null },
          })
        })
        return { status: 204 }
      },
    }),
    defineRoute('PUT /bff/views/:id', {
      params: ID,
      body: viewChangeSchema,
      access: 'viewer',
      async answer({ params: { id }, body, ...context }) {
        const { session } = context
        requireSearch(body.filter ?? {}, 'filter.q')
        const view = await change(context, async (tx, record) => {
          const { name, filter, arrangement, timeZone, isShared } = await requireOwnView(tx, id, session)
          requireSharing(body.isShared ?? isShared, session)
          await updateView(tx, id, body)
          const before = { name, filter, arrangement, timeZone, isShared }
          await record({ action: 'view-changed', view: { id, name }, before, after: body })
          return findView(tx, id, session.user.id)
        })
        return { json: view }
      },
    }),
    defineRoute('DELETE /bff/views/:id', {
      params: ID,
      access: 'viewer',
      async answer({ params: { id }, ...context }) {
        await change(context, async (tx, record) => {
          const { name, filter, isShared } = await requireOwnView(tx, id, context.session)
          await deleteView(tx, id)
          await record({ action: 'view-deleted', view: { id, name }, before: { name, filter, isShared } })
        })
        return { status: 204 }
      },
    }),
    defineRoute('POST /bff/views/:id/feed', {
      params: ID,
      access: 'analyst',
      // The address outlives the session.
      needsFreshProof: true,
      async answer({ params: { id }, ...context }) {
        const token = createToken()
        const run = async (tx: Database, record: (facts: Change) => Promise<void>) => {
          const { name, hasFeed, owner } = await requireOwnView(tx, id, context.session)
          if (!(await openFeed(tx, id, hashToken(token)))) throw ownerMayNotFeed(owner.name)
          const after = { hasFeed: true }
          await record({ action: 'view-changed', view: { id, name }, before: { hasFeed }, after })
        }
        await change(context, run, 'analyst')
        return { status: 201, json: { address: `${origin}/feeds/${token}.atom` } }
      },
    }),
    defineRoute('DELETE /bff/views/:id/feed', {
      params: ID,
      access: 'viewer',
      async answer({ params: { id }, ...context }) {
        await change(context, async (tx, record) => {
          const isAdmin = context.session.user.role === 'admin'
          const closed = isAdmin ? await findFeed(tx, id) : await requireOwnView(tx, id, context.session)
          if (!closed) throw viewGone()
          await closeFeed(tx, id)
          const { name, hasFeed } = closed
          const after = { hasFeed: false }
          await record({ action: 'view-changed', view: { id, name }, before: { hasFeed }, after })
        })
        return { status: 204 }
      },
    }),
    defineRoute('GET /bff/feed-addresses', {
      access: 'admin',
      answer: async () => ({ json: { addresses: await listFeedAddresses(database) } }),
    }),
  ]
}

async function requireView(db: Database, id: string, { user }: ReaderSession): Promise<View> {
  const view = await findView(db, id, user.id)
  if (!view) throw viewGone()
  return view
}

async function requireOwnView(db: Database, id: string, session: ReaderSession): Promise<View> {
  const view = await requireView(db, id, session)
  if (view.owner.isMe || session.user.role === 'admin') return view
  throw roleNotAllowed(`This view is ${view.owner.name}’s. Save it as one of your own, or ask an admin.`)
}

function tooManyViews(): ProblemError {
  return conflict(`You have ${VIEWS_MAX_COUNT} views. Delete one that you no longer use, then save this one.`)
}

function viewGone(): ProblemError {
  return notFound('This view is gone, or is not shared any more.')
}

function ownerMayNotFeed(owner: string): ProblemError {
  return conflict(
    `${owner} is a viewer, or disabled. Save the view as one of your own, then make its feed.`,
    'The owner of this view may have no feed',
  )
}

function requireSharing(isShared: boolean, { user }: ReaderSession): void {
  if (!isShared || user.role !== 'viewer') return
  throw roleNotAllowed('Viewers keep views for themselves. Ask an analyst to share one with the team.')
}
