import * as z from 'zod/mini'

/** A year. */
export const DUE_HOURS_MAX = 8_760

/** Hours until a case is due; null for never. */
const dueHoursSchema = z.nullable(z.int().check(z.minimum(1), z.maximum(DUE_HOURS_MAX)))

/** Body and answer of `PUT /bff/due-times` (admins), answer of `GET /bff/due-times`: hours by severity. */
export const dueTimesSchema = z.strictObject({
  critical: dueHoursSchema,
  high: dueHoursSchema,
  medium: dueHoursSchema,
  low: dueHoursSchema,
})
export type DueTimes = z.infer<typeof dueTimesSchema>
