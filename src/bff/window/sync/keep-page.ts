import {
  dropAll,
  dropOlder,
  lockWindow,
  nextRevision,
  placeThreats,
  storeThreats,
} from '#bff/window/store/store-threats.ts'
import { WINDOW_CHANGED_CHANNEL } from '#bff/window/window-listener.ts'
import type { Database } from '#database/database.ts'
import type { CrawlPage } from './crawl.ts'
import { type SyncState, writeSyncState, writeTrouble } from './sync-state.ts'

/** With it, why the window is not kept up; null while all is well. */
type Kept = { sync: SyncState; page: CrawlPage; keptFrom: string; trouble: string | null }
/** Whether the page begins a window in the place of any other, and whether what lies before the window goes. */
export type KeepHow = { isFirst?: boolean; dropsOlder?: boolean }

/** Stores a page and how far the reader has come, and tells every process where that has changed anything. */
export async function keepPage(
  database: Database,
  { sync, page, keptFrom, trouble }: Kept,
  { isFirst = false, dropsOlder = false }: KeepHow,
): Promise<void> {
  const placed = placeThreats(page.threats, sync.heldTo).filter(({ at }) => at >= keptFrom)
  await database.transaction(async (db) => {
    await lockWindow(db)
    if (isFirst) await dropAll(db)
    const stored = await storeThreats(db, placed)
    const dropped = dropsOlder ? await dropOlder(db, sync.heldFrom) : 0
    const isChanged = isFirst || stored + dropped > 0
    await writeSyncState(db, isChanged ? { ...sync, revision: await nextRevision(db) } : sync)
    await writeTrouble(db, sync.source, trouble)
    if (isChanged) await tellChange(db)
  })
}

/** What another key could read is gone before this one is asked. */
export async function forgetAll(database: Database): Promise<void> {
  await database.transaction(async (db) => {
    await lockWindow(db)
    await dropAll(db)
    await tellChange(db)
  })
}

async function tellChange(db: Database): Promise<void> {
  await db.query('select pg_notify($1, $2)', [WINDOW_CHANGED_CHANNEL, ''])
}
