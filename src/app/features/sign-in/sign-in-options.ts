import { queryOptions } from '@tanstack/react-query'
import { getJson } from '#app/api/get-json.ts'
import { signInOptionsSchema } from '#contract/bff/session.ts'

/** It is requested each time, because a session lies between two visits of the sign-in page. */
export function signInOptions() {
  return queryOptions({
    queryKey: ['sign-in', 'options'],
    queryFn: ({ signal }) => getJson('sign-in/options', signInOptionsSchema, { signal }),
    staleTime: 0,
  })
}
