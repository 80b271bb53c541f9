import type { IncomingMessage } from 'node:http'
import { ProblemError } from '#bff/http/problem-error.ts'

/**
 * Checks a request before its target is trusted, beyond what Node's parser refuses: one known Host, no odd
 * Transfer-Encoding, an origin-form target. Returns null if all is well. Without `hosts` any Host is accepted, or none.
 */
export function findConnectionFault(
  { rawHeaders, url: target = '' }: IncomingMessage,
  hosts: ReadonlySet<string> | null,
): ProblemError | null {
  if (!isOriginForm(target)) return fault('The request target must be a path on this server.')

  let host: string | undefined
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase()
    if (name === 'host') {
      if (host !== undefined) return fault('Send one Host header.')
      host = rawHeaders[index + 1]
    } else if (name === 'transfer-encoding') {
      if (rawHeaders[index + 1]?.toLowerCase() !== 'chunked')
        return fault('Only chunked transfer encoding is read.')
    }
  }
  if (!hosts) return null
  if (host === undefined) return fault('Send a Host header.')
  if (!hosts.has(host.toLowerCase())) {
    return fault('This server does not answer for that host. Open the address in PUBLIC_URL.', 421)
  }
  return null
}

/** `//host/x` and `/\host/x` are paths to Node and other hosts to URL parsers. */
function isOriginForm(target: string): boolean {
  return target[0] === '/' && target[1] !== '/' && !target.includes('\\')
}

function fault(detail: string, status = 400): ProblemError {
  return new ProblemError({ code: 'bad_request', status, detail, headers: { connection: 'close' } })
}
