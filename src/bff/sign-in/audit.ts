import type { Database } from '#database/database.ts'

export type AuditEvent = {
  /** The account that acts, where it is known. */
  actor: string | null
  action: 'sign-in' | 'sign-in-failed' | 'sign-in-by-link' | 'sign-out' | 'sign-out-everywhere'
  /** The route's method and path template. */
  route: string
  /** The id of what is acted upon; never a secret. */
  object: string | null
  address: string
  requestId: string
}

/** Adds to the record that nothing can change. */
export async function recordAudit(db: Database, event: AuditEvent): Promise<void> {
  await db.query(
    `insert into audit_event (actor, action, route, object, address, request_id) values ($1, $2, $3, $4, $5, $6)`,
    [event.actor, event.action, event.route, event.object, event.address, event.requestId],
  )
}
