import { mutationOptions, type QueryClient } from '@tanstack/react-query'
import { sendJson } from '#app/api/send-json.ts'
import { inboxSchema } from '#contract/bff/inbox.ts'
import type { InboxRead } from '#contract/bff/inbox-read.ts'
import { inboxOptions } from './inbox-options.ts'

/** All up to the newest that was shown, or those that were opened. */
export function readInboxMutation(queryClient: QueryClient) {
  return mutationOptions({
    mutationFn: (read: InboxRead) => sendJson('inbox/read', inboxSchema, { body: read }),
    onSuccess: (inbox) => queryClient.setQueryData(inboxOptions().queryKey, inbox),
  })
}
