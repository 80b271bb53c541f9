import { DATABASE_AWAY } from '#bff/http/problem-error.ts'
import { type ClaimCases, readClaimCases } from '#bff/store/cases/claim-cases.ts'
import { readLastChange } from '#bff/store/changes/change-log.ts'
import { type History, NO_HISTORY, readHistory } from '#bff/store/history/history-ranges.ts'
import {
  readAllFacts,
  readExtent,
  readFactsSince,
  readIds,
  readTermValues,
} from '#bff/store/records/index-queries.ts'
import { readStoreId, readSyncState, readTrouble, type StoredState } from '#bff/store/sync/sync-state.ts'
import type { Clock } from '#bff/time/clock.ts'
import type { Database } from '#database/database.ts'
import { isDatabaseAway } from '#database/is-database-away.ts'
import { type CaseColumn, makeCaseColumn } from './case-column.ts'
import {
  createDictionaries,
  type Dictionaries,
  type IndexRows,
  isOvergrown,
  joinRows,
  mergeRows,
  toRows,
} from './index-rows.ts'
import { preparePostings } from './postings.ts'
import { atOnce, inSlices } from './slices.ts'

const KNOWN_FOR_MS = 1_000
/**
 * An index stays valid for this multiple of its read time: while pages stream in, reading takes a tenth of the time at
 * most.
 */
const KNOWN_FOR_READS = 10
/** Records that go while they are being loaded make it worth another try. */
const LOADS_MAX = 3

/** The store that the rows are of, and the last change of its log that they have. */
export type IndexedState = StoredState & { storeId: string | null; change: number }
/** The index of this process. While it is empty there are no rows either. */
export type IndexState = {
  sync: IndexedState | null
  /** Past ranges that were read outside the sync's own range. */
  history: History
  rows: IndexRows
  /** The cases of the rows. */
  cases: CaseColumn
  trouble: string | null
}

/**
 * A read that waits, is under way or is over. One at a time: each adds to the dictionaries of the one before, and
 * the first one, which loads everything, is not begun again by those who need it meanwhile.
 */
type Known = { state: Promise<IndexState>; until: number; hasBegun: boolean }

export type ThreatIndexOptions = { database: Database; clock: Clock; source: string }

/** The rows of one moment. */
type StoredRows = { sync: IndexedState; rows: IndexRows }
type IndexedRows = StoredRows & { cases: CaseColumn }

const NONE = toRows(createDictionaries(), [])
const NO_CASES = atOnce(makeCaseColumn(NONE, { byId: new Map(), revision: 0 }))

