import * as z from 'zod/mini'
import { defineChange } from '#bff/accounts/make-change.ts'
import { conflict, notFound, roleNotAllowed } from '#bff/http/problem-error.ts'
import { type BffRoute, defineRoute, type ReaderSession } from '#bff/http/route.ts'
import {
  deleteMute,
  listMutableProfiles,
  listMutes,
  type MutableProfile,
  saveMute,
} from '#bff/notify/mute-queries.ts'
import { MUTES_MAX_COUNT, type Mute, muteDraftSchema } from '#contract/bff/alert-mute.ts'
import { DAY_MS } from '#contract/duration.ts'
import { idSchema, vendorIdSchema } from '#contract/id.ts'
import type { Database } from '#database/database.ts'
import { readDatabaseTime } from '#delivery/ledger-access.ts'

/** The id is of a profile that runs in Lantern, or of one of Lantern's own service. */
const ID = z.object({ id: vendorIdSchema })

/** Victims and actors of which a profile does not notify for a while. */
export function muteRoutes({ database }: { database: Database }): BffRoute[] {
  return [
    defineRoute('GET /bff/alert-profiles/:id/mutes', {
      params: ID,
      access: 'viewer',
      async answer({ params: { id }, session }) {
        const { canChange } = await requireSeen(database, id, session)
        return { json: { mutes: await listMutes(database, id, await readDatabaseTime(database)), canChange } }
      },
    }),
    defineChange(database, 'POST /bff/alert-profiles/:id/mutes', {
      params: ID,
      body: muteDraftSchema,
      access: 'analyst',
      live: { kind: 'profiles' },
      status: 201,
      async change({ params: { id }, body: { days, ...draft }, session }, tx, record): Promise<Mute> {
        const profile = await requireChangeable(tx, id, session)
        const now = await readDatabaseTime(tx)
        const until = days === null ? null : new Date(now.getTime() + days * DAY_MS)
        const saved = await saveMute(tx, profile, { ...draft, until, accountId: session.user.id, now })
        if (saved === null)
          throw conflict(
            `A profile has ${MUTES_MAX_COUNT} mutes at most. Remove one, or narrow the search of the profile.`,
            'This profile has too many mutes',
          )
        const mute = (await listMutes(tx, id, now)).find((one) => one.id === saved)
        if (!mute) throw new Error('A mute that was saved is listed')
        await record({
          action: 'alert-muted',
          object: id,
          objectName: profile.name,
          // The reason is left out: texts of people can be erased, and the record cannot.
          after: { [mute.kind]: mute.name, until: mute.until },
        })
        return mute
      },
    }),
    defineChange(database, 'DELETE /bff/alert-profiles/:id/mutes/:mute', {
      params: z.extend(ID, { mute: idSchema }),
      access: 'analyst',
      live: { kind: 'profiles' },
      async change({ params: { id, mute: muteId }, session }, tx, record) {
        const profile = await requireChangeable(tx, id, session)
        const mute = await deleteMute(tx, id, muteId)
        if (!mute) throw notFound('This mute has ended, or was removed.')
        await record({
          action: 'alert-unmuted',
          object: id,
          objectName: profile.name,
          before: { [mute.kind]: mute.name },
        })
      },
    }),
  ]
}

/** A profile that is not shared does not exist for others. Nor does a vendor's own: Lantern sends none of its messages. */
async function requireSeen(db: Database, id: string, session: ReaderSession): Promise<MutableProfile> {
  const [profile] = await listMutableProfiles(db, [id], session)
  if (profile) return profile
  throw notFound(
    'This profile was deleted, is not shared, or is one of the vendor, who sends its messages: Lantern cannot mute them.',
  )
}

async function requireChangeable(db: Database, id: string, session: ReaderSession): Promise<MutableProfile> {
  const profile = await requireSeen(db, id, session)
  if (profile.canChange) return profile
  throw roleNotAllowed('Only its owner and admins mute matches of this profile. Duplicate it, or ask them.')
}
