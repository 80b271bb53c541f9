import * as z from 'zod/mini'
import { defineChange } from '#bff/accounts/make-change.ts'
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

  function forgetAndList({ session }: { session: ReaderSession }) {
    sessions.forgetAll()
    return list(session)
  }

  return [
    defineRoute('GET /bff/sessions', {
      access: 'viewer',
      answer: async ({ session }) => ({ json: await list(session) }),
    }),
    defineChange(database, 'DELETE /bff/sessions/:id', {
      access: 'viewer',
      params: z.object({ id: idSchema }),
      committed: forgetAndList,
      async change({ params: { id }, session }, tx, record) {
        const { id: accountId, email: objectName } = session.user
        if (id === session.id) throw conflict('Sign out to end it.', 'This is the session you are using')
        if (!(await deleteSessionById(tx, id, accountId))) throw notFound('It has ended already.')
        await record({ action: 'session-ended', object: accountId, objectName })
      },
    }),
    defineChange(database, 'POST /bff/sessions/end-others', {
      access: 'viewer',
      committed: forgetAndList,
      async change({ session }, tx, record) {
        const { id: accountId, email: objectName } = session.user
        const ended = await deleteOtherSessions(tx, session.id, accountId)
        await record({ action: 'other-sessions-ended', object: accountId, objectName, after: { ended } })
      },
    }),
  ]
}
