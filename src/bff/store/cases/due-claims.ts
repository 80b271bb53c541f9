import * as z from 'zod/mini'
import type { Database } from '#database/database.ts'
import { readRows } from '#database/read-rows.ts'
import { readCaseRevision, readChangedCases } from './claim-cases.ts'

/** A claim of a case that has a known one. `knownAtMs` is null for a claim of the past. */
type DueClaim = { caseId: number; knownAtMs: number | null; levels: number }

/** The claims of all cases that can be due, at a revision. The object is replaced at each change; the map is the same. */
export type DueClaims = { revision: number; byId: Map<string, DueClaim> }

/** Each takes a moment to be taken in, in which nobody else is answered. */
const BATCH_COUNT = 2_000

const claimSchema = z.object({
  id: z.string(),
  caseId: z.number(),
  knownAtMs: z.nullable(z.number()),
  levels: z.int(),
})
const CLAIM = `threat_id as id, case_id::float8 as "caseId",
  case when exists (select from window_threat where id = threat_id)
    then (extract(epoch from known_at) * 1000)::float8 end as "knownAtMs", known_levels as levels`

/** Reads what has changed since `before`. Answers the same object if nothing has. */
export async function readDueClaims(db: Database, before: DueClaims | null): Promise<DueClaims> {
  const revision = await readCaseRevision(db)
  if (before?.revision === revision) return before
  // Another database, restored from a backup, may stand at an earlier one.
  if (!before || before.revision > revision) return readAll(db, revision)
  const caseIds = await readChangedCases(db, before.revision)
  const next = { ...before, revision }
  // After a comparison of all claims these are all cases.
  for (let from = 0; from < caseIds.length; from += BATCH_COUNT) {
    const claims = await readRows(db, claimSchema, [caseIds.slice(from, from + BATCH_COUNT)])`
      select ${CLAIM} from case_claim where case_id = any($1::bigint[])`
    takeOver(next, claims)
  }
  return next
}

/** `claims`: all that some cases have. */
function takeOver({ byId }: DueClaims, claims: z.infer<typeof claimSchema>[]): void {
  for (const members of Map.groupBy(claims, ({ caseId }) => caseId).values()) {
    const canBeDue = members.some(({ knownAtMs }) => knownAtMs !== null)
    for (const { id, ...claim } of members) {
      if (canBeDue) byId.set(id, claim)
      else byId.delete(id)
    }
  }
}

/** Changes meanwhile have a newer revision. */
async function readAll(db: Database, revision: number): Promise<DueClaims> {
  const all: DueClaims = { revision, byId: new Map() }
  let after = 0
  for (;;) {
    const claims = await readRows(db, claimSchema, [after])`
      select ${CLAIM} from case_claim
       where case_id = any(array(
         select distinct case_id from case_claim where known_at is not null and case_id > $1
          order by case_id limit ${BATCH_COUNT}))
       order by case_id`
    for (const { id, ...claim } of claims) all.byId.set(id, claim)
    const last = claims.at(-1)
    if (!last) return all
    after = last.caseId
  }
}
