import * as z from 'zod/mini'
import { threatRowSchema } from '#bff/store/records/threat-row.ts'
import { MATCHES_PAGE_COUNT, type MatchChoice, type MatchPage } from '#contract/bff/list.ts'
import {
  certaintySchema,
  listMatchSchema,
  type MatchDecision,
  matchRuleSchema,
} from '#contract/bff/list-match.ts'
import type { Database } from '#database/database.ts'
import { execute, findRow, onlyColumn, readRows } from '#database/read-rows.ts'
import { CHANGED_BY_PEOPLE } from './list-queries.ts'
import { COUNTED_MATCHES } from './visible-lists.ts'

const matchRowSchema = z.pipe(threatRowSchema, listMatchSchema)

type MatchesRequest = {
  listId: string
  entry?: string | undefined
  show: MatchChoice
  offset: number
}

/** A page of the threats that entries of a list match, newest first. */
export async function readMatches(
  db: Database,
  { listId, entry, show, offset }: MatchesRequest,
): Promise<MatchPage> {
  const matches =
    show === 'rejected'
      ? `(select list_match.*, decision from list_match join list_decision using (entry_id, threat_id)
           where decision = 'rejected')`
      : COUNTED_MATCHES
  const rows = await readRows(db, z.unknown(), [listId, entry ?? null, offset, show === 'to-confirm'])`
    select threat, list_entry.id as "entryId", name as "entryName", certainty, rule, words as text, decision,
           (count(*) over ())::int as total
      from ${matches} matched join list_entry on list_entry.id = entry_id
      join window_threat on window_threat.id = threat_id
     where list_id = $1 and ($2::uuid is null or list_entry.id = $2)
       and (not $4 or (certainty = 'to-confirm' and decision is null))
     order by sorted_at desc, window_threat.id desc, lower(name), list_entry.id
     limit ${MATCHES_PAGE_COUNT} offset $3`
  // A page that is past the end since the team decided: the number of matches is that of the first page.
  if (rows.length === 0 && offset > 0) {
    const { total } = await readMatches(db, { listId, entry, show, offset: 0 })
    return { matches: [], total }
  }
  const [{ total = 0 } = {}] = z.array(z.object({ total: z.optional(z.int()) })).parse(rows.slice(0, 1))
  return { matches: z.array(matchRowSchema).parse(rows), total }
}

const pairSchema = z.pipe(
  threatRowSchema,
  z.object({
    entryName: z.string(),
    threat: z.object({ title: z.nullable(z.string()) }),
    decision: z.nullable(z.string()),
  }),
)

/** A matched pair of a list, with the decision on it; null where the entry does not match the threat. */
export async function findPair(
  db: Database,
  { listId, entryId, threatId }: { listId: string; entryId: string; threatId: string },
) {
  return findRow(db, pairSchema, [listId, entryId, threatId])`
    select name as "entryName", threat, decision
      from list_match join list_entry on list_entry.id = list_match.entry_id
      join window_threat on window_threat.id = threat_id
      left join list_decision using (entry_id, threat_id)
     where list_id = $1 and list_match.entry_id = $2 and threat_id = $3`
}

/** Writes down the team's decision on one pair; null takes it back. */
export async function decide(
  db: Database,
  { entryId, threatId, decision }: { entryId: string; threatId: string; decision: MatchDecision | null },
): Promise<void> {
  await execute(db, [entryId])`
    update name_list set ${CHANGED_BY_PEOPLE} where id = (select list_id from list_entry where id = $1)`
  if (decision === null) {
    await db.query('delete from list_decision where entry_id = $1 and threat_id = $2', [entryId, threatId])
    return
  }
  await execute(db, [entryId, threatId, decision])`
    insert into list_decision (entry_id, threat_id, decision) values ($1, $2, $3)
    on conflict (entry_id, threat_id) do update set decision = excluded.decision, decided_at = now()`
}

const PAIRS_LOCK = 15
/** A statement stores so many pairs. */
const PAIRS_COUNT = 5_000

const foundPairSchema = z.object({
  entryId: z.string(),
  threatId: z.string(),
  certainty: certaintySchema,
  rule: matchRuleSchema,
  words: z.string(),
})
export type FoundPair = z.infer<typeof foundPairSchema>

