import { makeChange } from '#bff/accounts/make-change.ts'
import { type BffRoute, defineRoute } from '#bff/http/route.ts'
import { readCaseStates } from '#bff/store/cases/case-states.ts'
import { readConcerns } from '#bff/store/lists/concern-queries.ts'
import { authorOf, type ByAuthor } from '#bff/store/read-search.ts'
import {
  noteShiftVisit,
  readClosedSince,
  readCommentsSince,
  readOwning,
} from '#bff/store/records/shift-queries.ts'
import type { ThreatStore } from '#bff/store/threat-store.ts'
import type { Clock } from '#bff/time/clock.ts'
import { firstDayOf, startOfDay } from '#bff/time/start-of-day.ts'
import { feedBounds } from '#bff/time/time-range.ts'
import {
  type CountedCases,
  SHIFT_LINES_MAX_COUNT,
  type Shift,
  shiftQuerySchema,
  shiftVisitSchema,
} from '#contract/bff/shift.ts'
import { HOUR_MS } from '#contract/duration.ts'
import type { Database } from '#database/database.ts'
import { writeValue } from '#matcher/query/print-query.ts'

const MORNING_MS = 6 * HOUR_MS

type ShiftRouteDependencies = { database: Database; store: ThreatStore; clock: Clock }

/** Says what happened since a reader was last on the page, for whoever hands over or takes over. */
export function shiftRoutes({ database, store, clock }: ShiftRouteDependencies): BffRoute[] {
  async function list(filter: CountedCases['filter'], { author }: ByAuthor) {
    const query = { ...filter, rows: 'cases', timeZone: 'UTC', author } as const
    const { answer } = await store.list(query, feedBounds(query, clock.nowMs()), null)
    return { cases: answer.cases ?? answer.total, filter, threats: answer.threats }
  }
  const newestOf = async (filter: CountedCases['filter'], by: ByAuthor) => {
    const { threats, ...counted } = await list(filter, by)
    return { ...counted, newest: threats.slice(0, SHIFT_LINES_MAX_COUNT) }
  }
  const count = async (filter: CountedCases['filter'], by: ByAuthor): Promise<CountedCases> => {
    const { threats: _threats, ...counted } = await list(filter, by)
    return counted
  }

  async function listOverdue(readerId: string, by: ByAuthor): Promise<Shift['overdue']> {
    const overdue = await newestOf({ triage: 'overdue' }, by)
    const ids = overdue.newest.map(({ id }) => id)
    return { ...overdue, states: await readCaseStates(database, ids, readerId) }
  }

  async function countOwners(by: ByAuthor): Promise<Shift['owners']> {
    const owners = await readOwning(database)
    const counted = await Promise.all([
      ...owners.map(async ({ name, email }) => ({
        name,
        ...(await count({ triage: 'open', q: `owner:${writeValue(email)}` }, by)),
      })),
      count({ triage: 'open', q: 'owner:nobody' }, by).then((nobody) => ({ name: null, ...nobody })),
    ])
    return counted.filter(({ cases }) => cases > 0).toSorted((one, other) => other.cases - one.cases)
  }

  async function countLists(accountId: string, since: string, by: ByAuthor) {
    const concerns = await readConcerns(database, { accountId, since })
    const matched = concerns?.lists.filter(({ certain, toConfirm }) => certain + toConfirm > 0) ?? []
    const lists: Shift['lists'] = await Promise.all(
      matched.map(async ({ id, name }) => ({ id, name, ...(await count({ since, q: `list:${id}` }, by)) })),
    )
    return { lists, hasLists: concerns !== null }
  }

  return [
    defineRoute('GET /bff/shift', {
      access: 'viewer',
      // Each reader has own lists.
      query: shiftQuerySchema,
      async answer({ query: { since }, session }) {
        const by = { author: authorOf(session) }
        const [added, listed, closed, overdue, open, owners, comments] = await Promise.all([
          newestOf({ since }, by),
          countLists(session.user.id, since, by),
          readClosedSince(database, since),
          listOverdue(session.user.id, by),
          count({ triage: 'open' }, by),
          countOwners(by),
          readCommentsSince(database, since),
        ])
        return {
          json: { since, added, ...listed, closed, overdue, open, owners, comments } satisfies Shift,
        }
      },
    }),
    defineRoute('POST /bff/shift-visits', {
      access: 'viewer',
      body: shiftVisitSchema,
      async answer({ body: { timeZone }, ...context }) {
        const before = await makeChange(database, context, 'viewer', (tx) =>
          noteShiftVisit(tx, context.session.user.id),
        )
        return { json: { since: before ?? lastMorning(timeZone, clock.nowMs()) } }
      },
    }),
  ]
}

/** Returns the last 06:00 of a zone: today's, or yesterday's before it. Where a clock changes at night, it is an hour off. */
function lastMorning(timeZone: string, nowMs: number): string {
  const [today, yesterday] = [1, 2].map(
    (days) => startOfDay(firstDayOf(days, timeZone, nowMs), timeZone) + MORNING_MS,
  )
  return new Date(today !== undefined && today <= nowMs ? today : (yesterday ?? nowMs)).toISOString()
}
