import { queryOptions } from '@tanstack/react-query'
import { getJson } from '#app/api/get-json.ts'
import { sessionSchema } from '#contract/bff/session.ts'

const STALE_MS = 5 * 60_000

export const sessionKey = ['session'] as const

export function sessionOptions() {
  return queryOptions({
    queryKey: sessionKey,
    queryFn: ({ signal }) => getJson('session', sessionSchema, { signal }),
    staleTime: STALE_MS,
  })
}
