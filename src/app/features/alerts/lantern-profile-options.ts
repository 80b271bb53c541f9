import { keepPreviousData, mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { getJson } from '#app/api/get-json.ts'
import { sendJson, sendProved } from '#app/api/send-json.ts'
import { sendOnce } from '#app/ui/send-once.ts'
import { type BacktestQuery, backtestSchema } from '#contract/bff/alert.ts'
import {
  type LanternProfileChange,
  type LanternProfileDraft,
  lanternProfileListSchema,
  lanternProfileSavedSchema,
  profileProvedSchema,
} from '#contract/bff/alert-profile.ts'
import { testSentSchema } from '#contract/bff/delivery-ledger.ts'
import { recipientUsersSchema } from '#contract/bff/recipient.ts'

/** The prefix of every key of profiles that run in Lantern: invalidate this to refetch them all. */
export const lanternProfilesKey = ['alert-profiles'] as const

const STALE_MS = 60_000

/** Free. Matches are counted in days of the reader's zone. */
export function lanternProfileListOptions(timeZone: string) {
  return queryOptions({
    queryKey: [...lanternProfilesKey, 'list', timeZone],
    queryFn: ({ signal }) =>
      getJson('alert-profiles', lanternProfileListSchema, { query: { timeZone }, signal }),
    staleTime: STALE_MS,
  })
}

/** Whom a profile may notify. */
export function recipientUsersOptions() {
  return queryOptions({
    queryKey: [...lanternProfilesKey, 'users'],
    queryFn: ({ signal }) => getJson('alert-profiles/users', recipientUsersSchema, { signal }),
    staleTime: STALE_MS,
  })
}

/** Free. What was found last stays in sight until the next answer. */
export function backtestOptions(query: BacktestQuery) {
  return queryOptions({
    queryKey: [...lanternProfilesKey, 'backtest', query],
    queryFn: ({ signal }) => sendJson('alert-profiles/backtest', backtestSchema, { body: query, signal }),
    placeholderData: keepPreviousData,
  })
}

/** Changes to profiles that run in Lantern. After each one the list is read again, also if it was refused. */
export function lanternProfileMutations(queryClient: QueryClient) {
  const onSettled = () => queryClient.invalidateQueries({ queryKey: lanternProfilesKey })
  return {
    create: mutationOptions({
      mutationFn: (draft: LanternProfileDraft) =>
        sendOnce(draft, (body) => sendJson('alert-profiles', lanternProfileSavedSchema, { body })),
      onSettled,
    }),
    change: mutationOptions({
      mutationFn: ({ id, change }: { id: string; change: LanternProfileChange }) =>
        sendJson(`alert-profiles/${id}`, lanternProfileSavedSchema, { method: 'PUT', body: change }),
      onSettled,
    }),
    remove: mutationOptions({
      mutationFn: (id: string) => sendJson(`alert-profiles/${id}`, z.undefined(), { method: 'DELETE' }),
      onSettled,
    }),
    replaceSecret: mutationOptions({
      mutationFn: ({ profileId, recipientId }: { profileId: string; recipientId: string }) =>
        sendProved(
          `alert-profiles/${profileId}/recipients/${recipientId}/secret`,
          lanternProfileSavedSchema,
          {},
        ),
      onSettled,
    }),
    leave: mutationOptions({
      mutationFn: (id: string) =>
        sendJson(`alert-profiles/${id}/recipients/me`, z.undefined(), { method: 'DELETE' }),
      onSettled,
    }),
  }
}

export function proveProfile(profileId: string) {
  return sendJson(`alert-profiles/${profileId}/prove`, profileProvedSchema, {})
}

export function testRecipient(profileId: string, recipientId: string) {
  return sendJson(`alert-profiles/${profileId}/recipients/${recipientId}/test`, testSentSchema, {})
}
