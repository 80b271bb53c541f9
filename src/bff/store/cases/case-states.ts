import * as z from 'zod/mini'
import { threatRowSchema } from '#bff/store/records/threat-row.ts'
import { readNamedStates } from '#bff/store/records/triage-queries.ts'
import { threatSchema } from '#contract/bff/threat.ts'
import type { TriageState } from '#contract/bff/triage-state.ts'
import type { Database } from '#database/database.ts'
import { readRows } from '#database/read-rows.ts'
import { type ClaimFact, describeNews, findNewFacts, readClaimFacts } from '#matcher/cases/claim-facts.ts'
import { readDue } from './known-claims.ts'

/**
 * Reads the states of threats with the due times and the news of their cases: those that something was done with, those
 * that are due, and those with news.
 */
export async function readCaseStates(
  db: Database,
  ids: readonly string[],
  readerId: string,
): Promise<TriageState[]> {
  const states = new Map((await readNamedStates(db, ids, readerId)).map((state) => [state.id, state]))
  for (const [id, due] of await readDue(db, ids)) states.set(id, { ...untouched(id), ...states.get(id), due })
  for (const [id, news] of await readCaseNews(db, ids))
    states.set(id, { ...untouched(id), ...states.get(id), news })
  return [...states.values()]
}

function untouched(id: string): TriageState {
  return { id, read: null, starred: null, closed: null, owner: null, notes: 0 }
}

/** Larger cases have no news: all their records would be read for one row of the feed. */
const CLAIMS_MAX_COUNT = 500
/** Cases with more facts have no news: each fact is compared with all others, and nobody else is answered meanwhile. */
const FACTS_MAX_COUNT = 100

const memberSchema = z.object({ id: z.string(), caseId: z.string() })
const claimSchema = z.pipe(
  threatRowSchema,
  z.object({
    caseId: z.string(),
    isRead: z.boolean(),
    threat: z.pick(threatSchema, { title: true, excerpt: true, severity: true, actors: true }),
  }),
)

/**
 * Reads what unread claims add to the cases of some threats, in the words of alerts. Only cases that the team has looked
 * at before have news: one of their claims is read. Closed claims add nothing. The texts are untrusted.
 */
async function readCaseNews(
  db: Database,
  threatIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  // Case by case: while many claims are stored for the first time, PostgreSQL has no figures of their table, and would begin
  // with all claims that are unread.
  const found = await readRows(db, memberSchema, [threatIds, CLAIMS_MAX_COUNT])`
    select own.threat_id as id, own.case_id::text as "caseId"
      from case_claim own
      join lateral (
        select count(*) as claims, bool_or(read_at is not null) as "isKnown",
               bool_or(read_at is null and dismissed_at is null) as "hasNew"
          from (select threat_id from case_claim where case_id = own.case_id limit $2 + 1) claim
          left join triage_state using (threat_id)) facts on claims <= $2 and "isKnown" and "hasNew"
      where own.threat_id = any($1)`
  if (found.length === 0) return new Map()
  const rows = await readRows(db, claimSchema, [[...new Set(found.map(({ caseId }) => caseId))]])`
    select case_id::text as "caseId", read_at is not null as "isRead", threat
      from case_claim claim
      join window_threat on id = claim.threat_id
      left join triage_state state on state.threat_id = claim.threat_id
     where case_id = any($1::bigint[]) and (read_at is not null or dismissed_at is null)
     order by sorted_at desc`
  const claims = Map.groupBy(rows, ({ caseId }) => caseId)
  const newsOf = new Map([...claims].map(([caseId, members]) => [caseId, describeNews(findNews(members))]))
  return new Map(
    found.flatMap(({ id, caseId }) => {
      const news = newsOf.get(caseId)
      return news ? [[id, news] as const] : []
    }),
  )
}

function findNews(claims: readonly z.infer<typeof claimSchema>[]): ClaimFact[] {
  const factsOf = (isRead: boolean) =>
    distinctFacts(claims.flatMap((claim) => (claim.isRead === isRead ? readClaimFacts(claim.threat) : [])))
  const known = factsOf(true)
  const added = factsOf(false)
  if (known.length + added.length > FACTS_MAX_COUNT) return []
  const news: ClaimFact[] = []
  // Several claims can have one fact.
  for (const fact of added) news.push(...findNewFacts([fact], [...known, ...news]))
  return news
}

/** Facts that are written alike, each once. */
function distinctFacts(facts: readonly ClaimFact[]): ClaimFact[] {
  return [...new Map(facts.map((fact) => [`${fact.kind} ${fact.text}`, fact])).values()]
}
