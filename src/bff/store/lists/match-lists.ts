import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import { notifyLive } from '#bff/http/live/live-channel.ts'
import type { Log } from '#bff/http/log.ts'
import type { LoggedChange } from '#bff/store/changes/change-log.ts'
import { readOn } from '#bff/store/changes/change-reader.ts'
import type { Database } from '#database/database.ts'
import { matchNames } from '#matcher/names/match-names.ts'
import { createNameIndex, type NameIndex } from '#matcher/names/name-index.ts'
import { type FoundPair, lockPairs, replacePairs } from './match-queries.ts'
import { registrableDomains } from './registrable-domain.ts'

const READER = 'lists'
const CHANGES_COUNT = 200
/** Entries that are compared with all stored threats in one go. */
const ENTRIES_COUNT = 10_000
/** Few enough that people who request a page meanwhile wait some milliseconds only. */
const THREATS_COUNT = 100
const POLL_MS = 500
/** More entries of a list than that are not stored of one threat. */
const ENTRIES_OF_THREAT_MAX_COUNT = 100

const entrySchema = z.object({
  id: z.string(),
  listId: z.string(),
  name: z.string(),
  domains: z.array(z.string()),
  revision: z.int(),
})
type StoredEntry = z.infer<typeof entrySchema>

const threatRowSchema = z.pipe(
  z.pipe(
    z.object({ id: z.string(), threat: z.string() }),
    z.transform(({ id, threat }): unknown => ({ id, ...JSON.parse(threat) })),
  ),
  z.object({
    id: z.string(),
    title: z.nullable(z.string()),
    organizations: z.array(z.string()),
    domains: z.array(z.string()),
    countries: z.array(z.object({ code: z.nullable(z.string()) })),
  }),
)
type NamedThreat = z.infer<typeof threatRowSchema>

/** Entries as a process holds them, until one changes. */
type HeldEntries = { version: string; entries: IndexedEntries }
/** Entries by their names and domains, and the list of each by its id. */
type IndexedEntries = { index: NameIndex; lists: ReadonlyMap<string, string> }

/**
 * Matches lists against stored threats: entries that are new or changed with all threats, threats that are new or changed
 * with all entries. A process that ends in the middle leaves what it did not do marked as not done.
 */
