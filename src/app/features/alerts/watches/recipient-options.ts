import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { getJson } from '#app/api/get-json.ts'
import { sendJson } from '#app/api/send-json.ts'
import { watchUsersSchema } from '#contract/bff/watch-users.ts'
import { watchesKey } from '../watch-options.ts'

const STALE_MS = 60_000

/** Whom a watch may tell. Apart from the other options, which the first visit to Threats needs. */
export function watchUsersOptions() {
  return queryOptions({
    queryKey: [...watchesKey, 'users'],
    queryFn: ({ signal }) => getJson('watches/users', watchUsersSchema, { signal }),
    staleTime: STALE_MS,
  })
}

/** Takes oneself off another's watch. */
export function leaveWatchOptions(queryClient: QueryClient) {
  return mutationOptions({
    mutationFn: (id: string) => sendJson(`watches/${id}/recipients/me`, z.undefined(), { method: 'DELETE' }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: watchesKey }),
  })
}
