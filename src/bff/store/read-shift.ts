import type { Clock } from '#bff/time/clock.ts'
import { feedBounds } from '#bff/time/time-range.ts'
import { type CountedCases, SHIFT_LINES_MAX_COUNT, type Shift } from '#contract/bff/shift.ts'
import { DAY_MS } from '#contract/duration.ts'
import type { Database } from '#database/database.ts'
import { writeValue } from '#matcher/query/print-query.ts'
import { readCaseStates } from './cases/case-states.ts'
import { readConcerns } from './lists/concern-queries.ts'
import type { ByAuthor } from './read-search.ts'
import { readClosedSince, readCommentsSince, readOwning } from './records/shift-queries.ts'
import type { StoredRange, ThreatStore } from './threat-store.ts'

export type ShiftDependencies = { database: Database; store: ThreatStore; clock: Clock }

/**
 * Claims that were in no earlier digest: published from `since` on and before `until`. If `since` is null, they begin
 * with the rest of the page.
 */
type ClaimPeriod = { since: string | null; until: string }

/**
 * `accountId` is the account whose lists are included; null includes shared lists only. `claims` is set for a digest.
 */
export type ShiftScope = { since: string; accountId: string | null; claims?: ClaimPeriod }

/**
 * Reads the events since a time, for the Shift page and its digests. Each count equals that of the feed with the same
 * filter.
 */
export async function readShift(
  { database, store, clock }: ShiftDependencies,
  { since, accountId, claims }: ShiftScope,
): Promise<Shift> {
  const by: ByAuthor = { author: { accountId } }
  // Claims that are read from now on are not among those before its end.
  const stored = await store.storedRange()
  const published = publishedOf(stored, since, claims)

  async function newestOf(filter: CountedCases['filter']) {
    if (filter.since !== undefined && filter.since === filter.until) return { cases: 0, filter, newest: [] }
    const query = { ...filter, rows: 'cases', timeZone: 'UTC', ...by } as const
    const { answer } = await store.list(query, feedBounds(query, clock.nowMs()), null)
    const newest = answer.threats.slice(0, SHIFT_LINES_MAX_COUNT)
    return { cases: answer.cases ?? answer.total, filter, newest }
  }
  async function count(filter: CountedCases['filter']): Promise<CountedCases> {
    const { newest: _newest, ...counted } = await newestOf(filter)
    return counted
  }

  async function listOverdue(): Promise<Shift['overdue']> {
    const overdue = await newestOf({ triage: 'overdue' })
    const ids = overdue.newest.map(({ id }) => id)
    return { ...overdue, states: await readCaseStates(database, ids, accountId ?? '') }
  }

  async function countOwners(): Promise<Shift['owners']> {
    const owners = await readOwning(database)
    const counted = await Promise.all([
      ...owners.map(async ({ name, email }) => ({
        name,
        ...(await count({ triage: 'open', q: `owner:${writeValue(email)}` })),
      })),
      count({ triage: 'open', q: 'owner:nobody' }).then((nobody) => ({ name: null, ...nobody })),
    ])
    return counted.filter(({ cases }) => cases > 0).toSorted((one, other) => other.cases - one.cases)
  }

  async function countLists() {
    const concerns = await readConcerns(database, { accountId, since: published.since })
    const matched = concerns?.lists.filter(({ certain, toConfirm }) => certain + toConfirm > 0) ?? []
    const lists: Shift['lists'] = await Promise.all(
      matched.map(async ({ id, name }) => ({
        id,
        name,
        ...(await count({ ...published, q: `list:${id}` })),
      })),
    )
    return { lists: lists.filter(({ cases }) => cases > 0), hasLists: concerns !== null }
  }

  const [added, listed, closed, overdue, open, owners, comments] = await Promise.all([
    newestOf(published),
    countLists(),
    readClosedSince(database, since),
    listOverdue(),
    count({ triage: 'open' }),
    countOwners(),
    readCommentsSince(database, since),
  ])
  const { fetchedAt, isStale, staleReason, coverage } = stored?.freshness ?? (await store.freshness())
  const freshness = { fetchedAt, isStale, staleReason, coverage }
  return { since, added, ...listed, closed, overdue, open, owners, comments, freshness }
}

/** Returns the time of its claims. Without a time of day, those of the first day may be new, and those of the last may follow. */
function publishedOf(stored: StoredRange | null, since: string, claims: ClaimPeriod | undefined) {
  const toWhole = (ms: number) => (stored?.isDatedByDay ? ms - (ms % DAY_MS) : ms)
  const from = claims?.since ?? new Date(toWhole(Date.parse(since))).toISOString()
  if (!claims) return { since: from }
  const readMs = stored === null ? Number.NEGATIVE_INFINITY : Date.parse(stored.to)
  const endMs = Math.max(toWhole(Math.min(readMs, Date.parse(claims.until))), Date.parse(from))
  return { since: from, until: new Date(endMs).toISOString() }
}
