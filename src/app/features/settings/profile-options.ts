import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { getJson } from '#app/api/get-json.ts'
import { sendJson } from '#app/api/send-json.ts'
import { sessionKey } from '#app/features/session/session-options.ts'
import { type ProfileChange, type ProfilePreferences, profileSchema } from '#contract/bff/profile.ts'

const profileKey = ['profile'] as const
export const savePreferencesKey = [...profileKey, 'preferences'] as const

const STALE_MS = 5 * 60_000

export function profileOptions() {
  return queryOptions({
    queryKey: profileKey,
    queryFn: ({ signal }) => getJson('profile', profileSchema, { signal, background: true }),
    staleTime: STALE_MS,
  })
}

export function renameMutation(queryClient: QueryClient) {
  return mutationOptions({
    mutationFn: (name: string) => changeProfile({ name }),
    onSuccess(profile) {
      queryClient.setQueryData(profileOptions().queryKey, profile)
      // The top bar names the reader too.
      queryClient.invalidateQueries({ queryKey: sessionKey })
    },
  })
}

export function savePreferencesMutation(queryClient: QueryClient) {
  return mutationOptions({
    mutationKey: savePreferencesKey,
    mutationFn: (preferences: ProfilePreferences) => changeProfile({ preferences }),
    onSuccess: (profile) => queryClient.setQueryData(profileOptions().queryKey, profile),
  })
}

/** Answers the welcome page with preferences, or skips it: it is not offered to the account again. */
export function answerWelcomeMutation(queryClient: QueryClient) {
  return mutationOptions({
    mutationFn: (preferences: ProfilePreferences | null) =>
      changeProfile({
        hasSeenWelcome: true,
        ...(preferences && { preferences, hasChosenTimeZone: true }),
      }),
    onSuccess: (profile) => queryClient.setQueryData(profileOptions().queryKey, profile),
  })
}

function changeProfile(body: ProfileChange) {
  return sendJson('profile', profileSchema, { method: 'PUT', body })
}
