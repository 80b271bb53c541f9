const FAULTS: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'connection refused'],
  ['ENOTFOUND', 'host name not found'],
  ['EAI_AGAIN', 'host name lookup failed'],
  ['ETIMEDOUT', 'connection timed out'],
  ['UND_ERR_CONNECT_TIMEOUT', 'connection timed out'],
  ['ECONNRESET', 'connection closed by the other side'],
  ['EPIPE', 'connection closed by the other side'],
  ['EHOSTUNREACH', 'no network route to the host'],
  ['ENETUNREACH', 'no network route to the host'],
])

/** Without the note, nobody could know after a crash whether the message arrived. */
export const UNNOTED = 'Not sent: Lantern could not note in its database that the message leaves.'

/** Describes the code of a system error. An unknown code is named. */
export function describeErrorCode(code: string): string {
  return FAULTS.get(code) ?? `connection failed (${code})`
}
