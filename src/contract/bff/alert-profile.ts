import * as z from 'zod/mini'
import { deliverySummarySchema } from '../delivery.ts'
import { idSchema } from '../id.ts'
import { zonedMomentSchema } from '../moment.ts'
import { timeZoneNameSchema } from '../time-zone.ts'
import { ALERT_NAME_MAX_LENGTH, storedMatchesSchema, textSchema } from './alert.ts'
import { recipientDraftsSchema, recipientSchema } from './recipient.ts'
import { threatFilterSchema } from './threat-list.ts'
import { coveredDaysSchema } from './trend.ts'

const hourSchema = z.int().check(z.gte(0), z.lte(23))
const clockSchema = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/))

/** Matches wait from `from` on until `to`, over midnight too, and go as one message. */
export const quietHoursSchema = z
  .strictObject({ from: clockSchema, to: clockSchema, isCriticalAtOnce: z.boolean() })
  .check(z.refine(({ from, to }) => from !== to, { path: ['to'], error: 'Quiet hours have an end.' }))
export type QuietHours = z.infer<typeof quietHoursSchema>

/** When the messages of a profile go, by the clocks of its time zone. Weekdays are from 1, Monday. */
export const scheduleSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('atOnce'), quiet: z.nullable(quietHoursSchema) }),
  z.strictObject({ kind: z.literal('daily'), hour: hourSchema }),
  z.strictObject({
    kind: z.literal('weekly'),
    weekday: z.int().check(z.gte(1), z.lte(7)),
    hour: hourSchema,
  }),
])
export type Schedule = z.infer<typeof scheduleSchema>
export const AT_ONCE: Schedule = { kind: 'atOnce', quiet: null }

/** An alert profile that runs in Lantern: any search of the feed. It costs no call. */
export const lanternProfileSchema = z.extend(deliverySummarySchema, {
  id: z.uuid(),
  name: z.string(),
  filter: threatFilterSchema,
  /** IANA name of the zone that the filter's days and the schedule are of. */
  timeZone: z.string(),
  schedule: scheduleSchema,
  /** It sends the Shift page as a digest, and its search matches nothing. Absent of an earlier Lantern. */
  isShift: z.optional(z.boolean()),
  /** Null where messages go at once. */
  nextDigestAt: z.nullable(z.iso.datetime()),
  /** When the weekly test goes; null where nobody has chosen one. */
  nextProofAt: z.nullable(z.iso.datetime()),
  /** The whole team sees it. */
  isShared: z.boolean(),
  /** Null: the admins have it. */
  owner: z.nullable(z.object({ name: z.string(), isMe: z.boolean() })),
  /** When a paused one becomes active by itself; null where a person resumes it. */
  pausedUntil: z.nullable(z.iso.datetime()),
  recipients: z.array(recipientSchema),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  window: storedMatchesSchema,
  /** Why its search cannot be evaluated, in sentences: then nothing is sent. */
  filterFaults: z.optional(z.array(z.string())),
})
export type LanternProfile = z.infer<typeof lanternProfileSchema>

/** Answer of `GET /bff/alert-profiles`: one's own, the team's, and those that notify oneself; all of them for admins. */
export const lanternProfileListSchema = z.object({
  profiles: z.array(lanternProfileSchema),
  /** The 30 days in which matches are counted, oldest first. */
  days: coveredDaysSchema,
  /** True if a mail server is set up. */
  hasEmail: z.boolean(),
  /** Values of `NOTIFY_DOMAINS`: domains that addresses of other people than users may have. */
  domains: z.array(z.string()),
  /** Values of `NOTIFY_HOSTS`: hosts that webhooks of every kind may lead to. */
  hosts: z.array(z.string()),
})
export type LanternProfileList = z.infer<typeof lanternProfileListSchema>

const contentSchema = z.strictObject({
  name: textSchema(ALERT_NAME_MAX_LENGTH),
  filter: z.strictObject(threatFilterSchema.shape),
  timeZone: timeZoneNameSchema,
  /** At once where a new profile names none. */
  schedule: z.optional(scheduleSchema),
  isShared: z.boolean(),
  recipients: recipientDraftsSchema,
})

/** Body of `POST /bff/alert-profiles` (analysts); sent again under its key, it is answered as it was, without the secrets. */
export const lanternProfileDraftSchema = z.extend(contentSchema, {
  idempotencyKey: z.optional(idSchema),
  /** Sends the Shift page to users, daily or weekly. The filter is not used. */
  isShift: z.optional(z.boolean()),
})
export type LanternProfileDraft = z.infer<typeof lanternProfileDraftSchema>

/** Body of `PUT /bff/alert-profiles/:id` (its owner, and admins): what is given changes. */
export const lanternProfileChangeSchema = z.extend(z.partial(contentSchema), {
  /** True: it sends the Shift page from now on. False: what its filter matches; one that sent Shift needs a filter with it. */
  isShift: z.optional(z.boolean()),
  state: z.optional(z.enum(['active', 'paused'])),
  /** A test of all destinations, each Monday at 8:00 of its zone. */
  isProvedWeekly: z.optional(z.boolean()),
  /** With `paused`; null or absent pauses it until somebody resumes it. */
  pausedUntil: z.optional(z.nullable(zonedMomentSchema)),
})
export type LanternProfileChange = z.infer<typeof lanternProfileChangeSchema>

/** Answer of `POST /bff/alert-profiles/:id/prove` (202): the ledger's entries, and the title of the record that was sent. */
export const profileProvedSchema = z.object({
  sent: z.array(z.object({ id: idSchema })),
  /** Null where no stored record matches: a plain test was sent. */
  record: z.nullable(z.string()),
  /** Recipients who have the test in Notifications. */
  userCount: z.optional(z.int()),
})
export type ProfileProved = z.infer<typeof profileProvedSchema>

/** Answer of `POST /bff/alert-profiles` (201) and `PUT /bff/alert-profiles/:id`. */
export const lanternProfileSavedSchema = z.object({
  profile: lanternProfileSchema,
  /** The signing secrets (`whsec_…`) of webhooks that are new, by recipient id: shown once. */
  secrets: z.record(z.uuid(), z.string()),
})
export type LanternProfileSaved = z.infer<typeof lanternProfileSavedSchema>
