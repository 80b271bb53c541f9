import * as z from 'zod/mini'
import { routeSetSchema } from '../route-set.ts'

/** Codes of problems. `signed_out` is the only one that means the user's own session. */
export type ProblemCode =
  | 'bad_request'
  | 'signed_out'
  | 'sign_in_failed'
  | 'sign_in_unavailable'
  | 'too_many_attempts'
  | 'too_many_requests'
  | 'fresh_proof_needed'
  | 'role_not_allowed'
  | 'not_found'
  | 'filter_not_supported'
  | 'key_missing'
  | 'key_invalid'
  | 'plan_not_allowed'
  | 'not_offered'
  | 'rate_limited'
  | 'daily_limit_reached'
  | 'database_unavailable'
  | 'upstream_unavailable'
  | 'upstream_timeout'
  | 'upstream_unreadable'
  | 'picture_unavailable'
  | 'alert_refused'
  | 'alert_unclear'
  | 'window_empty'
  | 'conflict'
  | 'internal'

/** Open: a page that was loaded before an upgrade may meet another, and shows its words all the same. */
export const problemCodeSchema = z.custom<ProblemCode>((code) => typeof code === 'string')

/** RFC 9457 problem details, with Lantern's extension members. Content type `application/problem+json`. */
export const problemSchema = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  /** Says what the user can do about it. */
  detail: z.string(),
  code: problemCodeSchema,
  /** When a repeat can succeed, ISO 8601 UTC. */
  retryAt: z.optional(z.iso.datetime()),
  /** The vendor route set that refused. */
  set: z.optional(routeSetSchema),
  /** The parameters or fields at fault, each with its reason. */
  fields: z.optional(
    z.array(
      z.object({
        name: z.string(),
        reason: z.string(),
        /** Offsets into the text: from the first character to before the last. */
        from: z.optional(z.int()),
        to: z.optional(z.int()),
        /** Proposed replacement. */
        fix: z.optional(z.string()),
        /** The vendor's own words about it: third-party text. */
        words: z.optional(z.string()),
      }),
    ),
  ),
  requestId: z.optional(z.string()),
})
export type Problem = z.infer<typeof problemSchema>
