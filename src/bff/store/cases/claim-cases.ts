import * as z from 'zod/mini'
import type { Database } from '#database/database.ts'
import { onlyColumn, readRow, readRows } from '#database/read-rows.ts'

/** Claims by threat id, at a revision of their cases. Each change replaces the object but updates the same map. */
type ClaimsAtRevision<Value> = { revision: number; byId: Map<string, Value> }

/** The number of a claim's case. A claim that is alone in its case may be missing. */
export type ClaimCases = ClaimsAtRevision<number>

/**
 * A claim of a case that contains a known claim. `knownAtMs` is null for a claim that was published long before it was
 * read.
 */
type DueClaim = { caseId: number; knownAtMs: number | null; levels: number }

/** The claims of all cases that can be due. */
export type DueClaims = ClaimsAtRevision<DueClaim>

/** Processing a batch blocks the event loop for a moment. */
const BATCH_COUNT = 2_000
const REPEATED_COUNT = 5_000

type Reading<Value> = {
  readAll(db: Database): Promise<Map<string, Value>>
  /** Reads all claims of some cases, and adds them to the map or deletes them from it. */
  readCases(db: Database, byId: Map<string, Value>, caseIds: readonly number[]): Promise<void>
}

/** Reads what has changed since `known`. Returns the same object if nothing has. Changes meanwhile have a newer revision. */
async function readSince<Value>(
  db: Database,
  known: ClaimsAtRevision<Value> | null,
  { readAll, readCases }: Reading<Value>,
): Promise<ClaimsAtRevision<Value>> {
  const revision = await readRow(db, onlyColumn(z.number()))`
    select coalesce(max(revision), 0)::float8 as revision from case_claim`
  if (known?.revision === revision) return known
  // A database that was restored from a backup may have an earlier revision.
  if (!known || known.revision > revision) return { revision, byId: await readAll(db) }
  // One value: there may be 300,000, for example after a comparison of all claims.
  const caseIds = await readRow(db, onlyColumn(z.array(z.int())), [known.revision])`
    select coalesce(json_agg(distinct case_id), '[]') as "caseIds" from case_claim where revision > $1`
  for (let from = 0; from < caseIds.length; from += BATCH_COUNT)
    await readCases(db, known.byId, caseIds.slice(from, from + BATCH_COUNT))
  return { revision, byId: known.byId }
}

const caseSchema = z.object({ id: z.string(), caseId: z.number(), claims: z.int() })

/** Reads the cases of claims. */
export function readClaimCases(db: Database, known: ClaimCases | null): Promise<ClaimCases> {
  return readSince(db, known, { readAll: readRepeated, readCases: readCasesOf })
}

async function readCasesOf(
  db: Database,
  byId: Map<string, number>,
  caseIds: readonly number[],
): Promise<void> {
  const claims = await readRows(db, caseSchema, [caseIds])`
    select threat_id as id, case_id::float8 as "caseId", (count(*) over (partition by case_id))::int as claims
      from case_claim
     where case_id = any($1::bigint[])`
  for (const { id, caseId, claims: count } of claims) {
    if (count > 1) byId.set(id, caseId)
    else byId.delete(id)
  }
}

/** Reads the claims of all cases that have several. */
async function readRepeated(db: Database): Promise<Map<string, number>> {
  const byId = new Map<string, number>()
  let after = 0
  for (;;) {
    const claims = await readRows(db, caseSchema, [after])`
      select threat_id as id, case_id::float8 as "caseId", 2 as claims
        from case_claim own
       where case_id > $1
         and exists (select from case_claim other where other.case_id = own.case_id and other.threat_id <> own.threat_id)
       order by case_id
       fetch first ${REPEATED_COUNT} rows with ties`
    for (const { id, caseId } of claims) byId.set(id, caseId)
    after = claims.at(-1)?.caseId ?? after
    if (claims.length < REPEATED_COUNT) return byId
  }
}

const dueSchema = z.object({
  id: z.string(),
  caseId: z.number(),
  knownAtMs: z.nullable(z.number()),
  levels: z.int(),
})
const DUE_CLAIM = `threat_id as id, case_id::float8 as "caseId",
  case when exists (select from window_threat where id = threat_id)
    then (extract(epoch from known_at) * 1000)::float8 end as "knownAtMs", known_levels as levels`

/** Reads the claims that decide when cases are due. */
export function readDueClaims(db: Database, known: DueClaims | null): Promise<DueClaims> {
  return readSince(db, known, { readAll: readAllDue, readCases: readDueOf })
}

async function readDueOf(
  db: Database,
  byId: Map<string, DueClaim>,
  caseIds: readonly number[],
): Promise<void> {
  const claims = await readRows(db, dueSchema, [caseIds])`
    select ${DUE_CLAIM} from case_claim where case_id = any($1::bigint[])`
  for (const members of Map.groupBy(claims, ({ caseId }) => caseId).values()) {
    const canBeDue = members.some(({ knownAtMs }) => knownAtMs !== null)
    for (const { id, ...claim } of members) {
      if (canBeDue) byId.set(id, claim)
      else byId.delete(id)
    }
  }
}

async function readAllDue(db: Database): Promise<Map<string, DueClaim>> {
  const byId = new Map<string, DueClaim>()
  let after = 0
  for (;;) {
    const claims = await readRows(db, dueSchema, [after])`
      select ${DUE_CLAIM} from case_claim
       where case_id = any(array(
         select distinct case_id from case_claim where known_at is not null and case_id > $1
          order by case_id limit ${BATCH_COUNT}))
       order by case_id`
    for (const { id, ...claim } of claims) byId.set(id, claim)
    const last = claims.at(-1)
    if (!last) return byId
    after = last.caseId
  }
}
