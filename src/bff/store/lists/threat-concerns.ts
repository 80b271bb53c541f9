import * as z from 'zod/mini'
import { CONCERNS_MAX_COUNT, type Concern, concernSchema } from '#contract/bff/list-match.ts'
import type { Database } from '#database/database.ts'
import { isDatabaseAway } from '#database/is-database-away.ts'
import { readRows } from '#database/read-rows.ts'
import { COUNTED_MATCHES, VISIBLE_LISTS } from './visible-lists.ts'

/** Without an account, the comparison is null. */
const IS_VISIBLE = `coalesce(${VISIBLE_LISTS}, false)`
const rowSchema = z.extend(concernSchema, { namedId: z.string(), isVisible: z.boolean() })

type Concerned = { concerns?: Concern[] }
/** A threat, which stands for all claims of a case if it has one. */
type NamedThreat = { id: string; case?: { id: string } | undefined }

/** Concerns of some threats for one account. */
export type ThreatConcerns = {
  of(threatId: string): Concerned
  addTo<T extends { id: string }>(threats: readonly T[]): (T & Concerned)[]
  /** How long an answer with them may be served again, if it could be served for `freshForMs` without them. */
  freshForMs(freshForMs: number | undefined): number | undefined
}

/**
 * Reads which entries of visible lists some threats match, without a call; without an account, of the team's lists. A case
 * has the entries that any of its claims matches, each once.
 */
export async function readThreatConcerns(
  db: Database,
  accountId: string | null,
  threats: readonly NamedThreat[],
): Promise<ThreatConcerns> {
  const rows = await readConcernRows(db, accountId, threats).catch((error: unknown) => {
    // Threats in memory are served while the database is away.
    if (isDatabaseAway(error)) return null
    throw error
  })
  const byThreat = new Map<string, Concern[]>()
  for (const { namedId, isVisible, ...concern } of rows ?? []) {
    if (isVisible) byThreat.set(namedId, [...(byThreat.get(namedId) ?? []), concern])
  }
  function of(threatId: string): Concerned {
    const concerns = byThreat.get(threatId)
    return concerns ? { concerns } : {}
  }
  return {
    of,
    addTo: (some) => some.map((threat) => ({ ...threat, ...of(threat.id) })),
    // Cached answers are served to every account of a role, and lists differ by account.
    freshForMs: (freshForMs) => (rows?.length === 0 ? freshForMs : undefined),
  }
}

/** The pairs of other accounts' lists are among them: they decide whether an answer is personal. */
async function readConcernRows(db: Database, accountId: string | null, threats: readonly NamedThreat[]) {
  if (threats.length === 0) return []
  const ids = threats.map(({ id }) => id)
  const caseIds = threats.map((threat) => threat.case?.id ?? null)
  // Claim by claim: the planner, which does not know the size of cases, would read all pairs, or each pair for each claim.
  return readRows(db, rowSchema, [accountId, ids, caseIds])`
    with claim as materialized (
      select named.id as named_id, claimed.threat_id
        from unnest($2::text[], $3::bigint[]) as named (id, case_id)
        cross join lateral (
          select named.id union select threat_id from case_claim where case_id = named.case_id) claimed (threat_id)),
    strongest as (
      select distinct on (named_id, entry_id) named_id, entry_id, certainty, rule, words, decision
        from claim cross join lateral (
          select * from ${COUNTED_MATCHES} counted where counted.threat_id = claim.threat_id offset 0) matched
       order by named_id, entry_id, certainty, claim.threat_id <> named_id, claim.threat_id),
    paired as (
      select named_id as "namedId", list_id as "listId", name_list.name as "listName", kind,
             entry_id as "entryId", list_entry.name as "entryName", weight, certainty, rule, words as text,
             decision, ${IS_VISIBLE} as "isVisible"
        from strongest join list_entry on list_entry.id = entry_id join name_list on name_list.id = list_id)
    select * from (
      select *, row_number() over (
               partition by "namedId", "isVisible"
               order by certainty, weight, lower("entryName"), "entryId") as rank
        from paired) ranked
     where rank <= ${CONCERNS_MAX_COUNT}
     order by "namedId", rank`
}
