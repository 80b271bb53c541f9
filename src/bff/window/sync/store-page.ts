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
import type { RestOutcome, StoreOutcome } from './next-step.ts'
import { troubleOf } from './setbacks.ts'
import { writeSyncState, writeTrouble } from './sync-state.ts'

/** Stores a page with the state after it, and tells every process where that has changed anything. */
export async function storePage(
  database: Database,
  { state, page, setbacks, isFirst, dropsOlder }: StoreOutcome,
  keptFrom: string,
): Promise<void> {
  const placed = placeThreats(page.threats, state.storedTo).filter(({ at }) => at >= keptFrom)
  await database.transaction(async (db) => {
    await lockWindow(db)
    if (isFirst) await dropAll(db)
    const stored = await storeThreats(db, placed)
    const dropped = dropsOlder ? await dropOlder(db, state.storedFrom) : 0
    const isChanged = isFirst || stored + dropped > 0
    await writeSyncState(db, isChanged ? { ...state, revision: await nextRevision(db) } : state)
    await writeTrouble(db, state.source, troubleOf(setbacks))
    if (isChanged) await notifyOfChange(db)
  })
}

/** Says why the window is not kept up, and forgets a cursor that is of no more use. */
export async function storeRest(
  database: Database,
  { state, setbacks, isCursorLost }: RestOutcome,
): Promise<void> {
  await database.transaction(async (db) => {
    if (isCursorLost) await writeSyncState(db, state)
    await writeTrouble(db, state.source, troubleOf(setbacks))
  })
}

/** What another key could read is gone before this one is asked. */
export async function emptyWindow(database: Database): Promise<void> {
  await database.transaction(async (db) => {
    await lockWindow(db)
    await dropAll(db)
    await notifyOfChange(db)
  })
}

async function notifyOfChange(db: Database): Promise<void> {
  await db.query('select pg_notify($1, $2)', [WINDOW_CHANGED_CHANNEL, ''])
}
