import type * as z from 'zod/mini'
import { countryCodeOrNameSchema } from '#contract/bff/country.ts'
import { threatIdSchema } from '#contract/bff/threat.ts'
import type { createAlertSchema } from '#contract/upstream/earlier/create-alert.ts'
import { UPSTREAM_ROUTES } from '#contract/upstream/upstream-routes.ts'

/** The lines of the vendor's route table that Lantern calls. */
export type UpstreamRouteName =
  | 'listThreats'
  | 'readThreat'
  | 'listFeed'
  | 'readFeedThreat'
  | 'listActors'
  | 'readCountry'
  | 'readMetrics'
  | 'listAlerts'
  | 'createAlert'

export type UpstreamParams = {
  id?: string
  /** An alpha-2 code or a full name. */
  country?: string
  query?: Readonly<Record<string, string | number | undefined>>
  /** What a POST says. */
  body?: z.input<typeof createAlertSchema>
}

/** The path and query of a call. Only the table's own paths and names come out, whatever goes in. */
export function upstreamTarget(name: UpstreamRouteName, { id, country, query = {} }: UpstreamParams): string {
  const route = UPSTREAM_ROUTES[name]
  const permitted = 'query' in route ? Object.keys(route.query.shape) : []
  const search = new URLSearchParams()
  for (const [parameter, value] of Object.entries(query)) {
    if (!permitted.includes(parameter)) throw new Error(`${name} has no parameter ${parameter}`)
    if (value !== undefined) search.append(parameter, String(value))
  }
  // An id's characters stand for themselves in a path, and neither of the two is ever '.' or '..'.
  const path = route.path
    .replace('{id}', () => threatIdSchema.parse(id))
    .replace('{code-or-name}', () => encodeURIComponent(countryCodeOrNameSchema.parse(country)))
  return search.size > 0 ? `${path}?${search}` : path
}

/** The body of a POST as it crosses, without a member that the reference does not name; null for a GET. */
export function upstreamBody(name: UpstreamRouteName, { body }: UpstreamParams): string | null {
  const route = UPSTREAM_ROUTES[name]
  if (!('body' in route)) return null
  route.body.parse(body)
  return JSON.stringify(body)
}
