import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { getJson } from '#app/api/get-json.ts'
import { sendJson } from '#app/api/send-json.ts'
import { sendProved } from '#app/api/send-proved.ts'
import { sessionKey } from '#app/features/session/session-options.ts'
import {
  type NewUser,
  type UserChange,
  userAddedSchema,
  userAnswerSchema,
  userListSchema,
  userWithLinkSchema,
} from '#contract/bff/user.ts'

const usersKey = ['users'] as const

export function usersOptions() {
  return queryOptions({
    queryKey: usersKey,
    queryFn: ({ signal }) => getJson('users', userListSchema, { signal }),
  })
}

/** Changes that admins make to users. After each one the list is read again, also if it was refused. */
export function userMutations(queryClient: QueryClient) {
  const onSettled = () => queryClient.invalidateQueries({ queryKey: usersKey })
  return {
    add: mutationOptions({
      mutationFn: (body: NewUser) => sendProved('users', userAddedSchema, { body }),
      onSettled,
    }),
    change: mutationOptions({
      mutationFn: ({ id, ...body }: UserChange & { id: string }) =>
        sendProved(`users/${id}`, userAnswerSchema, { method: 'PUT', body }),
      onSettled() {
        // The one who changed may be the one who is changed.
        queryClient.invalidateQueries({ queryKey: sessionKey })
        return onSettled()
      },
    }),
    link: mutationOptions({
      mutationFn: (id: string) => sendProved(`users/${id}/link`, userWithLinkSchema, {}),
      onSettled,
    }),
    resetFactors: mutationOptions({
      mutationFn: (id: string) => sendProved(`users/${id}/reset-factors`, userAnswerSchema, {}),
      onSettled,
    }),
    signOut: mutationOptions({
      mutationFn: (id: string) => sendJson(`users/${id}/sign-out`, userAnswerSchema, {}),
      onSettled,
    }),
  }
}
