import { LRUCache } from 'lru-cache'
import * as z from 'zod/mini'
import { certaintySchema, type ListKind, listKindSchema } from '#contract/bff/list-match.ts'
import type { Database } from '#database/database.ts'
import { readRows } from '#database/read-rows.ts'
import { foldValue } from '#matcher/normalise-text.ts'
import { holdsWanted, type ListedTest } from '#matcher/query/query-tests.ts'
import { COUNTED_MATCHES, VISIBLE_LISTS } from './visible-lists.ts'

/** Pairs that a process holds of all lists. Those of the lists that were searched the longest ago are read again. */
const HELD_PAIRS_MAX_COUNT = 200_000

const listSchema = z.object({
  id: z.string(),
  name: z.string(),
  kind: listKindSchema,
  pairsRevision: z.int(),
  criteriaRevision: z.int(),
})
const pairSchema = z.object({ threatId: z.string(), entry: z.string(), certainty: certaintySchema })
type Pair = z.infer<typeof pairSchema>
type ListFacts = z.infer<typeof listSchema>

/** The lists that an account sees, and the threats that their entries match. */
export type ListPairs = {
  lists: readonly (Pick<ListFacts, 'id' | 'name' | 'kind'> & { pairs: readonly Pair[] })[]
  /** Differs after people changed a list, its entries or decisions, and not after threats changed. */
  version: string
}
export const NO_LISTS: ListPairs = { lists: [], version: '' }

/** The words for the lists of a kind in a search. */
const KIND_WORDS: Readonly<Record<ListKind, readonly string[]>> = {
  own: ['own'],
  supplier: ['supplier', 'suppliers'],
  customer: ['customer', 'customers'],
  peer: ['peer', 'peers'],
  other: ['other'],
}

/** Reads the lists of an account, without one those of the team, and the pairs of lists that have changed. */
export function createListPairs(
  database: Database,
  maxCount = HELD_PAIRS_MAX_COUNT,
): (accountId: string | null) => Promise<ListPairs> {
  const held = new LRUCache<string, readonly Pair[], string>({
    maxSize: maxCount,
    sizeCalculation: ({ length }) => length + 1,
    fetchMethod: (_key, _old, { context: listId }) => readPairs(database, listId),
    ignoreFetchAbort: true,
  })

  return async (accountId) => {
    const lists = await readRows(database, listSchema, [accountId])`
      select id, name, kind, pairs_revision as "pairsRevision", criteria_revision as "criteriaRevision"
        from name_list where ${VISIBLE_LISTS} order by id`
    if (lists.length === 0) return NO_LISTS
    return {
      lists: await Promise.all(
        lists.map(async (list) => ({
          id: list.id,
          name: list.name,
          kind: list.kind,
          pairs: await held.forceFetch(`${list.id} ${list.pairsRevision}`, { context: list.id }),
        })),
      ),
      version: lists.map(({ criteriaRevision }) => criteriaRevision).join(' '),
    }
  }
}

/** Reads pairs that are as new as the list's revision that was read before, or newer. */
async function readPairs(db: Database, listId: string): Promise<readonly Pair[]> {
  const rows = await readRows(db, pairSchema, [listId])`
    select threat_id as "threatId", list_entry.name as entry, certainty
      from ${COUNTED_MATCHES} matched join list_entry on list_entry.id = entry_id
     where list_id = $1`
  const folded = new Map<string, string>()
  return rows.map((pair) => {
    const entry = folded.get(pair.entry) ?? foldValue(pair.entry)
    folded.set(pair.entry, entry)
    return { ...pair, entry }
  })
}

/** A list as a search names it: by its name, the beginning of one, or its id. */
type ListName = { text: string; isPrefix: boolean }

/** Returns true for the name or id of a list, and for a kind, of which there need not be a list. */
export function isKnownList(pairs: ListPairs, wanted: ListName): boolean {
  return kindOf(wanted.text) !== null || findListsByName(pairs, wanted).length > 0
}

/** The list with this id, of those that the author sees. */
export function findListById({ lists }: ListPairs, text: string): ListPairs['lists'][number] | undefined {
  const id = text.toLowerCase()
  return lists.find((list) => list.id === id)
}

/** The ids of threats with a pair that passes the test. */
export function findListed(pairs: ListPairs, { by, wanted }: ListedTest): ReadonlySet<string> {
  const { lists } = pairs
  if (wanted === null) return idsOf(lists)
  if (by === 'match') return idsOf(lists, ({ certainty }) => certainty === wanted.text.toLowerCase())
  if (by === 'entry') return idsOf(lists, ({ entry }) => holdsWanted(entry, wanted))
  const named = findListsByName(pairs, wanted)
  // A list that is named like a kind comes before the lists of the kind.
  return idsOf(named.length > 0 ? named : lists.filter(({ kind }) => kind === kindOf(wanted.text)))
}

function idsOf(lists: ListPairs['lists'], passes: (pair: Pair) => boolean = () => true): ReadonlySet<string> {
  const ids = new Set<string>()
  for (const { pairs } of lists) for (const pair of pairs) if (passes(pair)) ids.add(pair.threatId)
  return ids
}

/** The list with this id, or else all lists with this name. An id comes first: a list can have any name. */
function findListsByName(pairs: ListPairs, { text, isPrefix }: ListName): ListPairs['lists'] {
  const withId = isPrefix ? undefined : findListById(pairs, text)
  if (withId) return [withId]
  const wanted = foldValue(text)
  return pairs.lists.filter(({ name }) => {
    const folded = foldValue(name)
    return isPrefix ? folded.startsWith(wanted) : folded === wanted
  })
}

function kindOf(text: string): ListKind | null {
  const word = foldValue(text)
  return listKindSchema.options.find((kind) => KIND_WORDS[kind].includes(word)) ?? null
}
