import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { getJson } from '#app/api/get-json.ts'
import { sendProved } from '#app/api/send-json.ts'
import { keysSchema } from '#contract/bff/key.ts'
import { createdServiceKeySchema, type NewServiceKey, serviceKeysSchema } from '#contract/bff/service-key.ts'
import type { RouteSet } from '#contract/route-set.ts'

const POLL_MS = 30_000
const serviceKeysKey = ['keys', 'service'] as const

/** Costs no vendor call. Its polls must not prolong the session. */
export function keysOptions() {
  return queryOptions({
    queryKey: ['keys', 'vendor'],
    queryFn: ({ signal }) => getJson('keys', keysSchema, { signal, background: true }),
    refetchInterval: POLL_MS,
  })
}

/** Another key may see other things, so all queries are invalidated. */
export function keyMutations(queryClient: QueryClient, set: RouteSet) {
  const onSuccess = () => queryClient.invalidateQueries()
  return {
    replace: mutationOptions({
      mutationFn: (key: string) => sendProved(`keys/${set}`, keysSchema, { method: 'PUT', body: { key } }),
      onSuccess,
    }),
    remove: mutationOptions({
      mutationFn: () => sendProved(`keys/${set}`, keysSchema, { method: 'DELETE' }),
      onSuccess,
    }),
  }
}

export function serviceKeysOptions() {
  return queryOptions({
    queryKey: serviceKeysKey,
    queryFn: ({ signal }) => getJson('service-keys', serviceKeysSchema, { signal }),
  })
}

export function serviceKeyMutations(queryClient: QueryClient) {
  const onSettled = () => queryClient.invalidateQueries({ queryKey: serviceKeysKey })
  return {
    create: mutationOptions({
      mutationFn: (body: NewServiceKey) => sendProved('service-keys', createdServiceKeySchema, { body }),
      onSettled,
    }),
    revoke: mutationOptions({
      mutationFn: (id: string) =>
        sendProved(`service-keys/${encodeURIComponent(id)}`, z.undefined(), { method: 'DELETE' }),
      onSettled,
    }),
  }
}
