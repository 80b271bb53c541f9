import * as z from 'zod/mini'
import { STORABLE_YEAR } from '../moment.ts'

const TEXT_MAX_LENGTH = 512

/** A whole number as a query parameter spells it: digits only, so `1e1`, `0x10` and ` 5` are mistakes. */
export function countSchema({ minimum, maximum }: { minimum: number; maximum: number }) {
  const error = `must be a whole number from ${minimum} to ${maximum}`
  const digits = z.string(error).check(z.regex(/^\d{1,15}$/, error))
  return z.pipe(
    z.pipe(digits, z.transform(Number)),
    z.int(error).check(z.gte(minimum, error), z.lte(maximum, error)),
  )
}

export const queryTextSchema = z
  .string('must be text')
  .check(
    z.minLength(1, 'must not be empty'),
    z.maxLength(TEXT_MAX_LENGTH, `must be ${TEXT_MAX_LENGTH} characters or fewer`),
  )

const INSTANT_ERROR = 'must be a date such as 2026-01-31 or a date-time such as 2026-01-31T09:30:00Z'

/** A date is its first moment in UTC; a date-time without an offset is UTC. `toInstant` gives the moment. */
export const queryInstantSchema = z
  .union(
    [
      z.iso.date(),
      z.iso.datetime({ offset: true, local: true }),
      z.iso.datetime({ offset: true, local: true, precision: -1 }),
    ],
    INSTANT_ERROR,
  )
  .check(z.regex(STORABLE_YEAR, INSTANT_ERROR))

/** The moment that a valid `since` names, ISO 8601 UTC with milliseconds. */
export function toInstant(since: string): string {
  const isZoned = /(?:Z|[+-]\d{2}:?\d{2})$/i.test(since)
  const isDate = !since.includes('T')
  return new Date(isDate || isZoned ? since : `${since}Z`).toISOString()
}

/** Beyond the reference: what a list shows of each record besides. */
export const includeSchema = z
  .optional(z.literal('content', 'must be content'))
  .check(z.describe('`content` adds the first 15,000 characters of each full text. Beyond the reference.'))
