import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { getJson } from '#app/api/get-json.ts'
import { sendJson } from '#app/api/send-json.ts'
import {
  type AlertDraft,
  alertCreatedSchema,
  alertListSchema,
  profileMatchesSchema,
  threatProfilesSchema,
} from '#contract/bff/alert.ts'
import { pathSegment } from '#contract/bff/path-segment.ts'
import type { RouteSet } from '#contract/route-set.ts'

/** The prefix of every alerts key: invalidate this to refetch them all. */
export const alertsKey = ['alerts'] as const

/** Matches are counted in days of the reader's zone. */
export function alertListOptions(timeZone: string) {
  return queryOptions({
    queryKey: [...alertsKey, 'list', timeZone],
    queryFn: ({ signal }) => getJson('alerts', alertListSchema, { query: { timeZone }, signal }),
  })
}

/** Asks the vendor anew, whatever is remembered: it costs a call. */
export function rereadAlerts(timeZone: string) {
  return getJson('alerts', alertListSchema, { query: { timeZone }, refresh: true })
}

/** The list as it was last read, for a request that no person made. */
export function knownAlertListOptions(timeZone: string) {
  return queryOptions({
    ...alertListOptions(timeZone),
    queryFn: ({ signal }) =>
      getJson('alerts', alertListSchema, { query: { timeZone }, background: true, signal }),
    staleTime: 60_000,
  })
}

export function profileMatchesOptions(id: string, timeZone: string) {
  return queryOptions({
    queryKey: [...alertsKey, 'matches', id, timeZone],
    queryFn: ({ signal }) =>
      getJson(`alerts/${encodeURIComponent(id)}/matches`, profileMatchesSchema, {
        query: { timeZone },
        signal,
      }),
  })
}

export function threatProfilesOptions(threatId: string, set?: RouteSet) {
  return queryOptions({
    queryKey: [...alertsKey, 'of-threat', threatId, set ?? null],
    queryFn: ({ signal }) =>
      getJson(`threats/${pathSegment(threatId)}/profiles`, threatProfilesSchema, {
        query: { set },
        signal,
      }),
  })
}

export function createAlertMutation() {
  return mutationOptions({
    mutationKey: [...alertsKey, 'create'],
    mutationFn: (draft: AlertDraft) => sendJson('alerts', alertCreatedSchema, { body: draft }),
  })
}
