import * as z from 'zod/mini'

/** Years that every clock and database on the way can hold: ISO 8601 also has the year 0000, which PostgreSQL refuses. */
export const STORABLE_YEAR = /^[12]\d{3}-/
const MOMENT_FAULT = 'must be a moment in UTC such as 2026-01-31T09:30:00Z'
const DAY_FAULT = 'must be a date such as 2026-01-31'

/** A moment in a request or a cursor, in UTC. */
export const momentSchema = z.iso.datetime(MOMENT_FAULT).check(z.regex(STORABLE_YEAR, MOMENT_FAULT))

/** The same with any offset. */
export const zonedMomentSchema = z.iso.datetime({ offset: true }).check(z.regex(STORABLE_YEAR))

/** A calendar day in a request. */
export const daySchema = z.iso.date(DAY_FAULT).check(z.regex(STORABLE_YEAR, DAY_FAULT))
