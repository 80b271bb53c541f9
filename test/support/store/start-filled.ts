import { setTimeout as sleep } from 'node:timers/promises'
import { composeRooms, type RoomOptions } from '#bff/compose.ts'
import { createLog } from '#bff/http/log.ts'
import { sourceSchema } from '#contract/bff/source.ts'
import { threatListSchema } from '#contract/bff/threat-list.ts'
import type { OpenDatabase } from '#database/open-database.ts'
import { createTestBff } from '#test/support/ask-bff.ts'
import { type StandInReply, startStandInUpstream } from '#test/support/stand-in-upstream.ts'
import { earlierList, v1List } from '#test/support/upstream-records.ts'
import { USUAL_HISTORY, USUAL_NOTIFY } from '#test/support/usual-settings.ts'

export const V1_LIST = '/api/v1/threats'
const EARLIER_LIST = '/api/feed'
const SYNC_LOOK_MS = 20
const IS_LED = `select from pg_locks join pg_database on pg_database.oid = database
   where locktype = 'advisory' and objid = 4812041 and granted and datname = current_database()`

type FilledOptions = Partial<
  Pick<RoomOptions, 'timeouts' | 'notify' | 'isDatabaseWritable' | 'compareNames'>
> & {
  records: readonly unknown[]
  /** The same as a vendor writes them, in the place of `records`. */
  answer?: readonly unknown[]
  /** What the vendor answers besides, from the start, by path. */
  also?: Readonly<Record<string, StandInReply>>
  /** False leaves the store empty until `readNewer`. */
  isStored?: boolean
}

/** The BFF before a stand-in vendor with these records, an admin's browser, and a window that holds them all. */
export async function startFilled(
  database: OpenDatabase,
  {
    records,
    answer = records,
    also = {},
    isStored = true,
    timeouts,
    notify = USUAL_NOTIFY,
    isDatabaseWritable,
    compareNames,
  }: FilledOptions,
) {
  const standIn = await startStandInUpstream()
  standIn.play(V1_LIST, { json: v1List(answer) })
  // Without it, details come from both route sets only until a background job has found the earlier set to be absent.
  standIn.play(EARLIER_LIST, { json: earlierList([]) })
  for (const [path, reply] of Object.entries(also)) standIn.play(path, reply)
  const logged: string[] = []
  const rooms = composeRooms({
    history: USUAL_HISTORY,
    upstream: { url: standIn.url, apiKey: 'key-of-the-tests', kind: 'vendor' },
    database,
    secret: 'secret-of-the-tests',
    notify,
    isDatabaseWritable,
    compareNames,
    origin: 'http://localhost:4173',
    log: createLog((line) => logged.push(line)),
    ...(timeouts && { timeouts }),
  })
  const bff = await createTestBff(database, { routes: rooms.routes })
  await bff.signIn()
  let reader = isStored ? rooms.startReader(database) : null
  const source = async () => sourceSchema.parse(await (await bff.ask('/bff/source')).json())
  while (isStored && !['complete', 'partial'].includes((await source()).window.status)) {
    rooms.store.forget()
    await sleep(SYNC_LOOK_MS)
  }
  async function retire(): Promise<void> {
    await reader?.close()
    // Who asks for the lock while the connection of the one before ends, asks again three seconds later.
    while (reader && (await database.query(IS_LED)).rowCount > 0) await sleep(5)
  }
  async function succeed(): Promise<void> {
    await retire()
    reader = rooms.startReader(database)
  }
  return {
    ...bff,
    standIn,
    logged,
    rooms,
    source,
    /** Another process leads, and does at once what the one before does at its next look. */
    succeed,
    /** The sync looks for newer records, as it does every now and then. */
    async readNewer(): Promise<void> {
      await retire()
      await database.query(`update window_reach set next_read_at = now()`)
      const callsBefore = standIn.calls.length
      reader = rooms.startReader(database)
      const isRead = `select from window_reach where next_read_at > now()`
      while (standIn.calls.length === callsBefore || (await database.query(isRead)).rowCount === 0)
        await sleep(SYNC_LOOK_MS)
      rooms.store.forget()
    },
    /** The sync reads again what has changed behind the newest record, as it does every hour. */
    async reconcile(): Promise<void> {
      await retire()
      await database.query(
        `update window_reach set reconciled_at = now() - interval '2 hours', next_read_at = now()`,
      )
      reader = rooms.startReader(database)
      const isOver = `select from window_reach where reconciled_at > now() - interval '1 hour'`
      while ((await database.query(isOver)).rowCount === 0) await sleep(SYNC_LOOK_MS)
      rooms.store.forget()
    },
    /** The sync compares all that is stored with the vendor's list, as it does every day. */
    async compareAll(): Promise<void> {
      await retire()
      await database.query(
        `update window_reach set checks = jsonb_set(checks::jsonb, '{allTriedAt}', '"2026-01-01T00:00:00Z"')::text`,
      )
      reader = rooms.startReader(database)
      const isOver = `select from window_reach
         where (checks::jsonb->>'allTriedAt')::timestamptz > now() - interval '1 hour'`
      while ((await database.query(isOver)).rowCount === 0) await sleep(SYNC_LOOK_MS)
      rooms.store.forget()
    },
    list: async (query = '') => threatListSchema.parse(await (await bff.ask(`/bff/threats${query}`)).json()),
    async close() {
      await reader?.close()
      await rooms.close()
    },
  }
}
