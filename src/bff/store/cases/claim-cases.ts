import * as z from 'zod/mini'
import type { Database } from '#database/database.ts'
import { onlyColumn, readRow, readRows } from '#database/read-rows.ts'

/**
 * The cases of claims at a revision: the number of the case by the id of the threat. A claim that is alone in its case may
 * be missing. The object is replaced at each change; the map is the same one.
 */
export type ClaimCases = { revision: number; caseIds: Map<string, number> }

/** Each takes a moment to be taken in, in which nobody else is answered. */
const BATCH_COUNT = 5_000

const claimSchema = z.object({ id: z.string(), caseId: z.number(), claims: z.int() })

/** The revision of the last change of any case; 0 before the first. */
export async function readCaseRevision(db: Database): Promise<number> {
  return readRow(db, onlyColumn(z.number()))`
    select coalesce(max(revision), 0)::float8 as revision from case_claim`
}

/** The numbers of the cases whose claims have changed since a revision, as one value: there may be 300,000. */
export async function readChangedCases(db: Database, since: number): Promise<number[]> {
  return readRow(db, onlyColumn(z.array(z.int())), [since])`
    select coalesce(json_agg(distinct case_id), '[]') as "caseIds" from case_claim where revision > $1`
}

/** Reads what has changed since `known`: at first the cases with several claims. Answers the same object if nothing has. */
export async function readClaimCases(db: Database, known: ClaimCases | null): Promise<ClaimCases> {
  const revision = await readCaseRevision(db)
  if (known?.revision === revision) return known
  // Another database, restored from a backup, may stand at an earlier one.
  if (!known || known.revision > revision) return { revision, caseIds: await readRepeated(db) }
  const caseIds = await readChangedCases(db, known.revision)
  // After a comparison of all claims these are all cases.
  for (let from = 0; from < caseIds.length; from += BATCH_COUNT) {
    const claims = await readRows(db, claimSchema, [caseIds.slice(from, from + BATCH_COUNT)])`
      select threat_id as id, case_id::float8 as "caseId", (count(*) over (partition by case_id))::int as claims
        from case_claim
       where case_id = any($1::bigint[])`
    takeOver(known.caseIds, claims)
  }
  return { revision, caseIds: known.caseIds }
}

function takeOver(caseIds: Map<string, number>, claims: z.infer<typeof claimSchema>[]): void {
  for (const { id, caseId, claims: count } of claims) {
    if (count > 1) caseIds.set(id, caseId)
    else caseIds.delete(id)
  }
}

/** Reads the claims of all cases that have several. Changes meanwhile have a newer revision. */
async function readRepeated(db: Database): Promise<Map<string, number>> {
  const caseIds = new Map<string, number>()
  let after = 0
  for (;;) {
    const claims = await readRows(db, claimSchema, [after])`
      select threat_id as id, case_id::float8 as "caseId", 2 as claims
        from case_claim own
       where case_id > $1
         and exists (select from case_claim other where other.case_id = own.case_id and other.threat_id <> own.threat_id)
       order by case_id
       fetch first ${BATCH_COUNT} rows with ties`
    for (const { id, caseId } of claims) caseIds.set(id, caseId)
    after = claims.at(-1)?.caseId ?? after
    if (claims.length < BATCH_COUNT) return caseIds
  }
}
