import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from './database.ts'

const PIECE_MAX_COUNT = 1_000
/** Others go on between two pieces. */
const PAUSE_MS = 50
/** Others wait behind whoever waits for a lock: so long, and then it is tried again later. */
const LOCK_TIMEOUT_MS = 200
const RETRY_MS = 1_000
const RETRIES_MAX_COUNT = 60
const LOCK_NOT_AVAILABLE = '55P03'

/** Deletes so many rows at most, and answers how many. Writes down in the same transaction that it did. */
export type DeletePiece = (tx: Database, most: number) => Promise<number>

/** Deletes what may be much, so that nobody waits for longer than a piece takes. Answers how many rows went. */
export async function deleteInPieces(
  database: Database,
  deletePiece: DeletePiece,
  signal?: AbortSignal,
): Promise<number> {
  let deleted = 0
  for (;;) {
    signal?.throwIfAborted()
    const count = await deleteOne(database, deletePiece, signal)
    deleted += count
    if (count < PIECE_MAX_COUNT) return deleted
    await sleep(PAUSE_MS, undefined, { signal })
  }
}

async function deleteOne(
  database: Database,
  deletePiece: DeletePiece,
  signal: AbortSignal | undefined,
): Promise<number> {
  for (let retries = 0; ; retries++) {
    try {
      return await database.transaction(async (tx) => {
        await tx.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`)
        return deletePiece(tx, PIECE_MAX_COUNT)
      })
    } catch (error) {
      const isLocked = error instanceof Error && 'code' in error && error.code === LOCK_NOT_AVAILABLE
      if (!isLocked || retries === RETRIES_MAX_COUNT) throw error
    }
    await sleep(RETRY_MS, undefined, { signal })
  }
}
