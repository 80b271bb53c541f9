import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { getJson } from '#app/api/get-json.ts'
import { sendJson } from '#app/api/send-json.ts'
import { keysOf } from '#app/features/live/live-options.ts'
import { type DueTimes, dueTimesSchema } from '#contract/bff/due-time.ts'

const dueTimesKey = ['due-times'] as const

export function dueTimesOptions() {
  return queryOptions({
    queryKey: dueTimesKey,
    queryFn: ({ signal }) => getJson('due-times', dueTimesSchema, { signal }),
  })
}

export function dueTimesMutation(queryClient: QueryClient) {
  return mutationOptions({
    mutationFn: (body: DueTimes) => sendJson('due-times', dueTimesSchema, { method: 'PUT', body }),
    onSuccess: (times) => queryClient.setQueryData(dueTimesOptions().queryKey, times),
    onSettled() {
      // Other cases are due now.
      for (const queryKey of keysOf('triage')) queryClient.invalidateQueries({ queryKey })
    },
  })
}
