import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { getJson } from '#app/api/get-json.ts'
import { sendJson } from '#app/api/send-json.ts'
import { ownSessionsSchema } from '#contract/bff/own-session.ts'

export function ownSessionsOptions() {
  return queryOptions({
    queryKey: ['sessions'],
    queryFn: ({ signal }) => getJson('sessions', ownSessionsSchema, { signal }),
  })
}

/** Each is followed by reading the list anew, refused or not: a session may have ended by itself. */
export function sessionMutations(queryClient: QueryClient) {
  const onSettled = () => queryClient.invalidateQueries({ queryKey: ownSessionsOptions().queryKey })
  return {
    end: mutationOptions({
      mutationFn: (id: string) => sendJson(`sessions/${id}`, ownSessionsSchema, { method: 'DELETE' }),
      onSettled,
    }),
    endOthers: mutationOptions({
      mutationFn: () => sendJson('sessions/end-others', ownSessionsSchema, {}),
      onSettled,
    }),
  }
}
