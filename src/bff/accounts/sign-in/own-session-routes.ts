import * as z from 'zod/mini'
import { makeChange } from '#bff/accounts/make-change.ts'
import { conflict, notFound } from '#bff/http/problem-error.ts'
import { type BffRoute, defineRoute, type ReaderSession } from '#bff/http/route.ts'
import type { OwnSessions } from '#contract/bff/own-session.ts'
import { idSchema } from '#contract/id.ts'
import type { Database } from '#database/database.ts'
import { deleteOtherSessions, deleteSessionById, listSessions } from './session-queries.ts'
import type { SessionStore } from './session-store.ts'

/** The browsers in which the reader is signed in. */
export function ownSessionRoutes(database: Database, sessions: SessionStore): BffRoute[] {
  async function list({ id, user }: ReaderSession): Promise<OwnSessions> {
    return { sessions: await listSessions(database, { id, accountId: user.id }) }
  }

  return [
    defineRoute('GET /bff/sessions', {
      access: 'viewer',
      answer: async ({ session }) => ({ json: await list(session) }),
    }),
    defineRoute('DELETE /bff/sessions/:id', {
      access: 'viewer',
      params: z.object({ id: idSchema }),
      async answer({ params: { id }, ...context }) {
        const { session } = context
        const { id: accountId, email: objectName } = session.user
        if (id === session.id) throw conflict('Sign out to end it.', 'This is the session you are using')
        await makeChange(database, context, 'viewer', async (tx, record) => {
          if (!(await deleteSessionById(tx, id, accountId))) throw notFound('It has ended already.')
          await record({ action: 'session-ended', object: accountId, objectName })
        })
        sessions.forgetAll()
        return { json: await list(session) }
      },
    }),
    defineRoute('POST /bff/sessions/end-others', {
      access: 'viewer',
      async answer(context) {
        const { session } = context
        const { id: accountId, email: objectName } = session.user
        await makeChange(database, context, 'viewer', async (tx, record) => {
          const ended = await deleteOtherSessions(tx, session.id, accountId)
          const after = { ended }
          await record({ action: 'other-sessions-ended', object: accountId, objectName, after })
        })
        sessions.forgetAll()
        return { json: await list(session) }
      },
    }),
  ]
}
