import * as z from 'zod/mini'
import { threatRowSchema } from '#bff/store/records/threat-row.ts'
import { readNamedStates } from '#bff/store/records/triage-queries.ts'
import type { CaseWork, JoinPreview } from '#contract/bff/case.ts'
import { threatSchema } from '#contract/bff/threat.ts'
import type { TriageState } from '#contract/bff/triage-state.ts'
import type { Database } from '#database/database.ts'
import { readRows } from '#database/read-rows.ts'
import { readRevision } from './decision-queries.ts'
import { lastOwner } from './share-state.ts'

const namedCaseSchema = z.pipe(
  threatRowSchema,
  z.object({ id: z.string(), threat: threatSchema, claimCount: z.int() }),
)
export type NamedCase = z.infer<typeof namedCaseSchema>

/** Reads the cases of some threats, in the order of the threats. One that is not stored or not compared has none. */
export async function readCasesToJoin(
  db: Database,
  threatIds: readonly string[],
): Promise<{ cases: NamedCase[]; revision: number }> {
  const revision = await readRevision(db)
  const rows = await readRows(db, namedCaseSchema, [threatIds])`
    select id, threat, (
             select count(*)::int from case_claim claim join window_threat stored on stored.id = claim.threat_id
              where claim.case_id = first.id::bigint) as "claimCount"
      from (
        select distinct on (case_id) case_id::text as id, threat, at
          from unnest($1::text[]) with ordinality as named (threat_id, at)
          join case_claim using (threat_id) join window_threat on window_threat.id = threat_id
         order by case_id, at) first
     order by at`
  return { cases: rows, revision }
}

const claimSchema = z.object({ id: z.string(), caseId: z.string() })

/** Adds who deals with each case, and with the one that they become. */
export async function readWork(
  db: Database,
  cases: readonly NamedCase[],
): Promise<Omit<JoinPreview, 'revision'>> {
  const claims = await readRows(db, claimSchema, [cases.map(({ id }) => id)])`
    select threat_id as id, case_id::text as "caseId" from case_claim where case_id = any($1::bigint[])`
  const idsOf = Map.groupBy(claims, ({ caseId }) => caseId)
  const ids = claims.map(({ id }) => id)
  const states = new Map((await readNamedStates(db, ids, '')).map((state) => [state.id, state]))
  const workOf = (of: readonly { id: string }[]) => describeWork(of.map(({ id }) => states.get(id)))
  return {
    cases: cases.map((found) => ({ ...found, ...workOf(idsOf.get(found.id) ?? []) })),
    joined: workOf(claims),
  }
}

/** Undefined is a claim that nobody has touched. */
function describeWork(states: readonly (TriageState | undefined)[]): CaseWork {
  return {
    owner: lastOwner(states.filter((state) => state !== undefined))?.name ?? null,
    isClosed: states.length > 0 && states.every((state) => state?.closed != null),
  }
}
