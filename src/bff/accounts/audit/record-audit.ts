import * as z from 'zod/mini'
import { toLogLine } from '#bff/http/log.ts'
import type { ReaderSession } from '#bff/http/route.ts'
import type { AuditAction } from '#contract/bff/audit.ts'
import type { Database, Done } from '#database/database.ts'
import { readRow } from '#database/read-rows.ts'

const idSchema = z.object({ id: z.int() })

type Details = Readonly<Record<string, unknown>>

/** An action, and of a change only the changed members, before and after. */
export type AuditedAction = {
  action: AuditAction
  before?: Details | undefined
  after?: Details | undefined
}

/** An action, and what it was done to. */
export type AuditedChange = AuditedAction & {
  /** The id of what is acted upon; never a secret. */
  object: string | null
  /** The name that people use. */
  objectName?: string | undefined
}

export type AuditRecord = AuditedChange & {
  /** The account that acts, where it is known. */
  actor: string | null
  /** The route's method and path template. */
  route: string
  /** Null for what Lantern does by itself. */
  address: string | null
  requestId: string | null
}

/** Names of members whose values are not for any record. Destinations of alerts come masked already. */
const SECRET = /password|secret|token|api_?key|webhook/i
const MASK = '•••'

/** Members of these names identify a person: they can be erased, and the chain of records still holds. */
const PERSONAL = new Set(['name', 'email', 'address', 'who', 'subject'])

/** Adds to the record that nothing can change. */
export async function recordAudit(db: Database, event: AuditRecord): Promise<void> {
  const { actor, action, route, object, objectName = null, address, requestId } = event
  const before = splitDetails(event.before)
  const after = splitDetails(event.after)
  const row = await readRow(db, idSchema, [
    ...[actor, action, route, object, objectName],
    ...[before.other, after.other, before.personal, after.personal],
    ...[address, requestId],
  ])`
    insert into audit_event
      (actor, action, route, object, object_name, before, after, personal_before, personal_after, address, request_id)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) returning id`
  db.reportCommitted?.({
    ...row,
    actor,
    action,
    route,
    object,
    objectName,
    before: masked(event.before),
    after: masked(event.after),
    address,
    requestId,
  })
}

/**
 * Wraps a database so that each committed record is also written as a line. A record that is rolled back or repeated
 * writes none.
 */
export function mirrorAudit<T extends Database>(database: T, writeLine: (line: string) => void): T {
  const write = (record: Done) =>
    writeLine(toLogLine({ time: new Date().toISOString(), level: 'info', event: 'audit', ...record }))
  return {
    ...database,
    reportCommitted: write,
    async transaction<R>(run: (db: Database) => Promise<R>): Promise<R> {
      let done: Done[] = []
      const result = await database.transaction((tx) => {
        done = []
        const inside: Database = {
          query: tx.query,
          transaction: (join) => join(inside),
          reportCommitted: (record) => done.push(record),
        }
        return run(inside)
      })
      for (const record of done) write(record)
      return result
    },
  }
}

function splitDetails(details: Details = {}) {
  const members = Object.entries(details)
  return {
    personal: toText(members.filter(([name]) => PERSONAL.has(name))),
    other: toText(members.filter(([name]) => !PERSONAL.has(name))),
  }
}

function masked(details: Details = {}): unknown {
  return JSON.parse(toText(Object.entries(details)) ?? 'null')
}

function toText(members: [string, unknown][]): string | null {
  if (members.length === 0) return null
  return JSON.stringify(Object.fromEntries(members), (name, value) =>
    SECRET.test(name) && value !== null ? MASK : value,
  )
}

/** The account that sends a request, if it is known, and the request. */
export type RequestContext = {
  session: ReaderSession | null
  request: { id: string; route: string; address: string }
}

export function auditFacts({ session, request: { id, route, address } }: RequestContext) {
  return { actor: session?.user.id ?? null, route, address, requestId: id }
}
