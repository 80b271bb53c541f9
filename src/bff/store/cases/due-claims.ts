import * as z from 'zod/mini'
import type { DueTimes } from '#contract/bff/due-time.ts'
import type { Database } from '#database/database.ts'
import { readCaseRevision, readChangedCases } from './claim-cases.ts'
import { createDueRule, dueOfCase, type KnownClaim } from './due-of-case.ts'

/** A claim of a case that has a known one. `knownAtMs` is null for a claim of the past. */
type DueClaim = { caseId: number; knownAtMs: number | null; levels: number }

/** The claims of all cases that can be due, at a revision. The object is replaced at each change; the maps are the same. */
export type DueClaims = {
  revision: number
  byId: Map<string, DueClaim>
  idsOf: Map<number, readonly string[]>
}

/** Each takes a moment to be taken in, in which nobody else is answered. */
const BATCH_COUNT = 2_000

const claimsSchema = z.array(
  z.object({ id: z.string(), caseId: z.number(), knownAtMs: z.nullable(z.number()), levels: z.int() }),
)
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
    const { rows: claims } = await db.query(
      `select ${CLAIM} from case_claim where case_id = any($1::bigint[])`,
      [caseIds.slice(from, from + BATCH_COUNT)],
    )
    takeOver(next, claimsSchema.parse(claims))
  }
  return next
}

/** `claims`: all that some cases have. */
function takeOver(next: DueClaims, claims: z.infer<typeof claimsSchema>): void {
  for (const members of Map.groupBy(claims, ({ caseId }) => caseId).values()) {
    const canBeDue = members.some(({ knownAtMs }) => knownAtMs !== null)
    for (const member of members) {
      removeClaim(next, member.id)
      if (canBeDue) addClaim(next, member)
    }
  }
}

/** Changes meanwhile have a newer revision. */
async function readAll(db: Database, revision: number): Promise<DueClaims> {
  const all: DueClaims = { revision, byId: new Map(), idsOf: new Map() }
  let after = 0
  for (;;) {
    const { rows } = await db.query(
      `select ${CLAIM} from case_claim
        where case_id = any(array(
          select distinct case_id from case_claim where known_at is not null and case_id > $1
           order by case_id limit ${BATCH_COUNT}))
        order by case_id`,
      [after],
    )
    const claims = claimsSchema.parse(rows)
    for (const claim of claims) addClaim(all, claim)
    const last = claims.at(-1)
    if (!last) return all
    after = last.caseId
  }
}

function addClaim(
  { byId, idsOf }: DueClaims,
  { id, caseId, knownAtMs, levels }: z.infer<typeof claimsSchema>[number],
) {
  byId.set(id, { caseId, knownAtMs, levels })
  idsOf.set(caseId, [...(idsOf.get(caseId) ?? []), id])
}

function removeClaim({ byId, idsOf }: DueClaims, id: string) {
  const { caseId } = byId.get(id) ?? {}
  if (caseId === undefined) return
  byId.delete(id)
  const others = idsOf.get(caseId)?.filter((other) => other !== id) ?? []
  if (others.length > 0) idsOf.set(caseId, others)
  else idsOf.delete(caseId)
}

function isKnown(claim: DueClaim): claim is DueClaim & KnownClaim {
  return claim.knownAtMs !== null
}

/** When the case of a threat is due, epoch milliseconds; null for never, and for a closed threat. */
export type DueAt = (id: string) => number | null

/** Applies the rule to each requested case once. */
export function createDueAt(
  { byId, idsOf }: DueClaims,
  times: DueTimes,
  isClosed: (id: string) => boolean,
): DueAt {
  const rule = createDueRule(times)
  const found = new Map<number, number | null>()
  function* openClaims(caseId: number): Generator<KnownClaim> {
    for (const id of idsOf.get(caseId) ?? []) {
      const claim = byId.get(id)
      if (claim && isKnown(claim) && !isClosed(id)) yield claim
    }
  }
  return (id) => {
    const claim = byId.get(id)
    if (!claim || isClosed(id)) return null
    const known = found.get(claim.caseId)
    if (known !== undefined) return known
    const at = dueOfCase(openClaims(claim.caseId), rule)?.atMs ?? null
    found.set(claim.caseId, at)
    return at
  }
}
