import { defineChange } from '#bff/accounts/make-change.ts'
import { type BffRoute, defineRoute, type ReaderSession } from '#bff/http/route.ts'
import { markInboxRead, readInbox } from '#bff/notify/inbox-queries.ts'
import { inboxReadSchema } from '#contract/bff/inbox-read.ts'
import type { Database } from '#database/database.ts'

/** The bell: the account's notices, and new matches. */
export function inboxRoutes({ database }: { database: Database }): BffRoute[] {
  const read = (db: Database, { user: { id } }: ReaderSession) => readInbox(db, id)
  return [
    defineRoute('GET /bff/inbox', {
      access: 'viewer',
      answer: async ({ session }) => ({ json: await read(database, session) }),
    }),
    defineChange(database, 'POST /bff/inbox/read', {
      body: inboxReadSchema,
      access: 'viewer',
      async change({ body, session }, tx) {
        await markInboxRead(tx, session.user.id, body)
        return read(tx, session)
      },
    }),
  ]
}
