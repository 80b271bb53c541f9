import pg from 'pg'

/** Connection exceptions, too many connections, shutting down or starting. */
const AWAY_STATE = /^(?:08\w{3}|53300|57P0[1-5])$/
const AWAY_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENOTFOUND'])
/** The driver gives these no code. */
const AWAY_TEXT =
  /^(?:connection terminated|timeout exceeded when trying to connect|query read timeout|client has encountered)/i

/** Whether a failed query says nothing of the query: the database could not be reached, or broke off. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (error instanceof pg.DatabaseError) return AWAY_STATE.test(code)
  return AWAY_CODES.has(code) || AWAY_TEXT.test(error.message)
}
