import * as z from 'zod/mini'
import { JOIN_RULES } from '#contract/bff/case.ts'
import type { Database } from '#database/database.ts'
import { execute, onlyColumn, readRows } from '#database/read-rows.ts'
import { type ClaimPair, clusterClaims } from './cluster-claims.ts'
import { shareState } from './share-state.ts'
import { takeBackFromParts } from './take-back.ts'

const memberSchema = z.object({
  id: z.string(),
  /** Null for a claim without a case. */
  caseId: z.nullable(z.string()),
  ownId: z.nullable(z.string()),
})
type Member = z.infer<typeof memberSchema>

const linkSchema = z.object({
  one: z.string(),
  other: z.string(),
  decision: z.nullable(z.enum(['same', 'apart'])),
})

/**
 * Divides some claims, and all that belongs to their cases or is linked to them, into cases: by what people have decided,
 * then by what is certain. A case keeps its number as long as it has claims; a claim that leaves goes back to the case that
 * it had of its own, or begins a new one. `comparedIds`: the claims that were compared just now. Under the lock of cases.
 */
export async function settleCases(
  tx: Database,
  ids: readonly string[],
  comparedIds: readonly string[] = [],
): Promise<void> {
  if (ids.length === 0) return
  const members = await readMembers(tx, ids)
  if (members.length === 0) return
  const memberIds = members.map(({ id }) => id)
  const pairs = await readLinks(tx, memberIds)
  const links = pairs.filter(({ decision }) => decision !== 'apart')
  const groups = clusterClaims(
    memberIds,
    links,
    pairs.filter(({ decision }) => decision === 'apart'),
  )
  await assignCases(tx, members, groups, new Set(comparedIds))
}

/** The claims of every case that is touched, oldest first. Arrays: estimates for sets of ids would lead to scans of whole tables. */
async function readMembers(tx: Database, ids: readonly string[]): Promise<Member[]> {
  return readRows(tx, memberSchema, [ids])`
    with near as (
      select unnest($1::text[]) as id
      union select other_id from window_case_link where certainty = 'certain' and one_id = any($1)
      union select one_id from window_case_link where certainty = 'certain' and other_id = any($1)
      union select other_id from case_decision where decision = 'same' and one_id = any($1)
      union select one_id from case_decision where decision = 'same' and other_id = any($1)
    ), touched as (
      select id from near
      union select threat_id from case_claim
             where case_id = any(array(
               select case_id from case_claim where threat_id = any(array(select id from near))))
    )
    select id, case_id::text as "caseId", own_id::text as "ownId"
      from window_threat left join case_claim on threat_id = id
     where id = any(array(select id from touched))
     order by sorted_at, id`
}

/** Reads all that connects claims or keeps them apart: decisions first, then the strongest rule. */
async function readLinks(
  tx: Database,
  ids: readonly string[],
): Promise<(ClaimPair & { decision: string | null })[]> {
  return readRows(tx, linkSchema, [ids, JOIN_RULES])`
    select one, other, decision from (
      select one_id as one, other_id as other, decision, 0 as rank from case_decision
       where one_id = any($1) and other_id = any($1)
      union all
      select one_id, other_id, null, array_position($2::text[], rule) from window_case_link
       where certainty = 'certain' and one_id = any($1) and other_id = any($1)) linked
     order by rank, one, other`
}

async function assignCases(
  tx: Database,
  members: readonly Member[],
  groups: readonly (readonly string[])[],
  comparedIds: ReadonlySet<string>,
): Promise<void> {
  const byId = new Map(members.map((member) => [member.id, member]))
  const freeIds = await readMergedIds(tx, members)
  const assigned = new Map<readonly string[], string>()
  const taken = new Set<string>()
  const divided = findDivided(groups, byId)
  // Cases that were joined and are apart again have the numbers of before. Otherwise, the largest group keeps the number of a
  // case that is divided; among equals, the one with the oldest claim.
  for (const group of groups.toSorted((one, other) => other.length - one.length)) {
    const held = group.flatMap((id) => byId.get(id) ?? [])
    const current = held.flatMap(({ caseId }) => caseId ?? [])
    const own = held.flatMap(({ ownId }) => (ownId !== null && freeIds.has(ownId) ? ownId : []))
    const [begun, ...others] = new Set(held.map(({ ownId }) => ownId))
    const isWhole = others.length === 0 && current.some((id) => divided.has(id))
    const former = isWhole ? [...current, ...own].filter((id) => id === begun) : []
    const id = [...former, ...current.toSorted(byNumber), ...own.toSorted(byNumber)].find(
      (id) => !taken.has(id),
    )
    if (id === undefined) continue
    taken.add(id)
    assigned.set(group, id)
  }
  const begun = groups.filter((group) => !assigned.has(group))
  const newIds = await insertCases(tx, begun.length)
  for (const [at, group] of begun.entries()) assigned.set(group, newIds[at] ?? '')

  const isNew = new Set(newIds)
  const claims = [...assigned].flatMap(([group, caseId]) =>
    group
      .filter((id) => byId.get(id)?.caseId !== caseId)
      .map((threatId) => ({
        threatId,
        caseId,
        ownId: isNew.has(caseId) ? caseId : (byId.get(threatId)?.ownId ?? caseId),
        isCompared: comparedIds.has(threatId),
      })),
  )
  await takeBackFromParts(tx, findParts(groups, divided, byId))
  await writeClaims(tx, claims)
  await shareState(tx, findRemaining(members, claims))
  await markMerged(
    tx,
    claims.flatMap(({ threatId, caseId }) => {
      const before = byId.get(threatId)?.caseId
      return before != null && !taken.has(before) ? [{ id: before, into: caseId }] : []
    }),
    [...taken],
  )
}

