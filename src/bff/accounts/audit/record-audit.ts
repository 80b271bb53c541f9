import type { ReaderSession, RouteRequest } from '#bff/http/route.ts'
import type { AuditAction } from '#contract/bff/audit.ts'
import type { Database } from '#database/database.ts'

type Details = Readonly<Record<string, unknown>>

export type AuditRecord = {
  /** The account that acts, where it is known. */
  actor: string | null
  action: AuditAction
  /** The route's method and path template. */
  route: string
  /** The id of what is acted upon; never a secret. */
  object: string | null
  /** What people call it. */
  objectName?: string | undefined
  /** What changed, from what to what: only the members that did. */
  before?: Details | undefined
  after?: Details | undefined
  address: string
  requestId: string
}

/** Names of members whose values are not for any record. Destinations of alerts come masked already. */
const SECRET = /password|secret|token|api_?key|webhook/i
const MASK = '•••'

/** Adds to the record that nothing can change. */
export async function recordAudit(db: Database, event: AuditRecord): Promise<void> {
  const { actor, action, route, object, objectName = null, before, after, address, requestId } = event
  await db.query(
    `insert into audit_event (actor, action, route, object, object_name, before, after, address, request_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [actor, action, route, object, objectName, toText(before), toText(after), address, requestId],
  )
}

function toText(details: Details | undefined): string | null {
  if (!details) return null
  return JSON.stringify(details, (name, value) => (SECRET.test(name) && value !== null ? MASK : value))
}

/** What a route knows of whoever asks. */
export function auditFacts(
  route: string,
  { session, request }: { session: ReaderSession | null; request: RouteRequest },
): Pick<AuditRecord, 'actor' | 'route' | 'address' | 'requestId'> {
  return { actor: session?.user.id ?? null, route, address: request.address, requestId: request.id }
}
