import { defineChange } from '#bff/accounts/make-change.ts'
import { type BffRoute, defineRoute } from '#bff/http/route.ts'
import { readShift, type ShiftDependencies } from '#bff/store/read-shift.ts'
import { noteShiftVisit } from '#bff/store/records/shift-queries.ts'
import { firstDayOf, startOfDay } from '#bff/time/start-of-day.ts'
import { shiftQuerySchema, shiftVisitSchema } from '#contract/bff/shift.ts'
import { HOUR_MS } from '#contract/duration.ts'

const MORNING_MS = 6 * HOUR_MS

/** Says what happened since a reader was last on the page, for whoever hands over or takes over. */
export function shiftRoutes(dependencies: ShiftDependencies): BffRoute[] {
  const { database, clock } = dependencies
  return [
    defineRoute('GET /bff/shift', {
      access: 'viewer',
      // Each reader has own lists.
      query: shiftQuerySchema,
      async answer({ query: { since }, session }) {
        return { json: await readShift(dependencies, { since, accountId: session.user.id }) }
      },
    }),
    defineChange(database, 'POST /bff/shift-visits', {
      access: 'viewer',
      body: shiftVisitSchema,
      async change({ body: { timeZone }, session }, tx) {
        const before = await noteShiftVisit(tx, session.user.id)
        return { since: before ?? lastMorning(timeZone, clock.nowMs()) }
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
