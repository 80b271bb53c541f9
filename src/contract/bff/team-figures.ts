import * as z from 'zod/mini'
import { severitySchema } from '../severity.ts'
import { timeZoneSchema } from '../time-zone.ts'
import { periodQuerySchema, periodSchema } from './period.ts'
import { comparisonSchema } from './trend.ts'
import { closeReasonSchema } from './triage-state.ts'

/** Query of `GET /bff/team-figures`. */
export const teamFiguresQuerySchema = z.object({
  /** IANA name of the zone whose days bound the period. */
  timeZone: timeZoneSchema,
  period: periodQuerySchema,
})

/** How long something took, for some cases; the times are in milliseconds, and null for no case. */
const durationsSchema = z.object({
  cases: z.int(),
  medianMs: z.nullable(z.number()),
  /** Nine of ten cases took at most as long. */
  p90Ms: z.nullable(z.number()),
})

const workTimeSchema = z.extend(durationsSchema, {
  /** Median of the same part of the period before, in milliseconds; null where it had no case or is not recorded. */
  previousMedianMs: z.nullable(z.number()),
  /** By the highest severity of a case's claims, worst first; null stands for any other one. */
  bySeverity: z.array(z.extend(durationsSchema, { severity: z.nullable(severitySchema) })),
})
export type WorkTime = z.infer<typeof workTimeSchema>

/** Answer of `GET /bff/team-figures`: what people did with cases. Actions that were undone do not count. */
export const teamFiguresSchema = z.object({
  period: periodSchema,
  /** When the first recorded action of a person happened, ISO 8601 UTC; null if there is none. */
  recordedFrom: z.nullable(z.iso.datetime()),
  /** From when Lantern knew a case until somebody first acted on it, for cases that were first acted on in the period. */
  firstLook: workTimeSchema,
  /** The same until the last closing in the period. */
  closing: workTimeSchema,
  closed: z.object({
    /** Cases that people closed in the period and did not reopen in it, each once. */
    cases: z.int(),
    /** Null unless all of both times is recorded. */
    compared: z.nullable(comparisonSchema),
    /** By the reason of the last closing, most frequent first. */
    byReason: z.array(z.object({ reason: closeReasonSchema, cases: z.int() })),
    /** Claims that Lantern closed with their cases, which no person did. */
    repeats: z.int(),
  }),
  /** Cases with a stored claim that is not closed, now. */
  open: z.object({
    cases: z.int(),
    /** Those with an open claim that was published before a moment, ISO 8601 UTC: the feed counts the same until then. */
    older: z.array(z.object({ days: z.int(), until: z.iso.datetime(), cases: z.int() })),
  }),
  /** Messages of alert profiles whose matches became known in the period, without digests and profiles with quiet hours. */
  alerts: z.object({
    messages: z.int(),
    /** Messages that arrived within 5 minutes after the first of their claims became known. */
    inTime: z.int(),
  }),
})
export type TeamFigures = z.infer<typeof teamFiguresSchema>
