import * as z from 'zod/mini'
import { CONCERNS_MAX_COUNT, type Concern, concernSchema } from '#contract/bff/concern.ts'
import type { Database } from '#database/database.ts'
import { isDatabaseAway } from '#database/is-database-away.ts'
import { readRows } from '#database/read-rows.ts'
import { COUNTED_MATCHES, VISIBLE_LISTS } from './visible-lists.ts'

/** Without an account, the comparison is null. */
const IS_VISIBLE = `coalesce(${VISIBLE_LISTS}, false)`
const rowSchema = z.extend(concernSchema, { threatId: z.string(), isVisible: z.boolean() })

type Concerned = { concerns?: Concern[] }

/** Concerns of some threats for one account. */
export type ThreatConcerns = {
  of(threatId: string): Concerned
  addTo<T extends { id: string }>(threats: readonly T[]): (T & Concerned)[]
  /** How long an answer with them may be served again, if it could be served for `freshForMs` without them. */
  freshForMs(freshForMs: number | undefined): number | undefined
}

/** Reads which entries of visible lists some threats match, without a call; without an account, of the team's lists. */
export async function readThreatConcerns(
  db: Database,
  accountId: string | null,
  threats: readonly { id: string }[],
): Promise<ThreatConcerns> {
  const ids = threats.map(({ id }) => id)
  const rows = await readConcernRows(db, accountId, ids).catch((error: unknown) => {
    // Threats in memory are served while the database is away.
    if (isDatabaseAway(error)) return null
    throw error
  })
  const byThreat = new Map<string, Concern[]>()
  for (const { threatId, isVisible, ...concern } of rows ?? []) {
    if (isVisible) byThreat.set(threatId, [...(byThreat.get(threatId) ?? []), concern])
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
async function readConcernRows(db: Database, accountId: string | null, threatIds: readonly string[]) {
  if (threatIds.length === 0) return []
  return readRows(db, rowSchema, [accountId, threatIds])`
    select * from (
      select threat_id as "threatId", list_id as "listId", name_list.name as "listName", kind,
             entry_id as "entryId", list_entry.name as "entryName", weight, certainty, rule, words as text,
             decision, ${IS_VISIBLE} as "isVisible",
             row_number() over (
               partition by threat_id, ${IS_VISIBLE}
               order by certainty, weight, lower(list_entry.name), entry_id) as rank
        from ${COUNTED_MATCHES} matched join list_entry on list_entry.id = entry_id
        join name_list on name_list.id = list_id
       where threat_id = any($2)) ranked
     where rank <= ${CONCERNS_MAX_COUNT}
     order by "threatId", rank`
}
