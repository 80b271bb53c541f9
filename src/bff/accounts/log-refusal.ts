import type { RefusedRequest } from '#bff/http/app.ts'
import type { Log } from '#bff/http/log.ts'
import type { Problem } from '#contract/bff/problem.ts'

const LINKS: ReadonlySet<string> = new Set([
  'POST /bff/sign-in/link',
  'POST /bff/sign-in/password-link',
  'GET /bff/feeds/:fileName',
  'POST /bff/unsubscriptions',
])

type Refused = RefusedRequest & {
  problem: Problem
  /** Id of the account that was refused, where it is known. */
  actor: string | null
}

/** Logs what somebody was not permitted to do. Other problems, such as invalid input, are no refusals. */
export function logRefusal(log: Log, { problem, isForged, route, address, requestId, actor }: Refused): void {
  const event = isForged ? 'origin-refused' : eventOf(problem.code, route)
  if (event !== null) log.warn(event, { actor, route, address, requestId })
}

function eventOf(code: Problem['code'], route: string): string | null {
  if (code === 'role_not_allowed') return 'role-refused'
  if (code === 'too_many_attempts') return 'sign-in-limited'
  const isOfLink = LINKS.has(route) && (code === 'sign_in_failed' || code === 'not_found')
  return isOfLink ? 'link-refused' : null
}
