import * as z from 'zod/mini'
import { matchNames } from '#matcher/names/match-names.ts'
import { createNameIndex, type NamedEntry, type NameIndex } from '#matcher/names/name-index.ts'
import type { FoundPair } from './match-queries.ts'
import { registrableDomains } from './registrable-domain.ts'

/** The most entries of one list that are stored for a threat. */
const ENTRIES_OF_THREAT_MAX_COUNT = 100

export type ListedEntry = NamedEntry & { listId: string; revision: number }
/** A stored threat with its JSON. */
export type ThreatRow = { id: string; threat: string }

/** Makes an index of names, and compares a threat with it. */
export type CreateIndex = typeof createNameIndex
export type CompareNames = typeof matchNames

/** Entries by their names and domains, and the list of each by its id. */
export type IndexedEntries = {
  index: NameIndex
  lists: ReadonlyMap<string, string>
  /** One index per list, for threats that cannot be compared with all lists at once. */
  byList(): readonly NameIndex[]
}
type EntryFault = { entry: ListedEntry; error: unknown }
type ThreatFault = { threatId: string; error: unknown }

const threatSchema = z.object({
  title: z.nullable(z.string()),
  organizations: z.array(z.string()),
  domains: z.array(z.string()),
  countries: z.array(z.object({ code: z.nullable(z.string()) })),
})
type NamedThreat = z.infer<typeof threatSchema>

/** Indexes entries. An entry that cannot be indexed is skipped. */
export function indexEntries(
  entries: readonly ListedEntry[],
  createIndex: CreateIndex = createNameIndex,
): {
  entries: IndexedEntries
  faults: readonly EntryFault[]
} {
  const faults: EntryFault[] = []
  const isSound = (entry: ListedEntry): boolean => {
    try {
      createIndex([entry])
      return true
    } catch (error) {
      faults.push({ entry, error })
      return false
    }
  }
  const indexSound = () => {
    try {
      return { sound: entries, index: createIndex(entries) }
    } catch {
      const sound = entries.filter(isSound)
      return { sound, index: createIndex(sound) }
    }
  }
  const { sound, index } = indexSound()
  let indexes: readonly NameIndex[] | null = null
  const byList = () => {
    indexes ??= [...Map.groupBy(sound, ({ listId }) => listId).values()].map(createIndex)
    return indexes
  }
  return { entries: { index, lists: new Map(sound.map(({ id, listId }) => [id, listId])), byList }, faults }
}

/**
 * Finds the pairs of threats and entries. A threat that cannot be compared with all lists at once is compared with each
 * list separately.
 */
export function findPairs(
  { index, lists, byList }: IndexedEntries,
  threats: readonly ThreatRow[],
  compare: CompareNames = matchNames,
): { pairs: FoundPair[]; faults: readonly ThreatFault[] } {
  const faults: ThreatFault[] = []
  const pairs = threats.flatMap(({ id, threat }) => {
    const fail = (error: unknown) => {
      if (faults.at(-1)?.threatId !== id) faults.push({ threatId: id, error })
      return []
    }
    const find = (some: NameIndex) =>
      findPairsOf(id, threatSchema.parse(JSON.parse(threat)), { index: some, compare })
    const found = attempt(
      () => find(index),
      (error) => {
        fail(error)
        return byList().flatMap((one) => attempt(() => find(one), fail))
      },
    )
    return [...Map.groupBy(found, ({ entryId }) => lists.get(entryId)).values()].flatMap(strongest)
  })
  return { pairs, faults }
}

function attempt<Result>(run: () => Result, onError: (error: unknown) => Result): Result {
  try {
    return run()
  } catch (error) {
    return onError(error)
  }
}

function findPairsOf(
  threatId: string,
  threat: NamedThreat,
  { index, compare }: { index: NameIndex; compare: CompareNames },
): FoundPair[] {
  const pairs = new Map<string, FoundPair>()
  const domains = registrableDomains(threat.domains)
  const country = threat.countries[0]?.code ?? null
  const victims = threat.organizations.length > 0 ? threat.organizations : [null]
  for (const victim of victims) {
    const text = { title: threat.title ?? '', victim, domains, country }
    for (const { entryId, certainty, rule, text: words } of compare(index, text)) {
      // The reason of the first victim is kept, unless another victim matches with certainty.
      if (pairs.has(entryId) && certainty !== 'certain') continue
      // A vendor's text may contain characters that PostgreSQL cannot store.
      const stored = words.toWellFormed().replaceAll('\0', '')
      pairs.set(entryId, { entryId, threatId, certainty, rule, words: stored })
    }
  }
  return [...pairs.values()]
}

/** A list may name one domain thousands of times. */
function strongest(pairs: FoundPair[]): FoundPair[] {
  if (pairs.length <= ENTRIES_OF_THREAT_MAX_COUNT) return pairs
  const certain = pairs.filter(({ certainty }) => certainty === 'certain')
  const others = pairs.filter(({ certainty }) => certainty !== 'certain')
  return [...certain, ...others].slice(0, ENTRIES_OF_THREAT_MAX_COUNT)
}
