import * as z from 'zod/mini'
import { momentSchema } from '../moment.ts'
import { timeZoneSchema } from '../time-zone.ts'
import { freshnessSchema } from './freshness.ts'
import { threatSchema } from './threat.ts'
import { namedMentionSchema } from './triage.ts'
import { triageFilterSchema } from './triage-filter.ts'
import { closeReasonSchema, markSchema, triageStateSchema } from './triage-state.ts'

/** Each part of the page shows at most as many lines, and says how many there are. */
export const SHIFT_LINES_MAX_COUNT = 50

/** Body of `POST /bff/shift-visits`. */
export const shiftVisitSchema = z.strictObject({
  /** IANA name of the zone in which a day begins. */
  timeZone: timeZoneSchema,
})

/** Answer of `POST /bff/shift-visits`: the last visit of the page, or 06:00 for a first one. ISO 8601 UTC, whole minutes. */
export const shiftStartSchema = z.object({ since: z.iso.datetime() })

/** Query of `GET /bff/shift`. */
export const shiftQuerySchema = z.object({ since: momentSchema })

/** A number of cases, and the filter of the feed that shows them. */
const countedSchema = z.object({
  cases: z.int(),
  filter: z.object({
    since: z.optional(z.string()),
    until: z.optional(z.string()),
    q: z.optional(z.string()),
    triage: z.optional(triageFilterSchema),
  }),
})
export type CountedCases = z.infer<typeof countedSchema>

const eventSchema = z.object({
  threat: threatSchema,
  ...markSchema.shape,
  text: z.nullable(z.string()),
})

/** Answer of `GET /bff/shift`. */
export const shiftSchema = z.object({
  since: z.iso.datetime(),
  /** Cases with a claim published since then, or since that day if claims have no time of day, with the newest claim of each, newest first. */
  added: z.extend(countedSchema, { newest: z.array(threatSchema) }),
  /** Those of them that match a list which the reader sees. Lists without a case are left out. */
  lists: z.array(z.extend(countedSchema, { id: z.string(), name: z.string() })),
  /** False if the reader sees no list at all. */
  hasLists: z._default(z.boolean(), true),
  /** Cases that people closed since then and did not reopen, newest first. */
  closed: z.object({
    cases: z.int(),
    newest: z.array(z.extend(eventSchema, { reason: closeReasonSchema })),
  }),
  overdue: z.extend(countedSchema, {
    newest: z.array(threatSchema),
    /** The states of these threats, with when their cases are due and whose they are. */
    states: z._default(z.array(triageStateSchema), []),
  }),
  open: countedSchema,
  /** Open cases by owner, most first. Null is nobody. */
  owners: z.array(z.extend(countedSchema, { name: z.nullable(z.string()) })),
  comments: z.object({
    count: z.int(),
    newest: z.array(z.extend(eventSchema, { mentions: z.array(namedMentionSchema) })),
  }),
  /** How old the stored claims are. Absent from the answers of an earlier Lantern. */
  freshness: z.optional(
    z.pick(freshnessSchema, { fetchedAt: true, isStale: true, staleReason: true, coverage: true }),
  ),
})
export type Shift = z.infer<typeof shiftSchema>
