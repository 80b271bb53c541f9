import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { getJson } from '#app/api/get-json.ts'
import { sendJson } from '#app/api/send-json.ts'
import { historyLoadSchema, historyLoadsSchema, type LoadOffer } from '#contract/bff/history-load.ts'

/** The prefix of every key of loads. */
const historyLoadsKey = ['history-loads'] as const
/** Live events say what has changed; a browser without them still sees progress. */
const POLL_MS = 5_000

const nothingSchema = z.undefined()

/** The time of a question: a period in the reader's zone, or bounds, ISO 8601 UTC. */
export type RequestedTime =
  | { period: string; timeZone: string }
  | { from?: string | undefined; to?: string | undefined }

/** Loads of older threats for a time: those running and those possible. */
export function historyLoadsOptions(time: RequestedTime) {
  return queryOptions({
    queryKey: [...historyLoadsKey, time],
    queryFn: ({ signal }) => getJson('history-loads', historyLoadsSchema, { query: time, signal }),
    refetchInterval: ({ state }) =>
      state.data?.loads.some((load) => load.state === 'waiting' || load.state === 'reading')
        ? POLL_MS
        : false,
  })
}

export function historyMutations(queryClient: QueryClient) {
  const onSettled = () => queryClient.invalidateQueries({ queryKey: historyLoadsKey })
  return {
    load: mutationOptions({
      mutationFn: ({ from, to }: LoadOffer) =>
        sendJson('history-loads', historyLoadSchema, { body: { from, to } }),
      onSettled,
    }),
    stop: mutationOptions({
      mutationFn: (id: string) => sendJson(`history-loads/${id}`, nothingSchema, { method: 'DELETE' }),
      onSettled,
    }),
  }
}
