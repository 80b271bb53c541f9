import * as z from 'zod/mini'
import { type AuditRecord, auditFacts, recordAudit } from '#bff/accounts/audit/record-audit.ts'
import { notifyLive } from '#bff/http/live/live-channel.ts'
import { ProblemError } from '#bff/http/problem-error.ts'
import { type BffRoute, defineRoute, type ReaderSession } from '#bff/http/route.ts'
import { createToken, hashToken } from '#bff/http/token.ts'
import type { View } from '#contract/bff/view.ts'
import { defaultViewSchema, viewChangeSchema, viewDraftSchema } from '#contract/bff/view-draft.ts'
import type { Database } from '#database/database.ts'
import {
  deleteView,
  findView,
  insertView,
  listViews,
  setDefaultView,
  setFeedToken,
  updateView,
} from './view-queries.ts'

const OWN = { access: 'viewer', cache: 'none' } as const
/** Of one account: more could not be found again in a list. */
const VIEWS_MAX_COUNT = 200
const ID = z.object({ id: z.uuid() })

type ViewRouteDependencies = {
  database: Database
  /** Where browsers, and readers of feeds, find us. */
  origin: string
}

type RequestContext = Parameters<typeof auditFacts>[1]
type Change = Pick<AuditRecord, 'route' | 'action' | 'before' | 'after'> & {
  view: { id: string; name: string }
}

/** Saved views: everybody has their own; what the team shares, analysts make. */
export function viewRoutes({ database, origin }: ViewRouteDependencies): BffRoute[] {
  async function requireView(id: string, { user }: ReaderSession): Promise<View> {
    const view = await findView(database, id, user.id)
    if (!view)
      throw new ProblemError({ code: 'not_found', detail: 'This view is gone, or is not shared any more.' })
    return view
  }

  async function requireOwnView(id: string, session: ReaderSession): Promise<View> {
    const view = await requireView(id, session)
    if (view.owner.isMe || session.user.role === 'admin') return view
    throw new ProblemError({
      code: 'role_not_allowed',
      detail: `This view is ${view.owner.name}’s. Save it as one of your own, or ask an admin.`,
    })
  }

  async function audit(
    context: RequestContext,
    { route, action, view, before, after }: Change,
  ): Promise<void> {
    await recordAudit(database, {
      ...auditFacts(route, context),
      action,
      object: view.id,
      objectName: view.name,
      before,
      after,
    })
    await notifyLive(database, { kind: 'views' })
  }

  return [
    defineRoute({
      method: 'GET',
      path: '/bff/views',
      ...OWN,
      answer: async ({ session }) => ({ json: { views: await listViews(database, session.user.id) } }),
    }),
    defineRoute({
      method: 'POST',
      path: '/bff/views',
      body: viewDraftSchema,
      ...OWN,
      async answer({ body, ...context }) {
        requireSharing(body.isShared, context.session)
        const { id: account } = context.session.user
        const id = await insertView(database, account, body, VIEWS_MAX_COUNT)
        if (id === null) {
          throw new ProblemError({
            code: 'conflict',
            detail: `You have ${VIEWS_MAX_COUNT} views. Delete one that you no longer use, then save this one.`,
          })
        }
        await audit(context, {
          route: 'POST /bff/views',
          action: 'view-created',
          view: { id, name: body.name },
          after: body,
        })
        return { status: 201, json: await findView(database, id, account) }
      },
    }),
    defineRoute({
      method: 'PUT',
      path: '/bff/views/default',
      body: defaultViewSchema,
      ...OWN,
      async answer({ body: { id }, ...context }) {
        const { id: account } = context.session.user
        const before = (await listViews(database, account)).find(({ isDefault }) => isDefault)
        const view = id === null ? before : await requireView(id, context.session)
        await setDefaultView(database, account, id)
        if (view && before?.id !== id) {
          await audit(context, {
            route: 'PUT /bff/views/default',
            action: 'view-changed',
            view,
            before: { isDefault: id === null },
            after: { isDefault: id !== null },
          })
        }
        return { status: 204 }
      },
    }),
    defineRoute({
      method: 'PUT',
      path: '/bff/views/:id',
      params: ID,
      body: viewChangeSchema,
      ...OWN,
      async answer({ params: { id }, body, ...context }) {
        const { name, filter, timeZone, isShared } = await requireOwnView(id, context.session)
        requireSharing(body.isShared ?? isShared, context.session)
        await updateView(database, id, body)
        await audit(context, {
          route: 'PUT /bff/views/:id',
          action: 'view-changed',
          view: { id, name },
          before: { name, filter, timeZone, isShared },
          after: body,
        })
        return { json: await findView(database, id, context.session.user.id) }
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/bff/views/:id',
      params: ID,
      ...OWN,
      async answer({ params: { id }, ...context }) {
        const { name, filter, isShared } = await requireOwnView(id, context.session)
        await deleteView(database, id)
        await audit(context, {
          route: 'DELETE /bff/views/:id',
          action: 'view-deleted',
          view: { id, name },
          before: { name, filter, isShared },
        })
        return { status: 204 }
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/bff/views/:id/feed',
      params: ID,
      ...OWN,
      access: 'analyst',
      async answer({ params: { id }, ...context }) {
        const { name, hasFeed } = await requireOwnView(id, context.session)
        const token = createToken()
        await setFeedToken(database, id, hashToken(token))
        await audit(context, {
          route: 'POST /bff/views/:id/feed',
          action: 'view-changed',
          view: { id, name },
          before: { hasFeed },
          after: { hasFeed: true },
        })
        return { status: 201, json: { address: `${origin}/feeds/${token}.atom` } }
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/bff/views/:id/feed',
      params: ID,
      ...OWN,
      async answer({ params: { id }, ...context }) {
        const { name, hasFeed } = await requireOwnView(id, context.session)
        await setFeedToken(database, id, null)
        await audit(context, {
          route: 'DELETE /bff/views/:id/feed',
          action: 'view-changed',
          view: { id, name },
          before: { hasFeed },
          after: { hasFeed: false },
        })
        return { status: 204 }
      },
    }),
  ]
}

function requireSharing(isShared: boolean, { user }: ReaderSession): void {
  if (!isShared || user.role !== 'viewer') return
  throw new ProblemError({
    code: 'role_not_allowed',
    detail: 'Viewers keep views for themselves. Ask an analyst to share one with the team.',
  })
}
