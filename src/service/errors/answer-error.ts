import type { Context } from 'hono'
import * as z from 'zod/mini'
import type { ServiceEnvironment } from '#service/service-environment.ts'
import type { ServiceLog } from '#service/service-log.ts'
import { ServiceError } from './service-error.ts'

const CAUSES_MAX_DEPTH = 4

const codeSchema = z.object({ code: z.string() })
/** Out of time, of space, of connections, or shutting down: a later try may well succeed. */
const BUSY_CODE = /^(?:57014|57P0\d|53\d{3}|08\w{3}|25P0[34]|E(?:CONNREFUSED|CONNRESET|PIPE|TIMEDOUT))$/
/** Failures of the pool, which carry no code. */
const BUSY_MESSAGE = /timeout exceeded when trying to connect|connection terminated/i

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
  log('error', { requestId, error: describe(error) })
  if (!isBusy(error)) return new ServiceError(500, 'Internal server error')
  return new ServiceError(503, 'The service is busy. Try again shortly.', { headers: { 'retry-after': '1' } })
}

function isBusy(error: Error): boolean {
  const code = codeSchema.safeParse(error).data?.code
  return code === undefined ? BUSY_MESSAGE.test(error.message) : BUSY_CODE.test(code)
}

function describe(error: unknown, depth = 0): string {
  if (!(error instanceof Error)) return String(error)
  const own = error.stack ?? `${error.name}: ${error.message}`
  if (error.cause === undefined || depth === CAUSES_MAX_DEPTH) return own
  return `${own}\ncaused by ${describe(error.cause, depth + 1)}`
}
