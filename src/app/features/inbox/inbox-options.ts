import { queryOptions } from '@tanstack/react-query'
import { getJson } from '#app/api/get-json.ts'
import { inboxSchema } from '#contract/bff/inbox.ts'

export const inboxKey = ['inbox'] as const

/** An event says when it is old; nothing of it prolongs the session. */
export function inboxOptions() {
  return queryOptions({
    queryKey: inboxKey,
    queryFn: ({ signal }) => getJson('inbox', inboxSchema, { background: true, signal }),
  })
}
