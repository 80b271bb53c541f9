import pg from 'pg'

/** Connection exceptions, too many connections, shutting down or starting. */
const AWAY_STATE = /^(?:08\w{3}|53300|57P0[1-5])$/
const AWAY_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENOTFOUND'])
/** These have no code. */
const AWAY_TEXT =
  /^(?:connection terminated|timeout exceeded when trying to connect|waited too long for a turn|query read timeout|client has encountered)/i

/** Canceled by `statement_timeout`, or by an operator. */
export const QUERY_CANCELED = '57014'

/** Read-only, disk full, a quota of the disk, an error of it. */
const UNWRITABLE_STATES = new Set(['25006', '53100', '53400', '58030'])

/** A standby's data may be old by an unknown time. It counts as away until it is the primary. */
export class StandbyError extends Error {}

/** Returns true if a write failed because the database accepts none, while stored data can be read. */
export function isDatabaseUnwritable(error: unknown): boolean {
  return error instanceof pg.DatabaseError && UNWRITABLE_STATES.has(error.code ?? '')
}

/** Returns true if the server ended a statement that ran for longer than it may: the server is busy, not away. */
export function isStatementTooSlow(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === QUERY_CANCELED
}

/** Returns true if a query failed because the database could not be reached, or the connection broke. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (error instanceof pg.DatabaseError) return AWAY_STATE.test(code)
  return error instanceof StandbyError || AWAY_CODES.has(code) || AWAY_TEXT.test(error.message)
}
