import { countryCodeOrNameSchema } from '#contract/bff/country.ts'
import { UPSTREAM_ROUTES } from '#contract/upstream/upstream-routes.ts'
import { idSegment } from './id-segment.ts'
import type { UpstreamParams, UpstreamRouteName } from './upstream.ts'
import { UpstreamError } from './upstream-error.ts'

/** The path and query of a call. Only the table's own paths and names come out, whatever goes in. */
export function upstreamTarget(name: UpstreamRouteName, { id, country, query = {} }: UpstreamParams): string {
  const route = UPSTREAM_ROUTES[name]
  const permitted = 'query' in route ? Object.keys(route.query.shape) : []
  const search = new URLSearchParams()
  for (const [parameter, value] of Object.entries(query)) {
    if (!permitted.includes(parameter)) throw new Error(`${name} has no parameter ${parameter}`)
    if (value !== undefined) search.append(parameter, String(value))
  }
  // Neither of the two is ever '.' or '..'.
  const path = route.path
    .replace('{id}', () => {
      const segment = idSegment(id ?? '')
      if (segment === null)
        throw new UpstreamError({
          set: route.set,
          route: name,
          kind: 'unsendable',
          reason: 'no path can carry the id',
        })
      return segment
    })
    .replace('{code-or-name}', () => encodeURIComponent(countryCodeOrNameSchema.parse(country)))
  return search.size > 0 ? `${path}?${search}` : path
}

/** The body of a change as it crosses, without a member that the table does not name; null for what carries none. */
export function upstreamBody(name: UpstreamRouteName, { body }: UpstreamParams): string | null {
  const route = UPSTREAM_ROUTES[name]
  if (!('body' in route)) return null
  route.body.parse(body)
  return JSON.stringify(body)
}
