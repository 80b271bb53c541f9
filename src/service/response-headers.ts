import { createMiddleware } from 'hono/factory'
import { DATA_HEADER, RATE_HEADERS, TRIAL_HEADER } from '#contract/upstream/headers.ts'
import { NO_RATE } from './limits/rate-state.ts'
import type { ServiceEnvironment } from './service-environment.ts'

/** The headers that stand on every answer, whether it succeeded or not. */
export function setResponseHeaders(isDemo: () => Promise<boolean>) {
  return createMiddleware<ServiceEnvironment>(async (c, next) => {
    c.set('rate', NO_RATE)
    c.set('trialExpiresAt', null)
    await next()

    const { limit, remaining, resetsAt } = c.get('rate')
    c.header(RATE_HEADERS.limit, String(limit))
    c.header(RATE_HEADERS.remaining, String(remaining))
    c.header(RATE_HEADERS.reset, String(resetsAt))
    const trialExpiresAt = c.get('trialExpiresAt')
    if (trialExpiresAt) c.header(TRIAL_HEADER, trialExpiresAt)
    if (await isDemo()) c.header(DATA_HEADER, 'demo')
    c.header('x-content-type-options', 'nosniff')
    if (!c.res.headers.has('cache-control')) c.header('cache-control', 'no-store')
  })
}
