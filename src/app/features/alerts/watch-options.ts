import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { getJson } from '#app/api/get-json.ts'
import { sendJson } from '#app/api/send-json.ts'
import { sendOnce } from '#app/ui/send-once.ts'
import { testSentSchema } from '#contract/bff/ledger.ts'
import { type WatchChange, type WatchDraft, watchListSchema, watchSavedSchema } from '#contract/bff/watch.ts'

/** The prefix of every watches key: invalidate this to refetch them all. */
export const watchesKey = ['watches'] as const

const STALE_MS = 60_000

export function watchListOptions() {
  return queryOptions({
    queryKey: watchesKey,
    queryFn: ({ signal }) => getJson('watches', watchListSchema, { signal }),
    staleTime: STALE_MS,
  })
}

/** What analysts do with watches; each is followed by reading the list anew, refused or not. */
export function watchMutations(queryClient: QueryClient) {
  const onSettled = () => queryClient.invalidateQueries({ queryKey: watchesKey })
  return {
    create: mutationOptions({
      mutationFn: (draft: WatchDraft) =>
        sendOnce(draft, (body) => sendJson('watches', watchSavedSchema, { body })),
      onSettled,
    }),
    change: mutationOptions({
      mutationFn: ({ id, change }: { id: string; change: WatchChange }) =>
        sendJson(`watches/${id}`, watchSavedSchema, { method: 'PUT', body: change }),
      onSettled,
    }),
    remove: mutationOptions({
      mutationFn: (id: string) => sendJson(`watches/${id}`, z.undefined(), { method: 'DELETE' }),
      onSettled,
    }),
  }
}

export function testRecipient(watchId: string, recipientId: string) {
  return sendJson(`watches/${watchId}/recipients/${recipientId}/test`, testSentSchema, {})
}
