import { queryOptions } from '@tanstack/react-query'
import { ApiError } from '#app/api/api-error.ts'
import { getJson } from '#app/api/get-json.ts'
import type { Problem } from '#contract/bff/problem.ts'
import { type Session, sessionAnswerSchema } from '#contract/bff/session.ts'

const STALE_MS = 5 * 60_000

export const sessionKey = ['session'] as const

export function sessionOptions() {
  return queryOptions({
    queryKey: sessionKey,
    queryFn: ({ signal }) => fetchSession(signal),
    staleTime: STALE_MS,
  })
}

/** Nobody is a failure as on any other route, so that a session which has ended leads to the sign-in page from wherever. */
async function fetchSession(signal: AbortSignal): Promise<Session> {
  const session = await getJson('session', sessionAnswerSchema, { signal })
  if (!session) throw new ApiError(SIGNED_OUT)
  return session
}

const SIGNED_OUT: Problem = {
  type: 'about:blank',
  title: 'You are signed out',
  status: 401,
  detail: 'Sign in to go on.',
  code: 'signed_out',
}
