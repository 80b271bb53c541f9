import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { getJson } from '#app/api/get-json.ts'
import { sendJson } from '#app/api/send-json.ts'
import { type InboxRead, inboxSchema } from '#contract/bff/inbox.ts'

export const inboxKey = ['inbox'] as const

/** An event says when it is old; nothing of it prolongs the session. */
export function inboxOptions() {
  return queryOptions({
    queryKey: inboxKey,
    queryFn: ({ signal }) => getJson('inbox', inboxSchema, { background: true, signal }),
  })
}

/** All up to the newest that was shown, or those that were opened. */
export function readInboxMutation(queryClient: QueryClient) {
  return mutationOptions({
    mutationFn: (read: InboxRead) => sendJson('inbox/read', inboxSchema, { body: read }),
    onSuccess: (inbox) => queryClient.setQueryData(inboxOptions().queryKey, inbox),
  })
}
