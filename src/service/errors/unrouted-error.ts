import type { Context } from 'hono'
import { UPSTREAM_ROUTES } from '#contract/upstream/upstream-routes.ts'
import { ServiceError } from './service-error.ts'

const ROUTES = Object.values(UPSTREAM_ROUTES).map(({ method, path }) => ({
  method,
  pattern: new RegExp(`^${path.replace(/\{[a-z-]+\}/g, '[^/]+')}$`),
}))

/** The error of a request that no route took: that the path has other methods, or that there is no such path. */
export function unroutedError(c: Context): ServiceError {
  const methods = ROUTES.filter(({ pattern }) => pattern.test(c.req.path)).map(({ method }) => method)
  if (methods.length === 0) return new ServiceError(404, 'No such route')

  const allow = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ')
  return new ServiceError(405, `${c.req.method} is not allowed here; permitted: ${allow}`, {
    headers: { allow },
  })
}
