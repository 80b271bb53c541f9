import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { getJson } from '#app/api/get-json.ts'
import { actorAnswerSchema, actorListSchema } from '#contract/bff/actor.ts'
import type { RowKind } from '#contract/bff/arrangement.ts'
import { pathSegment } from '#contract/bff/path-segment.ts'
import type { ActorSearch } from './actor-search.ts'

/** The prefix of every actors key: invalidate this to refetch them all. */
export const actorsKey = ['actors'] as const

/** Countries and industries of the user's organisation: a threat in both concerns it. */
export type OwnInterests = { countries: readonly string[]; industries: readonly string[] }

/** `background`: nobody has opened the page yet; answered only where that is free. */
type Asking = { signal?: AbortSignal; background?: boolean }

/** Answered from stored threats. The vendor's own list is read once a day. */
export function actorListOptions(
  search: ActorSearch & { rows: RowKind },
  own: OwnInterests,
  timeZone: string,
) {
  const query = { ...search, country: own.countries, industry: own.industries, timeZone }
  const ask = (asking: Asking) => getJson('actors', actorListSchema, { query, ...asking })
  const options = queryOptions({
    queryKey: [...actorsKey, 'list', query],
    queryFn: ({ signal }) => ask({ signal }),
    placeholderData: keepPreviousData,
  })
  return { ...options, guess: () => ask({ background: true }) }
}

type ActorScope = { name: string; period: string; rows: RowKind }

export function actorOptions({ name, period, rows }: ActorScope, own: OwnInterests, timeZone: string) {
  const path = `actors/${pathSegment(name)}` as const
  const query = { period, rows, country: own.countries, industry: own.industries, timeZone }
  const ask = (asking: Asking) => getJson(path, actorAnswerSchema, { query, ...asking })
  const options = queryOptions({
    queryKey: [...actorsKey, 'one', name, query],
    queryFn: ({ signal }) => ask({ signal }),
    // The page is keyed by the name: what stays until the next answer is another period of the same.
    placeholderData: keepPreviousData,
  })
  return { ...options, guess: () => ask({ background: true }) }
}
