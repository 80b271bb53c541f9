import { setImmediate } from 'node:timers/promises'
import * as z from 'zod/mini'
import { notifyLive } from '#bff/http/live/live-channel.ts'
import type { Log } from '#bff/http/log.ts'
import { type LoggedChange, readLastChange } from '#bff/store/changes/change-log.ts'
import { readOn } from '#bff/store/changes/change-reader.ts'
import type { Database } from '#database/database.ts'
import { execute, readRow, readRows } from '#database/read-rows.ts'
import { startLoop } from '#server/start-loop.ts'
import {
  type CompareNames,
  type CreateIndex,
  findPairs,
  type IndexedEntries,
  indexEntries,
  type ThreatRow,
} from './find-pairs.ts'
import {
  type FoundPair,
  forgetFaults,
  lockPairs,
  readFaults,
  recordFaults,
  replacePairsOfEntries,
  replacePairsOfThreats,
} from './match-queries.ts'

const READER = 'lists'
const CHANGES_COUNT = 200
/** Entries that are compared with all stored threats in one go. */
const ENTRIES_COUNT = 10_000
/** Threats that are read at once. */
const THREATS_COUNT = 1_000
/** Few enough that people who request a page meanwhile wait some milliseconds only. */
const COMPARED_COUNT = 100
const POLL_MS = 500
/** Threats that could not be compared before a start, and are compared again after it. */
const FAULTS_COUNT = 1_000

const entrySchema = z.object({
  id: z.string(),
  listId: z.string(),
  name: z.string(),
  domains: z.array(z.string()),
  revision: z.int(),
})
type StoredEntry = z.infer<typeof entrySchema>

const threatRowSchema = z.object({ id: z.string(), threat: z.string() })

/** Entries as a process holds them, until one changes. */
type HeldEntries = { version: string; entries: IndexedEntries }

type ListMatchingOptions = {
  database: Database
  log: Log
  compare?: CompareNames | undefined
  createIndex?: CreateIndex | undefined
}

/**
 * Matches lists against stored threats: entries that are new or changed with all threats, threats that are new or changed
 * with all entries. A process that ends in the middle leaves what it did not do marked as not done. A threat or an entry
 * that cannot be compared is logged once, and holds up no other.
 */
