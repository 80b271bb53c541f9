import { notifyLive } from '#bff/http/live/live-channel.ts'
import { findStoredIds, takeBack } from '#bff/store/records/list-queries.ts'
import { countStored, lockStore, nextRevision, storeThreats } from '#bff/store/records/store-threats.ts'
import { WINDOW_CHANGED_CHANNEL } from '#bff/store/store-listener.ts'
import { readSyncState, writeRevision } from '#bff/store/sync/sync-state.ts'
import type { HistoryLimits } from '#bff/time/history-limits.ts'
import type { Database } from '#database/database.ts'
import type { AfterLoadPage, LoadEnd } from './after-page.ts'
import { addRange } from './history-ranges.ts'
import {
  advanceLoad,
  endLoad,
  forgetFailures,
  type HistoryLoad,
  meetIds,
  writeLoadReason,
} from './load-queries.ts'

type ReadPage = Omit<AfterLoadPage, 'end'> & {
  end: LoadEnd | null
  ids: readonly string[]
  /** Those of them that the load had met before. */
  met: ReadonlySet<string>
  isOldest: boolean
  source: string
  at: string
}

/** Stores a page, where the load goes on, and at its end the claim, in one transaction. */
export async function storeLoadPage(database: Database, load: HistoryLoad, page: ReadPage): Promise<void> {
  const { placed, reading, cursor, end, ids, met, isOldest, source, at } = page
  await database.transaction(async (db) => {
    await lockStore(db)
    const sync = await readSyncState(db)
    // Another source's records are stored by now.
    if (sync.status === 'empty' || sync.source !== source) return
    const own = placed.map(({ threat }) => threat.id)
    const known = await findStoredIds(db, own)
    const changed = await storeThreats(db, placed)
    if (changed > 0) await takeBack(db, own)
    const records = { records: new Set(own).difference(met).size, added: new Set(own).difference(known).size }
    // A page that was paid for is stored, even if somebody has stopped the load meanwhile.
    if (await advanceLoad(db, load, { cursor, total: reading.said, ...records, at })) {
      await meetIds(db, load, ids)
      if (end?.kind === 'claim') {
        await addRange(db, { from: load.from, to: load.to, set: load.set, isOldest, readAt: at })
        await forgetFailures(db, load)
        await endLoad(db, load.id, { state: 'done', at })
      } else if (end?.kind === 'failed') {
        await endLoad(db, load.id, { state: 'failed', why: end.why, reason: end.reason, at })
      }
    }
    if (changed > 0) await writeRevision(db, await nextRevision(db))
    if (changed > 0 || end) await db.query('select pg_notify($1, $2)', [WINDOW_CHANGED_CHANNEL, ''])
    if (!load.isBackground) await notifyLive(db, { kind: 'history' })
  })
}

/** Ends a load without another page. */
export async function storeEnd(
  database: Database,
  id: string,
  end: Parameters<typeof endLoad>[2],
): Promise<void> {
  await database.transaction(async (db) => {
    if (!(await endLoad(db, id, end))) return
    await db.query('select pg_notify($1, $2)', [WINDOW_CHANGED_CHANNEL, ''])
    await notifyLive(db, { kind: 'history' })
  })
}

/** Says what a load waits for. */
export async function storeReason(database: Database, id: string, reason: string): Promise<void> {
  if (await writeLoadReason(database, id, reason)) await notifyLive(database, { kind: 'history' })
}

/** Returns true if the limit of records is reached. */
export async function isFull(db: Database, { records }: HistoryLimits): Promise<boolean> {
  return (await countStored(db)) >= records
}
