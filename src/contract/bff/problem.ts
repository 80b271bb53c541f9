import * as z from 'zod/mini'
import { routeSetSchema } from '../route-set.ts'

/** What went wrong, for code to branch on. `signed_out` is the only one that means the reader's own session. */
export const problemCodeSchema = z.enum([
  'bad_request',
  'signed_out',
  'sign_in_failed',
  'sign_in_unavailable',
  'too_many_attempts',
  'role_not_allowed',
  'not_found',
  'filter_not_supported',
  'key_missing',
  'key_invalid',
  'plan_not_allowed',
  'rate_limited',
  'daily_limit_reached',
  'upstream_unavailable',
  'upstream_timeout',
  'upstream_unreadable',
  'picture_unavailable',
  'alert_refused',
  'alert_unclear',
  'window_empty',
  'conflict',
  'internal',
])
export type ProblemCode = z.infer<typeof problemCodeSchema>

/** RFC 9457 problem details, with Lantern's extension members. Content type `application/problem+json`. */
export const problemSchema = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  /** What the reader can do about it. */
  detail: z.string(),
  code: problemCodeSchema,
  /** When a repeat can succeed, ISO 8601 UTC. */
  retryAt: z.optional(z.iso.datetime()),
  /** The vendor route set that refused. */
  set: z.optional(routeSetSchema),
  /** The parameters or fields at fault, each with its reason. */
  fields: z.optional(z.array(z.object({ name: z.string(), reason: z.string() }))),
  requestId: z.optional(z.string()),
})
export type Problem = z.infer<typeof problemSchema>
