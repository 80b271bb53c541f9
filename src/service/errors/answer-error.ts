import type { Context } from 'hono'
import * as z from 'zod/mini'
import { UPSTREAM_ROUTES } from '#contract/upstream/upstream-routes.ts'
import { isDatabaseAway, isStatementTooSlow } from '#database/is-database-away.ts'
import { describeError } from '#server/describe-error.ts'
import type { ServiceEnvironment } from '#service/service-environment.ts'
import type { ServiceLog } from '#service/service-log.ts'
import { ServiceError } from './service-error.ts'

const codeSchema = z.object({ code: z.string() })
/** Out of space, or of patience with an idle transaction: a later try may well succeed. */
const BUSY_CODE = /^(?:53\d{3}|25P0[34])$/

/** The one place that makes error bodies: `{ error }`, and nothing of what went wrong inside. */
export function answerError(error: Error, c: Context<ServiceEnvironment>, log: ServiceLog): Response {
  const serviceError = error instanceof ServiceError ? error : toServiceError(error, c.get('requestId'), log)
  return c.json(
    { error: serviceError.message, ...serviceError.extra },
    serviceError.status,
    serviceError.headers,
  )
}

function toServiceError(error: Error, requestId: string, log: ServiceLog): ServiceError {
  log('error', { requestId, error: describeError(error) })
  if (!isBusy(error)) return new ServiceError(500, 'Internal server error')
  return new ServiceError(503, 'The service is busy. Try again shortly.', { headers: { 'retry-after': '1' } })
}

function isBusy(error: Error): boolean {
  if (isDatabaseAway(error) || isStatementTooSlow(error)) return true
  return BUSY_CODE.test(codeSchema.safeParse(error).data?.code ?? '')
}

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
