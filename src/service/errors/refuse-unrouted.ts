import type { Context } from 'hono'
import { UPSTREAM_ROUTES } from '#contract/upstream/upstream-routes.ts'
import { ServiceError } from './service-error.ts'

const ROUTES = Object.values(UPSTREAM_ROUTES).map(({ method, path }) => ({
  method,
  pattern: new RegExp(`^${path.replace(/\{[a-z-]+\}/g, '[^/]+')}$`),
}))

/** What is said of a request that no route took: a method that the path does not have, or no such path. */
export function refuseUnrouted(c: Context): never {
  const methods = ROUTES.filter(({ pattern }) => pattern.test(c.req.path)).map(({ method }) => method)
  if (methods.length === 0) throw new ServiceError(404, 'No such route')

  const allow = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ')
  throw new ServiceError(405, `${c.req.method} is not allowed here; permitted: ${allow}`, {
    headers: { allow },
  })
}
