import { queryOptions } from '@tanstack/react-query'
import { getJson } from '#app/api/get-json.ts'
import { signInOptionsSchema } from '#contract/bff/session.ts'

/** Asked each time: between two visits of the sign-in page lies a session. */
export function signInOptions() {
  return queryOptions({
    queryKey: ['sign-in', 'options'],
    queryFn: ({ signal }) => getJson('sign-in/options', signInOptionsSchema, { signal }),
    staleTime: 0,
  })
}
