import * as z from 'zod/mini'
import { notifyLive } from '#bff/http/live/live-channel.ts'
import { ringBells } from '#bff/notify/inbox-queries.ts'
import { threatRowSchema } from '#bff/store/records/threat-row.ts'
import {
  addEvent,
  countNotes,
  lockStates,
  readStates,
  shareNotes,
  type TriageEvent,
  writeAspect,
} from '#bff/store/records/triage-queries.ts'
import { pathSegment } from '#contract/bff/path-segment.ts'
import { threatSchema } from '#contract/bff/threat.ts'
import type { TriageState } from '#contract/bff/triage-state.ts'
import type { Database } from '#database/database.ts'
import { readRows } from '#database/read-rows.ts'
import { describeNews, findNewFacts, readClaimFacts } from '#matcher/cases/claim-facts.ts'

/** Names the actions that no person has done. */
export const LANTERN = { accountId: 'lantern', who: 'Lantern' }

const UNTOUCHED = { read: null, starred: null, closed: null, owner: null, notes: 0 }

const claimSchema = z.object({ id: z.string(), caseId: z.string() })

/**
 * Gives all claims of a case its owner, its star and its number of comments, once claims have come to it or left it. Of two
 * owners, the later one stays. Under the lock of cases.
 */
export async function shareState(tx: Database, claimIds: readonly string[]): Promise<void> {
  if (claimIds.length === 0) return
  const claims = await readRows(tx, claimSchema, [claimIds])`
    select distinct claim.threat_id as id, claim.case_id::text as "caseId"
      from case_claim own join case_claim claim using (case_id)
     where own.threat_id = any($1)
       and exists (
         select from case_claim acted join triage_state state using (threat_id)
          where acted.case_id = own.case_id
            and (state.owner_id is not null or state.starred_at is not null or state.notes > 0))`
  if (claims.length === 0) return
  const ids = claims.map(({ id }) => id)
  const states = new Map((await readStates(tx, ids)).map((state) => [state.id, state]))
  for (const members of Map.groupBy(claims, ({ caseId }) => caseId).values()) {
    await shareWithin(
      tx,
      members.map(({ id }) => states.get(id) ?? { id, ...UNTOUCHED }),
    )
  }
  await notifyLive(tx, { kind: 'triage', ids })
}

/** Nobody acts on these cases meanwhile. */
async function shareWithin(tx: Database, states: readonly TriageState[]): Promise<void> {
  const owner = lastOwner(states)
  const unowned = states.filter((state) => owner && state.owner?.ownerId !== owner.ownerId)
  if (owner && unowned.length > 0) {
    await lockStates(tx, idsOf(unowned), '')
    await writeAspect(tx, 'owner', new Map(unowned.map(({ id }) => [id, owner])))
    const before = Object.fromEntries(unowned.map((state) => [state.id, withoutName(state.owner)]))
    await addEvent(tx, eventOf('assign', unowned, { ownerId: owner.ownerId, before }))
  }
  const starred = newest(states.flatMap((state) => state.starred ?? []))
  const unstarred = states.filter((state) => starred && state.starred === null)
  if (starred && unstarred.length > 0) {
    await lockStates(tx, idsOf(unstarred), '')
    await writeAspect(tx, 'starred', new Map(unstarred.map(({ id }) => [id, starred])))
    await addEvent(tx, eventOf('star', unstarred))
  }
  if (states.every((state) => state.notes === 0)) return
  const notes = await countNotes(tx, idsOf(states))
  const miscounted = idsOf(states.filter((state) => state.notes !== notes))
  if (miscounted.length === 0) return
  await lockStates(tx, miscounted, '')
  await shareNotes(tx, miscounted, notes)
}

/** Returns the owner that all claims of a case get. */
export function lastOwner(states: readonly TriageState[]): TriageState['owner'] {
  return newest(states.flatMap((state) => state.owner ?? [])) ?? null
}

/** An owner's name is read from the account: events keep none. */
function withoutName(owner: TriageState['owner']): object | null {
  return owner && { at: owner.at, who: owner.who, ownerId: owner.ownerId, isMe: owner.isMe }
}

