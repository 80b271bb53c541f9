import * as z from 'zod/mini'
import { certaintySchema, type ListKind, listKindSchema } from '#contract/bff/match-facts.ts'
import type { Database } from '#database/database.ts'
import { foldValue, holdsWanted, type ListedTest, type Wanted } from '#matcher/query/query-tests.ts'
import { COUNTED_MATCHES, VISIBLE_LISTS } from './list-queries.ts'

const listSchema = z.object({ id: z.string(), name: z.string(), kind: listKindSchema })
const pairSchema = z.object({
  threatId: z.string(),
  listId: z.string(),
  entry: z.pipe(z.string(), z.transform(foldValue)),
  certainty: certaintySchema,
})

/** The lists that an account sees, and the threats that their entries match. */
export type ListPairs = {
  lists: readonly z.infer<typeof listSchema>[]
  pairs: readonly z.infer<typeof pairSchema>[]
  /** Differs after other entries were compared with the stored threats. */
  version: string
}
export const NO_LISTS: ListPairs = { lists: [], pairs: [], version: '' }

/** The words for the lists of a kind in a search. */
const KIND_WORDS: Readonly<Record<ListKind, readonly string[]>> = {
  own: ['own'],
  supplier: ['supplier', 'suppliers'],
  customer: ['customer', 'customers'],
  peer: ['peer', 'peers'],
  other: ['other'],
}

/** Without an account, only the lists of the team. */
export async function readListPairs(db: Database, accountId: string | null): Promise<ListPairs> {
  const { rows: lists } = await db.query(`select id, name, kind from name_list where ${VISIBLE_LISTS}`, [
    accountId,
  ])
  if (lists.length === 0) return NO_LISTS
  const { rows: pairs } = await db.query(
    `select threat_id as "threatId", list_id as "listId", list_entry.name as entry, certainty
       from ${COUNTED_MATCHES} matched join list_entry on list_entry.id = entry_id
       join name_list on name_list.id = list_id
      where ${VISIBLE_LISTS}`,
    [accountId],
  )
  const { rows: versions } = await db.query(
    `select count(*) || ' ' || coalesce(sum(revision), 0) as version
       from list_entry join name_list on name_list.id = list_id
      where is_matched and ${VISIBLE_LISTS}`,
    [accountId],
  )
  const { version } = z.object({ version: z.string() }).parse(versions[0])
  return {
    lists: z.array(listSchema).parse(lists),
    pairs: z.array(pairSchema).parse(pairs),
    version,
  }
}

/** Returns true for the name of a list, and for a kind, of which there need not be a list. */
export function isKnownList(
  { lists }: ListPairs,
  { text, isPrefix }: Pick<Wanted, 'text' | 'isPrefix'>,
): boolean {
  const isNamed = nameTest({ text, isPrefix })
  return kindOf(text) !== null || lists.some(isNamed)
}

/** The ids of threats with a pair that passes the test. */
export function findListed({ lists, pairs }: ListPairs, { by, wanted }: ListedTest): ReadonlySet<string> {
  const found = (passes: (pair: ListPairs['pairs'][number]) => boolean) =>
    new Set(pairs.filter(passes).map(({ threatId }) => threatId))
  if (wanted === null) return found(() => true)
  if (by === 'match') return found(({ certainty }) => certainty === wanted.text.toLowerCase())
  if (by === 'entry') return found(({ entry }) => holdsWanted(entry, wanted))
  const named = lists.filter(nameTest(wanted))
  // A list that is named like a kind goes before the lists of the kind.
  const chosen = named.length > 0 ? named : lists.filter(({ kind }) => kind === kindOf(wanted.text))
  const ids = new Set(chosen.map(({ id }) => id))
  return found(({ listId }) => ids.has(listId))
}

function nameTest({ text, isPrefix }: Pick<Wanted, 'text' | 'isPrefix'>) {
  const wanted = foldValue(text)
  return ({ name }: { name: string }) => {
    const folded = foldValue(name)
    return isPrefix ? folded.startsWith(wanted) : folded === wanted
  }
}

function kindOf(text: string): ListKind | null {
  const word = foldValue(text)
  return listKindSchema.options.find((kind) => KIND_WORDS[kind].includes(word)) ?? null
}