export function createListMatching({ database, log, compare, createIndex }: ListMatchingOptions) {
  let held: HeldEntries | null = null
  let isStarted = false
  /** Entries that could not be indexed, by their revisions. */
  const noted = new Set<number>()

  function index(entries: readonly StoredEntry[]): IndexedEntries {
    const indexed = indexEntries(entries, createIndex)
    for (const { entry, error } of indexed.faults) {
      if (noted.has(entry.revision)) continue
      noted.add(entry.revision)
      log.error('list-entry-not-matched', error, { list: entry.listId, entry: entry.id })
    }
    return indexed.entries
  }

  async function findAndRecord(
    db: Database,
    entries: IndexedEntries,
    threats: readonly ThreatRow[],
  ): Promise<{ pairs: readonly FoundPair[]; failedIds: readonly string[] }> {
    const { pairs, faults } = findPairs(entries, threats, compare)
    const failedIds = faults.map(({ threatId }) => threatId)
    const newIds = await recordFaults(db, failedIds)
    for (const { threatId, error } of faults)
      if (newIds.has(threatId)) log.error('threat-not-matched', error, { threat: threatId })
    return { pairs, failedIds }
  }

  async function holdEntries(db: Database): Promise<IndexedEntries> {
    // The sum differs after each change, in whatever order changes that overlap were committed.
    const { version } = await readRow(db, z.object({ version: z.string() }))`
      select count(*) || ' ' || coalesce(sum(revision), 0) as version from list_entry`
    if (held?.version !== version) held = { version, entries: index(await readStoredEntries(db, 'true')) }
    return held.entries
  }

  /** Answers true if it compared entries. */
  async function matchNewEntries(signal: AbortSignal | undefined): Promise<boolean> {
    const entries = await readStoredEntries(database, 'not is_matched', ENTRIES_COUNT)
    if (entries.length === 0) return false
    const indexed = index(entries)
    const ids = entries.map(({ id }) => id)
    const pairs: FoundPair[] = []
    const after = await readLastChange(database)
    for await (const threats of readAllThreats(database)) {
      if (signal?.aborted) return false
      for (const pair of (await findAndRecord(database, indexed, threats)).pairs) pairs.push(pair)
    }
    await database.transaction(async (tx) => {
      await lockPairs(tx)
      // Readers see the matches of before until then.
      await replacePairsOfEntries(tx, ids, { pairs, after })
      // One that was changed meanwhile is compared again.
      await execute(tx, [ids, entries.map(({ revision }) => revision)])`
        update list_entry set is_matched = true
          from unnest($1::uuid[], $2::bigint[]) as compared (id, revision)
         where list_entry.id = compared.id and list_entry.revision = compared.revision`
      await notifyLive(tx, { kind: 'lists' })
    })
    return true
  }

  async function matchThreats(tx: Database, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return
    // Before entries are read: those that are compared meanwhile would lose their pairs with these threats.
    await lockPairs(tx)
    const threats = await readThreatsById(tx, ids)
    const { pairs, failedIds } = await findAndRecord(tx, await holdEntries(tx), threats)
    await forgetFaults(
      tx,
      ids.filter((id) => !failedIds.includes(id)),
    )
    if (await replacePairsOfThreats(tx, ids, pairs)) await notifyLive(tx, { kind: 'lists' })
  }

  /** Answers true if more changes may follow. */
  function matchChanges(): Promise<boolean> {
    return database.transaction(async (tx) => {
      const page = await readOn(tx, READER, CHANGES_COUNT)
      if (page.hasMissed && page.after > 0) await tx.query('update list_entry set is_matched = false')
      await matchThreats(tx, idsOf(page.changes))
      return page.next !== page.last
    })
  }

  return {
    /** Matches the threats of some changes at once, for a reader of changes that depends on their pairs. */
    matchPage: (changes: readonly LoggedChange[]): Promise<void> =>
      database.transaction((tx) => matchThreats(tx, idsOf(changes))),

    /** Matches all that is unmatched. */
    async matchUnmatched(signal?: AbortSignal): Promise<void> {
      // Another version may be able to compare what the one before could not.
      if (!isStarted)
        await database.transaction(async (tx) => matchThreats(tx, await readFaults(tx, FAULTS_COUNT)))
      isStarted = true
      // Changes first: entries that are compared afterwards are compared with these threats, too.
      while (!signal?.aborted && (await matchChanges()));
      while (!signal?.aborted && (await matchNewEntries(signal)));
    },
  }
}

export type ListMatching = ReturnType<typeof createListMatching>

/** Matches lists until aborted, in the one process that leads. Never throws. */
export async function runListMatching(
  { listMatching, log }: { listMatching: ListMatching; log: Log },
  signal: AbortSignal,
): Promise<void> {
  const onFault = (error: unknown) => log.error('lists-not-matched', error)
  await startLoop(listMatching.matchUnmatched, { everyMs: POLL_MS, signal, onFault }).ended
}

function idsOf(changes: readonly LoggedChange[]): string[] {
  return [...new Set(changes.map(({ threatId }) => threatId))]
}

async function readStoredEntries(
  db: Database,
  condition: 'true' | 'not is_matched',
  most: number | null = null,
): Promise<StoredEntry[]> {
  return readRows(db, entrySchema, [most])`
    select id, list_id as "listId", name, registrable as domains, revision from list_entry where ${condition} order by revision limit $1`
}

async function readThreatsById(db: Database, ids: readonly string[]): Promise<ThreatRow[]> {
  return readRows(db, threatRowSchema, [ids])`
    select id, threat from window_threat where id = any($1)`
}

async function* readAllThreats(db: Database): AsyncGenerator<ThreatRow[]> {
  let next = readThreatsAfter(db, '')
  for (;;) {
    const threats = await next
    const last = threats.at(-1)
    if (!last) return
    // The database reads on while these are compared.
    next = readThreatsAfter(db, last.id)
    next.catch(() => {})
    for (let at = 0; at < threats.length; at += COMPARED_COUNT) {
      yield threats.slice(at, at + COMPARED_COUNT)
      await setImmediate()
    }
  }
}

async function readThreatsAfter(db: Database, id: string): Promise<ThreatRow[]> {
  return readRows(db, threatRowSchema, [id])`
    select id, threat from window_threat where id > $1 order by id limit ${THREATS_COUNT}`
}
