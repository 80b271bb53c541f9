import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { getJson } from '#app/api/get-json.ts'
import { sendJson } from '#app/api/send-json.ts'
import { type MuteDraft, muteListSchema, muteSchema } from '#contract/bff/alert-mute.ts'
import { pathSegment } from '#contract/bff/path-segment.ts'
import { lanternProfilesKey } from '../lantern-profile-options.ts'

const pathOf = (profileId: string) => `alert-profiles/${pathSegment(profileId)}/mutes` as const

/** Victims and actors of which a profile does not notify. */
export function muteListOptions(profileId: string) {
  return queryOptions({
    queryKey: [...lanternProfilesKey, 'mutes', profileId],
    queryFn: ({ signal }) => getJson(pathOf(profileId), muteListSchema, { signal }),
  })
}

/** Each is followed by reading the mutes anew, refused or not. */
export function muteMutations(queryClient: QueryClient) {
  const onSettled = () => queryClient.invalidateQueries({ queryKey: [...lanternProfilesKey, 'mutes'] })
  return {
    mute: mutationOptions({
      mutationFn: ({ profileId, draft }: { profileId: string; draft: MuteDraft }) =>
        sendJson(pathOf(profileId), muteSchema, { body: draft }),
      onSettled,
    }),
    unmute: mutationOptions({
      mutationFn: ({ profileId, id }: { profileId: string; id: string }) =>
        sendJson(`${pathOf(profileId)}/${id}`, z.undefined(), { method: 'DELETE' }),
      onSettled,
    }),
  }
}
