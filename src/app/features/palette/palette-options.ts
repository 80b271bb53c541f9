import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { getJson } from '#app/api/get-json.ts'
import { actorsKey } from '#app/features/actors/actor-options.ts'
import { threatsKey } from '#app/features/threats/threat-options.ts'
import { viewsKey } from '#app/features/views/view-options.ts'
import { actorListSchema } from '#contract/bff/actor.ts'
import { pathSegment } from '#contract/bff/path-segment.ts'
import { threatListSchema } from '#contract/bff/threat-list.ts'
import { viewListSchema } from '#contract/bff/view.ts'
import type { Command } from './command.ts'

const LEAST_LENGTH = 2
const ACTORS_MAX_COUNT = 5
const THREATS_MAX_COUNT = 6

/** Filters of the feed that the reader, or the team, gave a name. */
export function viewCommandsOptions() {
  return queryOptions({
    queryKey: [...viewsKey, 'palette'],
    queryFn: async ({ signal }): Promise<Command[]> => {
      const { views } = await getJson('views', viewListSchema, { signal })
      return views.map(({ id, name, isShared }) => ({
        id: `view ${id}`,
        label: name,
        icon: 'filter',
        act: { href: `/threats?view=${id}` },
        detail: isShared ? 'Shared view' : 'View',
        isUntrusted: true,
      }))
    },
  })
}

/** Answered from the window: typing is free. */
export function foundActorsOptions(q: string, hasThreats: boolean) {
  return queryOptions({
    queryKey: [...actorsKey, 'palette', q],
    queryFn: async ({ signal }): Promise<Command[]> => {
      const { actors } = await getJson('actors', actorListSchema, { query: { q }, signal })
      return actors.slice(0, ACTORS_MAX_COUNT).map(({ name }) => ({
        id: `actor ${name}`,
        label: name,
        icon: 'eye',
        act: { href: `/actors/${pathSegment(name)}` },
        isUntrusted: true,
      }))
    },
    enabled: hasThreats && q.length >= LEAST_LENGTH,
    placeholderData: keepPreviousData,
  })
}

export function foundThreatsOptions(q: string, hasThreats: boolean) {
  return queryOptions({
    queryKey: [...threatsKey, 'palette', q],
    queryFn: async ({ signal }): Promise<Command[]> => {
      const { threats } = await getJson('threats', threatListSchema, { query: { q }, signal })
      return threats.slice(0, THREATS_MAX_COUNT).map(({ id, title, set }) => ({
        id: `threat ${id}`,
        label: title ?? 'Untitled threat',
        icon: 'alert',
        act: { href: `/threats/${pathSegment(id)}?set=${set}` },
        isUntrusted: true,
      }))
    },
    enabled: hasThreats && q.length >= LEAST_LENGTH,
    placeholderData: keepPreviousData,
  })
}