function idsOf(states: readonly { id: string }[]): string[] {
  return states.map(({ id }) => id)
}

function newest<Mark extends { at: string }>(marks: readonly Mark[]): Mark | undefined {
  return marks.toSorted((one, other) => other.at.localeCompare(one.at)).at(0)
}

function eventOf(
  action: TriageEvent['action'],
  states: readonly { id: string }[],
  more: Partial<TriageEvent> = {},
): TriageEvent {
  const ids = idsOf(states)
  const before = Object.fromEntries(ids.map((id) => [id, null]))
  return { ...LANTERN, action, ids, reason: null, text: null, ownerId: null, before, ...more }
}

const closedClaimSchema = z.pipe(
  threatRowSchema,
  z.object({
    id: z.string(),
    caseId: z.string(),
    threat: threatSchema,
    closedAt: z.nullable(z.coerce.date()),
    reason: z.nullable(z.string()),
    text: z.nullable(z.string()),
    ownerId: z.nullable(z.uuid()),
  }),
)
type ClosedClaim = z.infer<typeof closedClaimSchema>

/**
 * Closes new claims of closed cases that say nothing new of them, and all new claims of cases that are not relevant. Another
 * one opens its case again: it is not closed, and the owner of the case is notified. Under the lock of cases.
 */
export async function closeRepeats(tx: Database, newIds: readonly string[]): Promise<void> {
  if (newIds.length === 0) return
  const rows = await readRows(tx, closedClaimSchema, [newIds])`
    select distinct on (claim.threat_id) claim.threat_id as id, claim.case_id::text as "caseId", threat,
           dismissed_at as "closedAt", dismissed_reason as reason, dismissed_text as text,
           owner_id as "ownerId"
      from case_claim own
      join case_claim claim using (case_id)
      join window_threat on id = claim.threat_id
      left join triage_state state on state.threat_id = claim.threat_id
     where own.threat_id = any($1)
       and exists (
         select from case_claim acted join triage_state closed using (threat_id)
          where acted.case_id = own.case_id and closed.dismissed_at is not null)
       and not exists (
         select from case_claim other
           join window_threat on id = other.threat_id
           left join triage_state open on open.threat_id = other.threat_id
          where other.case_id = own.case_id and other.threat_id <> all($1) and open.dismissed_at is null)`
  const isNew = new Set(newIds)
  for (const claims of Map.groupBy(rows, ({ caseId }) => caseId).values()) {
    const others = claims.filter(({ id }) => !isNew.has(id))
    const added = claims.filter(({ id, closedAt }) => isNew.has(id) && closedAt === null)
    await closeWithin(tx, added, others)
  }
}

async function closeWithin(
  tx: Database,
  added: readonly ClosedClaim[],
  others: readonly ClosedClaim[],
): Promise<void> {
  const last = others.toSorted((one, other) => Number(other.closedAt ?? 0) - Number(one.closedAt ?? 0)).at(0)
  if (!last) return
  const known = others.flatMap(({ threat }) => readClaimFacts(threat))
  const repeats = added.filter(
    ({ threat }) =>
      last.reason === 'not_relevant' || findNewFacts(readClaimFacts(threat), known).length === 0,
  )
  const [opening] = added.filter((claim) => !repeats.includes(claim))
  const ownerId = others.flatMap((claim) => claim.ownerId ?? []).at(0)
  if (opening && ownerId !== undefined) {
    const news = describeNews(findNewFacts(readClaimFacts(opening.threat), known))
    await ringBells(tx, [ownerId], {
      kind: 'notice',
      title: 'A closed case of yours is open again',
      detail: `${opening.threat.title ?? 'Untitled threat'}: ${news}`,
      path: `/threats/${pathSegment(opening.id)}`,
    })
  }
  if (repeats.length === 0) return
  const ids = idsOf(repeats)
  const { reason, text } = last
  await lockStates(tx, ids, '')
  const mark = { at: new Date().toISOString(), who: LANTERN.who, reason, text }
  await writeAspect(tx, 'closed', new Map(ids.map((id) => [id, mark])))
  await addEvent(tx, eventOf('close', repeats, { reason, text }))
  await notifyLive(tx, { kind: 'triage', ids })
}