export function createListMatching(database: Database) {
  let held: HeldEntries | null = null

  async function holdEntries(db: Database): Promise<IndexedEntries> {
    // The sum differs after each change, in whatever order changes that overlap were committed.
    const { rows } = await db.query(
      `select count(*) || ' ' || coalesce(sum(revision), 0) as version from list_entry`,
    )
    const { version } = z.object({ version: z.string() }).parse(rows[0])
    if (held?.version !== version)
      held = { version, entries: indexEntries(await readStoredEntries(db, 'true')) }
    return held.entries
  }

  /** Answers true if it compared entries. */
  async function matchNewEntries(signal: AbortSignal | undefined): Promise<boolean> {
    const entries = await readStoredEntries(database, 'not is_matched', ENTRIES_COUNT)
    if (entries.length === 0) return false
    const indexed = indexEntries(entries)
    const ids = entries.map(({ id }) => id)
    const pairs: FoundPair[] = []
    for await (const threats of readAllThreats(database)) {
      if (signal?.aborted) return false
      for (const pair of findPairs(indexed, threats)) pairs.push(pair)
    }
    await database.transaction(async (tx) => {
      await lockPairs(tx)
      // Readers see the matches of before until then.
      await replacePairs(tx, 'entry_id', ids, pairs)
      // One that was changed meanwhile is compared again.
      await tx.query(
        `update list_entry set is_matched = true
           from unnest($1::uuid[], $2::bigint[]) as compared (id, revision)
          where list_entry.id = compared.id and list_entry.revision = compared.revision`,
        [ids, entries.map(({ revision }) => revision)],
      )
      await notifyLive(tx, { kind: 'lists' })
    })
    return true
  }

  async function matchThreatsOf(tx: Database, changes: readonly LoggedChange[]): Promise<void> {
    const ids = [...new Set(changes.map(({ threatId }) => threatId))]
    if (ids.length === 0) return
    // Before entries are read: those that are compared meanwhile would lose their pairs with these threats.
    await lockPairs(tx)
    const pairs = findPairs(await holdEntries(tx), await readThreatsById(tx, ids))
    const replaced = await replacePairs(tx, 'threat_id', ids, pairs)
    if (replaced + pairs.length > 0) await notifyLive(tx, { kind: 'lists' })
  }

  /** Answers true if more changes may follow. */
  function matchChanges(): Promise<boolean> {
    return database.transaction(async (tx) => {
      const page = await readOn(tx, READER, CHANGES_COUNT)
      if (page.hasMissed && page.after > 0) await tx.query('update list_entry set is_matched = false')
      await matchThreatsOf(tx, page.changes)
      return page.next !== page.last
    })
  }

  return {
    /** Matches the threats of some changes at once, for a reader of changes that depends on their pairs. */
    matchPage: (changes: readonly LoggedChange[]): Promise<void> =>
      database.transaction((tx) => matchThreatsOf(tx, changes)),

    /** Matches all that is unmatched. */
    async matchUnmatched(signal?: AbortSignal): Promise<void> {
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
  let isFailing = false
  while (!signal.aborted) {
    try {
      await listMatching.matchUnmatched(signal)
      isFailing = false
    } catch (error) {
      if (!isFailing) log.error('lists-not-matched', error)
      isFailing = true
    }
    await sleep(POLL_MS, undefined, { signal, ref: false }).catch(() => {})
  }
}

function indexEntries(entries: readonly StoredEntry[]): IndexedEntries {
  return { index: createNameIndex(entries), lists: new Map(entries.map(({ id, listId }) => [id, listId])) }
}

async function readStoredEntries(
  db: Database,
  condition: 'true' | 'not is_matched',
  most: number | null = null,
): Promise<StoredEntry[]> {
  const { rows } = await db.query(
    `select id, list_id as "listId", name, registrable as domains, revision from list_entry where ${condition} order by revision limit $1`,
    [most],
  )
  return z.array(entrySchema).parse(rows)
}

async function readThreatsById(db: Database, ids: readonly string[]): Promise<NamedThreat[]> {
  const { rows } = await db.query('select id, threat from window_threat where id = any($1)', [ids])
  return z.array(threatRowSchema).parse(rows)
}

async function* readAllThreats(db: Database): AsyncGenerator<NamedThreat[]> {
  let after = ''
  for (;;) {
    const { rows } = await db.query(
      `select id, threat from window_threat where id > $1 order by id limit ${THREATS_COUNT}`,
      [after],
    )
    if (rows.length === 0) return
    const threats = z.array(threatRowSchema).parse(rows)
    yield threats
    after = threats.at(-1)?.id ?? after
  }
}

function findPairs({ index, lists }: IndexedEntries, threats: readonly NamedThreat[]): FoundPair[] {
  return threats.flatMap((threat) => {
    const pairs = new Map<string, FoundPair>()
    const domains = registrableDomains(threat.domains)
    const country = threat.countries[0]?.code ?? null
    const victims = threat.organizations.length > 0 ? threat.organizations : [null]
    for (const victim of victims) {
      const text = { title: threat.title ?? '', victim, domains, country }
      for (const { entryId, certainty, rule, text: words } of matchNames(index, text)) {
        // The first victim's reason stays unless another one is certain.
        if (pairs.has(entryId) && certainty !== 'certain') continue
        // A vendor's text may hold what no database does.
        const stored = words.toWellFormed().replaceAll('\0', '')
        pairs.set(entryId, { entryId, threatId: threat.id, certainty, rule, words: stored })
      }
    }
    return [...Map.groupBy(pairs.values(), ({ entryId }) => lists.get(entryId)).values()].flatMap(strongest)
  })
}

/** A list may name one domain thousands of times. */
function strongest(pairs: FoundPair[]): FoundPair[] {
  if (pairs.length <= ENTRIES_OF_THREAT_MAX_COUNT) return pairs
  const certain = pairs.filter(({ certainty }) => certainty === 'certain')
  const others = pairs.filter(({ certainty }) => certainty !== 'certain')
  return [...certain, ...others].slice(0, ENTRIES_OF_THREAT_MAX_COUNT)
}
