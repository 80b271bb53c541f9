import { readSyncState, type StoredState } from '#bff/store/sync/sync-state.ts'
import type { Database } from '#database/database.ts'

/** The state of a window that is not empty. */
export async function readStoredState(database: Database): Promise<StoredState> {
  const state = await readSyncState(database)
  if (state.status === 'empty') throw new Error('Nothing is stored')
  return state
}

/** Whether nothing older is left to be read. */
export async function isFilled(database: Database): Promise<boolean> {
  const { status } = await readSyncState(database)
  return status === 'catchingUp' || status === 'complete'
}
