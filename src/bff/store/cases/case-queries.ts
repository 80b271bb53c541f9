import * as z from 'zod/mini'
import { namedAs } from '#bff/store/records/person-name.ts'
import { threatRowSchema } from '#bff/store/records/threat-row.ts'
import {
  CASE_CLAIMS_MAX_COUNT,
  CASE_DAYS,
  CASE_OFFERS_MAX_COUNT,
  caseSchema,
  JOIN_RULES,
  type VictimCase,
} from '#contract/bff/case.ts'
import type { Database } from '#database/database.ts'
import { affectsRows, findRow, readRows } from '#database/read-rows.ts'
import { readRevision } from './decision-queries.ts'

const RULES: readonly string[] = JOIN_RULES
const headSchema = z.object({
  id: z.string(),
  claimCount: z.int(),
  actorCount: z.int(),
  /** Ids of the newest claims. */
  shownIds: z.array(z.string()),
})

/** SQL of a claim's links, as seen from that claim (`own`). */
const LINKS = `
  select other_id as with_id, certainty, rule, words from window_case_link where one_id = own.threat_id
  union all
  select one_id, certainty, rule, words from window_case_link where other_id = own.threat_id`
/** SQL of people's decisions on a claim, as seen from that claim (`own`). */
const DECISIONS = `
  select other_id as with_id, decision, who from case_decision where one_id = own.threat_id
  union all
  select one_id, decision, who from case_decision where other_id = own.threat_id`

/** It is looked up by its id: with a join, the planner reads all claims of a large case for each claim. */
const CASE_OF_OTHER = 'select near.case_id from case_claim near where near.threat_id = with_id'

/** The strongest reason of each claim to belong to another one of its case: decisions before rules. */
const REASONS = `
  select distinct on (own.threat_id) own.threat_id,
         json_build_object('threatId', with_id, 'rule', rule, 'text', words) as reason
    from case_claim own
    cross join lateral (
      select with_id, 'hand' as rule, ${namedAs('who')} as words, 0 as rank from (${DECISIONS}) decided where decision = 'same'
      union all
      select with_id, rule, words, array_position($2::text[], rule) from (${LINKS}) linked where certainty = 'certain'
    ) joined
   where own.threat_id = any($1) and own.case_id = (${CASE_OF_OTHER})
   order by own.threat_id, rank, with_id`

/**
 * SQL of offers: claims of other cases that a rule links to claims of a case. Pairs that people keep apart are
 * excluded.
 */
const OFFERS = `
  select distinct on (with_id) with_id, array_position($2::text[], rule) as rank,
         json_build_object('threatId', own.threat_id, 'rule', rule, 'text', words) as reason
    from case_claim own
    cross join lateral (${LINKS}) linked
   where own.threat_id = any($1) and own.case_id <> (${CASE_OF_OTHER})
     and not exists (select from (${DECISIONS}) decided where decided.with_id = linked.with_id)
   order by with_id, rank`

/**
 * Returns true if claims that may belong to a stored threat's case were not compared yet. Claims are compared oldest
 * first, so checking the last claim within the time limit is sufficient.
 */
export async function isComparingNear(db: Database, threatId: string): Promise<boolean> {
  return affectsRows(db, [threatId])`
    select from window_threat own
      cross join lateral (
        select id from window_threat
         where sorted_at <= own.sorted_at + make_interval(days => ${CASE_DAYS})
         order by sorted_at desc, id desc limit 1) latest
     where own.id = $1
       and exists (
         select from unnest(array[own.id, latest.id]) as near (id)
          where not exists (select from case_claim where threat_id = near.id and is_compared))`
}

/**
 * Reads the case of a threat; null for a threat that is not stored, or not compared yet. Of a case with more claims than are
 * shown, offers are those of the shown ones and of the threat: few rows are read, however many claims there are.
 */
export async function readCaseOf(db: Database, threatId: string): Promise<VictimCase | null> {
  // The revision is read first. A decision that is made during the reads then counts as one that the answer does not
  // contain.
  const revision = await readRevision(db)
  const found = await findRow(db, headSchema, [threatId])`
    with stored as (
      select own.case_id, stored.id, sorted_at, terms
        from case_claim own
        join case_claim claim on claim.case_id = own.case_id
        join window_threat stored on stored.id = claim.threat_id
       where own.threat_id = $1)
    select min(case_id)::text as id, count(*)::int as "claimCount",
           (select count(distinct term)::int from stored, unnest(terms) as term where starts_with(term, 'actor:')) as "actorCount",
           array(select id from stored order by sorted_at desc, id desc limit ${CASE_CLAIMS_MAX_COUNT}) as "shownIds"
      from stored
    having bool_or(id = $1)`
  if (!found) return null
  const { shownIds, ...head } = found
  const claims = await readRows(db, threatRowSchema, [shownIds, RULES])`
    select threat, reason
      from window_threat left join (${REASONS}) reasoned on threat_id = id
     where id = any($1)
     order by sorted_at desc, id desc`
  const offers = await readRows(db, threatRowSchema, [[...shownIds, threatId], RULES])`
    select threat, reason from (${OFFERS}) offered join window_threat on id = with_id
     order by rank, sorted_at desc, id
     limit ${CASE_OFFERS_MAX_COUNT}`
  return caseSchema.parse({ ...head, revision, claims, offers })
}