/** Keeps the stored threats in memory, for counting, and takes over what changes in the database. */
export function createThreatIndex({ database, clock, source }: ThreatIndexOptions) {
  let indexed: IndexedRows | null = null
  let claimCases: ClaimCases | null = null
  let history = NO_HISTORY
  let known: Known | null = null
  let turn: Promise<unknown> = Promise.resolve()

  /** While the database is away, what is in memory goes on to answer. */
  async function readOrRecall(): Promise<IndexState> {
    try {
      return await read()
    } catch (error) {
      if (!indexed || !isDatabaseAway(error)) throw error
      return { ...indexed, history, trouble: DATABASE_AWAY }
    }
  }

  async function read(): Promise<IndexState> {
    const [sync, trouble, past, placed] = await Promise.all([
      readSyncState(database),
      readTrouble(database, source),
      readHistory(database),
      readClaimCases(database, claimCases),
    ])
    history = past
    const areCasesSame = placed === claimCases
    claimCases = placed
    // Another source's records are never shown.
    if (sync.status === 'empty' || sync.source !== source) {
      indexed = null
      return { sync: null, history: NO_HISTORY, rows: NONE, cases: NO_CASES, trouble }
    }
    const before = indexed
    const isSame = before?.sync.revision === sync.revision
    const next = isSame ? { ...before, sync: { ...before.sync, ...sync } } : await takeOver(sync)
    indexed = next && {
      ...next,
      cases: isSame && areCasesSame ? before.cases : await inSlices(makeCaseColumn(next.rows, placed)),
    }
    return { ...(indexed ?? { sync: null, rows: NONE, cases: NO_CASES }), history, trouble }
  }

  async function takeOver(sync: StoredState): Promise<StoredRows | null> {
    let base = indexed && !isOvergrown(indexed.rows) ? indexed : null
    for (let loads = 0; loads < LOADS_MAX; loads++) {
      const since: Since = base ?? {
        sync: { revision: sync.revision, storeId: await readStoreId(database) },
        rows: await loadRows(database),
      }
      const next = await database.transaction((db) => readChanges(db, since))
      if (next !== 'incomplete') {
        if (next?.sync.source !== sync.source) return null
        await preparePostings(next.rows)
        return next
      }
      base = null
    }
    throw new Error('The store changes faster than it can be loaded')
  }

  async function readInTurn(own: Known): Promise<IndexState> {
    own.hasBegun = true
    const begunAtMs = clock.elapsedMs()
    try {
      const state = await readOrRecall()
      const nowMs = clock.elapsedMs()
      own.until = nowMs + Math.max(KNOWN_FOR_MS, KNOWN_FOR_READS * (nowMs - begunAtMs))
      return state
    } catch (error) {
      own.until = 0
      throw error
    }
  }

  function current(): Promise<IndexState> {
    if (known && known.until > clock.elapsedMs()) return known.state
    const own: Known = {
      state: turn.then(() => readInTurn(own)),
      until: Number.POSITIVE_INFINITY,
      hasBegun: false,
    }
    turn = own.state.catch(() => {})
    known = own
    return own.state
  }

  return {
    current,
    /** Returns true if rows are in memory. */
    isLoaded: () => (indexed?.rows.count ?? 0) > 0,
    /** Something has changed: the next query is answered from what is stored now. */
    forget(): void {
      // A read that still waits for its turn will see the change.
      if (known?.hasBegun) known = null
      // Loading everything takes a second or two: better before the first query, which meets a failure again.
      if (!indexed) current().catch(() => {})
    },
  }
}

async function loadRows(db: Database): Promise<IndexRows> {
  const dictionaries = createDictionaries()
  const parts: IndexRows[] = []
  for await (const facts of readAllFacts(db)) parts.push(toRows(dictionaries, facts))
  dictionaries.tokensAtLoad = dictionaries.tokens.words.length
  return joinRows(dictionaries, parts)
}

type Since = { sync: { revision: number; storeId: string | null }; rows: IndexRows }

/** The rows at one moment; `incomplete` where some came that no revision shows, or another store, which spells its values anew. */
async function readChanges(
  db: Database,
  { sync: before, rows }: Since,
): Promise<StoredRows | null | 'incomplete'> {
  await db.query('set transaction isolation level repeatable read')
  const sync = await readSyncState(db)
  if (sync.status === 'empty') return null
  const storeId = await readStoreId(db)
  if (storeId !== before.storeId) return 'incomplete'
  const changed = toRows(rows.dictionaries, await readFactsSince(db, before.revision))
  const { count, oldestAt } = await readExtent(db)
  let merged = await inSlices(mergeRows(rows, changed, oldestAt))
  // Some are gone from between the others.
  if (merged.count > count) merged = await inSlices(mergeRows(rows, changed, oldestAt, await readIds(db)))
  if (merged.count !== count) return 'incomplete'
  await readNewTermValues(db, rows.dictionaries)
  return { sync: { ...sync, storeId, change: await readLastChange(db) }, rows: merged }
}

async function readNewTermValues(db: Database, { terms, termValues }: Dictionaries): Promise<void> {
  const first = termValues.length
  const unnamed = terms.words.slice(first)
  if (unnamed.length === 0) return
  const values = await readTermValues(db, unnamed)
  // Names are set by number, because another call may have named one meanwhile.
  for (const [at, term] of unnamed.entries()) termValues[first + at] = values.get(term) ?? term
}