/** Pairs are replaced one transaction after the other: two could store the same pair. */
export async function lockPairs(tx: Database): Promise<void> {
  await tx.query('select pg_advisory_xact_lock($1)', [PAIRS_LOCK])
}

/**
 * Replaces the pairs of some entries, which were compared with all threats, under the lock of pairs. `after` is the last
 * change before the threats were read: those that changed later keep their pairs, since whoever reads a change compares
 * its threat with all entries.
 */
export async function replacePairsOfEntries(
  db: Database,
  entryIds: readonly string[],
  { pairs, after }: { pairs: readonly FoundPair[]; after: number },
): Promise<void> {
  const changedIds = await readRows(db, onlyColumn(z.string()), [after])`
    select distinct threat_id as id from threat_change where number > $1`
  const changed = new Set(changedIds)
  await execute(db, [entryIds])`
    update name_list set ${CHANGED_BY_PEOPLE}
     where id in (select list_id from list_entry where id = any($1::uuid[]))`
  await holdEntries(db, entryIds)
  await execute(db, [entryIds, changedIds])`
    delete from list_match where entry_id = any($1::uuid[]) and threat_id <> all($2)`
  await insertPairs(
    db,
    pairs.filter(({ threatId }) => !changed.has(threatId)),
  )
}

/** Replaces all pairs of some threats under the lock of pairs. Answers false where they are the same as before. */
export async function replacePairsOfThreats(
  db: Database,
  threatIds: readonly string[],
  pairs: readonly FoundPair[],
): Promise<boolean> {
  const before = await readRows(db, foundPairSchema, [threatIds])`
    select entry_id as "entryId", threat_id as "threatId", certainty, rule, words
      from list_match where threat_id = any($1::text[])`
  const known = new Set(before.map(textOf))
  if (known.size === pairs.length && pairs.every((pair) => known.has(textOf(pair)))) return false
  const entryIds = [...new Set([...before, ...pairs].map(({ entryId }) => entryId))]
  await execute(db, [entryIds])`
    update name_list set pairs_revision = nextval('list_entry_revision')
     where id in (select list_id from list_entry where id = any($1::uuid[]))`
  await holdEntries(db, entryIds)
  await db.query('delete from list_match where threat_id = any($1::text[])', [threatIds])
  await insertPairs(db, pairs)
  return true
}

function textOf({ entryId, threatId, certainty, rule, words }: FoundPair): string {
  return JSON.stringify([entryId, threatId, certainty, rule, words])
}

/** Whoever deletes an entry or its list waits until the pairs are stored, or is waited for. */
async function holdEntries(db: Database, ids: readonly string[]): Promise<void> {
  await db.query('select from list_entry where id = any($1::uuid[]) order by id for key share', [ids])
}

/** Entries that were deleted meanwhile have no pairs. */
async function insertPairs(db: Database, pairs: readonly FoundPair[]): Promise<void> {
  for (let at = 0; at < pairs.length; at += PAIRS_COUNT) {
    await execute(db, [JSON.stringify(pairs.slice(at, at + PAIRS_COUNT))])`
      insert into list_match (entry_id, threat_id, certainty, rule, words)
      select "entryId", "threatId", certainty, rule, words
        from jsonb_to_recordset($1::jsonb) as given (
          "entryId" uuid, "threatId" text, certainty text, rule text, words text)
       where exists (select from list_entry where id = "entryId")`
  }
}

/** Answers which of them are new: the others have been recorded before. */
export async function recordFaults(db: Database, threatIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (threatIds.length === 0) return new Set()
  const added = await readRows(db, onlyColumn(z.string()), [threatIds])`
    insert into list_fault (threat_id) select unnest($1::text[]) on conflict do nothing returning threat_id as id`
  return new Set(added)
}

export async function forgetFaults(db: Database, threatIds: readonly string[]): Promise<void> {
  await db.query('delete from list_fault where threat_id = any($1::text[])', [threatIds])
}

/** The threats that could not be compared with all lists, the newest first. */
export async function readFaults(db: Database, most: number): Promise<string[]> {
  return readRows(db, onlyColumn(z.string()), [most])`
    select threat_id as id from list_fault order by failed_at desc, threat_id limit $1`
}