/** Claims of cases that others of these claims have left. */
function findRemaining(
  members: readonly Member[],
  moved: readonly { threatId: string; caseId: string }[],
): string[] {
  const caseOf = new Map(moved.map(({ threatId, caseId }) => [threatId, caseId]))
  const left = new Set(members.flatMap(({ id, caseId }) => (caseOf.has(id) ? caseId : [])))
  return members.flatMap(({ id, caseId }) => (left.has(caseId) && !caseOf.has(id) ? id : []))
}

/** Cases that several groups have claims of. */
function findDivided(
  groups: readonly (readonly string[])[],
  byId: ReadonlyMap<string, Member>,
): ReadonlySet<string> {
  const groupOf = new Map<string, readonly string[]>()
  const divided = new Set<string>()
  for (const group of groups) {
    for (const id of group) {
      const caseId = byId.get(id)?.caseId
      if (caseId == null) continue
      if ((groupOf.get(caseId) ?? group) !== group) divided.add(caseId)
      groupOf.set(caseId, group)
    }
  }
  return divided
}

/** The claims of each divided case that are still together. */
function findParts(
  groups: readonly (readonly string[])[],
  divided: ReadonlySet<string>,
  byId: ReadonlyMap<string, Member>,
): ReadonlySet<string>[] {
  const caseOf = (id: string) => byId.get(id)?.caseId ?? ''
  return groups.flatMap((group) => {
    const left = group.filter((id) => divided.has(caseOf(id)))
    return Array.from(Map.groupBy(left, caseOf).values(), (ids) => new Set(ids))
  })
}

function byNumber(one: string, other: string): number {
  return Number(one) - Number(other)
}

/** Cases of these claims that have none any more, since they were joined to others. */
async function readMergedIds(tx: Database, members: readonly Member[]): Promise<ReadonlySet<string>> {
  const ids = members.flatMap(({ caseId, ownId }) => (ownId !== null && ownId !== caseId ? ownId : []))
  if (ids.length === 0) return new Set()
  const rows = await readRows(tx, onlyColumn(z.string()), [ids])`
    select id::text from victim_case where id = any($1::bigint[]) and merged_into is not null`
  return new Set(rows)
}

export async function insertCases(tx: Database, count: number): Promise<string[]> {
  if (count === 0) return []
  return readRows(tx, onlyColumn(z.string()), [count])`
    with inserted as (insert into victim_case (created_at) select now() from generate_series(1, $1) returning id)
    select id::text from inserted order by inserted.id`
}

type PlacedClaim = { threatId: string; caseId: string; ownId: string; isCompared: boolean }

export async function writeClaims(tx: Database, claims: readonly PlacedClaim[]): Promise<void> {
  if (claims.length === 0) return
  await execute(tx, [
    claims.map(({ threatId }) => threatId),
    claims.map(({ caseId }) => caseId),
    claims.map(({ ownId }) => ownId),
    claims.map(({ isCompared }) => isCompared),
  ])`
    insert into case_claim (threat_id, case_id, own_id, is_compared)
    select * from unnest($1::text[], $2::bigint[], $3::bigint[], $4::boolean[])
    on conflict (threat_id) do update
      set case_id = excluded.case_id, own_id = excluded.own_id,
          is_compared = case_claim.is_compared or excluded.is_compared`
  await shareState(
    tx,
    claims.map(({ threatId }) => threatId),
  )
}

/** Cases without claims say where these are now; cases that have some again say nothing of that kind. */
async function markMerged(
  tx: Database,
  merged: readonly { id: string; into: string }[],
  living: readonly string[],
): Promise<void> {
  await execute(tx, [living])`
    update victim_case set merged_into = null where id = any($1::bigint[]) and merged_into is not null`
  if (merged.length === 0) return
  await execute(tx, [JSON.stringify(merged)])`
    update victim_case set merged_into = given.into
      from jsonb_to_recordset($1::jsonb) as given (id bigint, "into" bigint)
     where victim_case.id = given.id`
}
