import * as z from 'zod/mini'
import type { LoggedChange } from '#bff/store/changes/change-log.ts'
import { iso } from '#bff/time/iso-time.ts'
import type { Due } from '#contract/bff/triage-state.ts'
import { SEVERITIES } from '#contract/severity.ts'
import type { Database } from '#database/database.ts'
import { execute, readRows } from '#database/read-rows.ts'
import { dueOfCase, levelBit, toDueRule } from './due-of-case.ts'
import { readDueTimes } from './due-time-queries.ts'

/** A record that was published earlier than this before it was read is of the past, as in a comparison of lists. */
const KNOWN_LATE_MAX_DAYS = 7

const LEVELS = SEVERITIES.map((severity) => ({ term: `severity:${severity}`, bit: levelBit(severity) }))

/**
 * Remembers of new claims when they became known, and of known ones the severities that they have. The first moment stays,
 * whatever the vendor changes. Under the lock of cases, once the claims have their cases.
 */
export async function markKnown(tx: Database, changes: readonly LoggedChange[]): Promise<void> {
  if (changes.length === 0) return
  await reviseStored(tx, changes)
  const knownAt = new Map<string, string | null>()
  for (const { threatId, kind, edge, at } of changes) {
    const isNew = kind === 'new' && edge === 'live'
    knownAt.set(threatId, knownAt.get(threatId) ?? (isNew ? at : null))
  }
  await execute(tx, [
    [...knownAt.keys()],
    [...knownAt.values()],
    LEVELS.map(({ term }) => term),
    LEVELS.map(({ bit }) => bit),
    KNOWN_LATE_MAX_DAYS,
  ])`
    with given as (
      select id, case when is_undated or sorted_at >= at - make_interval(days => $5) then at end as at,
             coalesce((select bit_or(bit) from unnest($3::text[], $4::int[]) as level (term, bit) where term = any(terms)), 0) as levels
        from unnest($1::text[], $2::timestamptz[]) as change (threat_id, at)
        join window_threat on id = threat_id)
    update case_claim
       set known_at = coalesce(known_at, at), known_levels = known_levels | levels, revision = nextval('case_revision')
      from given
     where threat_id = id
       and ((known_at is null and at is not null) or (known_at is not null and known_levels | levels <> known_levels))`
}

/** A claim that is not stored any more makes its case due no longer, until it comes back. */
async function reviseStored(tx: Database, changes: readonly LoggedChange[]): Promise<void> {
  const ids = changes.flatMap(({ kind, threatId }) => (kind === 'changed' ? [] : threatId))
  await execute(tx, [ids])`
    update case_claim set revision = nextval('case_revision') where threat_id = any($1) and known_at is not null`
}

const openClaimSchema = z.object({ caseId: z.string(), knownAtMs: z.number(), levels: z.int() })
const memberSchema = z.object({ id: z.string(), caseId: z.string() })

/** Reads when the cases of some threats are due. Closed threats have no due time. */
export async function readDue(db: Database, ids: readonly string[]): Promise<ReadonlyMap<string, Due>> {
  const open = await readRows(db, memberSchema, [ids])`
    select threat_id as id, case_id::text as "caseId"
      from case_claim left join triage_state using (threat_id)
     where threat_id = any($1) and dismissed_at is null
       and exists (select from case_claim known where known.case_id = case_claim.case_id and known_at is not null)`
  if (open.length === 0) return new Map()
  const rows = await readRows(db, openClaimSchema, [[...new Set(open.map(({ caseId }) => caseId))]])`
    select case_id::text as "caseId", (extract(epoch from known_at) * 1000)::float8 as "knownAtMs", known_levels as levels
      from case_claim join window_threat on id = threat_id left join triage_state using (threat_id)
     where case_id = any($1::bigint[]) and known_at is not null and dismissed_at is null`
  const claims = Map.groupBy(rows, ({ caseId }) => caseId)
  const rule = toDueRule(await readDueTimes(db))
  return new Map(
    open.flatMap(({ id, caseId }) => {
      const due = dueOfCase(claims.get(caseId) ?? [], rule)
      if (!due) return []
      const { severity, hours, atMs, knownAtMs } = due
      return [[id, { at: iso(atMs), knownAt: iso(knownAtMs), severity, hours }] as const]
    }),
  )
}
