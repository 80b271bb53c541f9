import * as z from 'zod/mini'
import { rowIdSchema } from '../id.ts'
import { daySchema } from '../moment.ts'
import { timeZoneSchema } from '../time-zone.ts'

/** All that is written down. A name says what was done to what: `user-created` reads 'User created'. */
export const AUDIT_ACTIONS = [
  'sign-in',
  'sign-in-failed',
  'sign-in-by-link',
  'sign-in-by-sso',
  'sign-in-by-break-glass',
  'sign-in-from-new-device',
  'break-glass-link-created',
  'signed-out-by-provider',
  'sso-linked',
  'sso-unlinked',
  'sign-out',
  'sign-out-everywhere',
  'second-step-failed',
  'recovery-code-used',
  'proof-failed',
  'session-ended',
  'other-sessions-ended',
  'factor-added',
  'factor-changed',
  'factor-removed',
  'recovery-codes-made',
  'profile-changed',
  'password-changed',
  'password-change-failed',
  'password-set-by-link',
  'user-created',
  'user-changed',
  'user-link-created',
  'user-signed-out',
  'user-factors-reset',
  'audit-exported',
  'audit-pruned',
  'triage-history-pruned',
  'calls-pruned',
  'person-erased',
  'backup-restored',
  'threats-exported',
  'history-load-requested',
  'history-load-stopped',
  'key-replaced',
  'key-refused',
  'key-removed',
  'service-key-created',
  'service-key-revoked',
  'alert-requested',
  'alert-created',
  'alert-refused',
  'alert-unclear',
  'alert-changed',
  'alert-paused',
  'alert-resumed',
  'alert-deleted',
  'alert-tested',
  'alert-secret-replaced',
  'alert-muted',
  'alert-unmuted',
  'alert-unsubscribed',
  'triage-changed',
  'triage-undone',
  'view-created',
  'view-changed',
  'view-deleted',
  'list-created',
  'list-changed',
  'list-deleted',
  'list-match-decided',
  'case-changed',
  'case-undone',
  'due-times-changed',
  'delivery-resent',
  'deliveries-exported',
] as const
export const auditActionSchema = z.enum(AUDIT_ACTIONS)
export type AuditAction = z.infer<typeof auditActionSchema>

export const auditEventSchema = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  /** The account that acted; null where nobody was known. */
  actor: z.nullable(z.object({ id: z.string(), email: z.nullable(z.string()) })),
  /** Open: an older or newer Lantern may have written others. */
  action: z.string(),
  route: z.string(),
  /** The subject of the action: its id, and its name at that time. */
  object: z.nullable(z.string()),
  objectName: z.nullable(z.string()),
  /** Values before and after the change, with secrets masked. */
  before: z.nullable(z.record(z.string(), z.unknown())),
  after: z.nullable(z.record(z.string(), z.unknown())),
  address: z.nullable(z.string()),
  requestId: z.nullable(z.string()),
})
export type AuditEvent = z.infer<typeof auditEventSchema>

/** Who, what and when: all that is given must hold. */
export const auditFilterSchema = z.object({
  /** Part of an email address. */
  who: z.optional(z.string().check(z.minLength(1), z.maxLength(254))),
  action: z.optional(auditActionSchema),
  /** Days of the reader's zone, both included. */
  from: z.optional(daySchema),
  to: z.optional(daySchema),
})
export type AuditFilter = z.infer<typeof auditFilterSchema>

/** `GET /bff/audit`: newest first. */
export const auditQuerySchema = z.extend(auditFilterSchema, {
  timeZone: timeZoneSchema,
  cursor: z.optional(rowIdSchema),
})

/** Answer of `GET /bff/audit` (admins). */
export const auditPageSchema = z.object({
  events: z.array(auditEventSchema),
  nextCursor: z.nullable(z.string()),
})
export type AuditPage = z.infer<typeof auditPageSchema>

/** `GET /bff/audit/export`: the whole answer to a filter as a file. */
export const auditExportQuerySchema = z.extend(auditFilterSchema, {
  timeZone: timeZoneSchema,
  format: z.enum(['csv', 'json']),
})
