import * as z from 'zod/mini'
import { defineChange } from '#bff/accounts/make-change.ts'
import { conflict, notFound, type ProblemError, roleNotAllowed } from '#bff/http/problem-error.ts'
import { type BffRoute, defineRoute, type ReaderSession } from '#bff/http/route.ts'
import { createToken, hashToken } from '#bff/http/token.ts'
import { writeOnce } from '#bff/http/write-once.ts'
import { requireSearch } from '#bff/store/read-search.ts'
import {
  defaultViewSchema,
  newViewSchema,
  type View,
  viewChangeSchema,
  viewSchema,
} from '#contract/bff/view.ts'
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
const VIEWS = { kind: 'views' } as const

type ViewRouteDependencies = {
  database: Database
  /** Browsers and feed readers find Lantern here. */
  origin: string
}

/** Saved views: everybody has their own; what the team shares, analysts make. */
export function viewRoutes({ database, origin }: ViewRouteDependencies): BffRoute[] {
  return [
    defineRoute('GET /bff/views', {
      access: 'viewer',
      answer: async ({ session }) => ({ json: { views: await listViews(database, session.user.id) } }),
    }),
    defineChange(database, 'POST /bff/views', {
      body: newViewSchema,
      access: 'viewer',
      status: 201,
      live: VIEWS,
      async change({ body: { idempotencyKey: key, ...draft }, session, request }, tx, record) {
        requireSharing(draft.isShared, session)
        requireSearch(draft.filter, 'filter.q')
        const { id: accountId } = session.user
        const write = { accountId, route: request.route, key, body: draft, answer: viewSchema }
        return writeOnce(tx, write, async () => {
          const id = await insertView(tx, accountId, draft, VIEWS_MAX_COUNT)
          if (id === null)
            throw conflict(
              `You have ${VIEWS_MAX_COUNT} views. Delete one that you no longer use, then save this one.`,
            )
          await record({ action: 'view-created', object: id, objectName: draft.name, after: draft })
          return requireView(tx, id, session)
        })
      },
    }),
    defineChange(database, 'PUT /bff/views/default', {
      body: defaultViewSchema,
      access: 'viewer',
      live: VIEWS,
      async change({ body: { id }, session }, tx, record) {
        const { id: account } = session.user
        const known = (await listViews(tx, account)).find(({ isDefault }) => isDefault)
        const view = id === null ? known : await requireView(tx, id, session)
        await setDefaultView(tx, account, id)
        if (!view || known?.id === id) return
        const before = { isDefault: id === null }
        const after = { isDefault: id !== null }
        await record({ action: 'view-changed', object: view.id, objectName: view.name, before, after })
      },
    }),
    defineChange(database, 'PUT /bff/views/:id', {
      params: ID,
      body: viewChangeSchema,
      access: 'viewer',
      live: VIEWS,
      async change({ params: { id }, body, session }, tx, record) {
        requireSearch(body.filter ?? {}, 'filter.q')
        const { name, filter, arrangement, timeZone, isShared } = await requireOwnView(tx, id, session)
        requireSharing(body.isShared ?? isShared, session)
        await updateView(tx, id, body)
        const before = { name, filter, arrangement, timeZone, isShared }
        await record({ action: 'view-changed', object: id, objectName: name, before, after: body })
        return findView(tx, id, session.user.id)
      },
    }),
    defineChange(database, 'DELETE /bff/views/:id', {
      params: ID,
      access: 'viewer',
      live: VIEWS,
      async change({ params: { id }, session }, tx, record) {
        const { name, filter, isShared } = await requireOwnView(tx, id, session)
        await deleteView(tx, id)
        const before = { name, filter, isShared }
        await record({ action: 'view-deleted', object: id, objectName: name, before })
      },
    }),
    defineChange(database, 'POST /bff/views/:id/feed', {
      params: ID,
      access: 'analyst',
      status: 201,
      live: VIEWS,
      // The address outlives the session.
      needsFreshProof: true,
      async change({ params: { id }, session }, tx, record) {
        const token = createToken()
        const { name, hasFeed, owner } = await requireOwnView(tx, id, session)
        if (!(await openFeed(tx, id, hashToken(token)))) throw ownerMayNotFeed(owner.name)
        const after = { hasFeed: true }
        await record({ action: 'view-changed', object: id, objectName: name, before: { hasFeed }, after })
        return { address: `${origin}/feeds/${token}.atom` }
      },
    }),
    defineChange(database, 'DELETE /bff/views/:id/feed', {
      params: ID,
      access: 'viewer',
      live: VIEWS,
      async change({ params: { id }, session }, tx, record) {
        const isAdmin = session.user.role === 'admin'
        const closed = isAdmin ? await findFeed(tx, id) : await requireOwnView(tx, id, session)
        if (!closed) throw viewGone()
        await closeFeed(tx, id)
        const { name, hasFeed } = closed
        const after = { hasFeed: false }
        await record({ action: 'view-changed', object: id, objectName: name, before: { hasFeed }, after })
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

function viewGone(): ProblemError {
  return notFound('This view was deleted, or is no longer shared.')
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
