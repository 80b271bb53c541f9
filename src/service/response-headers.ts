import { createMiddleware } from 'hono/factory'
import {
  DATA_HEADER,
  OWN_SERVICE,
  RATE_HEADERS,
  SERVICE_HEADER,
  TRIAL_HEADER,
} from '#contract/upstream/headers.ts'
import { NO_RATE, type RateState } from './limits/rate-state.ts'
import type { ServiceEnvironment } from './service-environment.ts'

/** The headers that stand on every answer, whether it succeeded or not. */
export function setResponseHeaders(isDemo: () => Promise<boolean>) {
  return createMiddleware<ServiceEnvironment>(async (c, next) => {
    c.set('rate', NO_RATE)
    c.set('trialExpiresAt', null)
    await next()

    for (const [name, value] of Object.entries(rateHeaders(c.get('rate')))) c.header(name, value)
    const trialExpiresAt = c.get('trialExpiresAt')
    if (trialExpiresAt) c.header(TRIAL_HEADER, trialExpiresAt)
    c.header(SERVICE_HEADER, OWN_SERVICE)
    if (await isDemo()) c.header(DATA_HEADER, 'demo')
    c.header('x-content-type-options', 'nosniff')
    if (!c.res.headers.has('cache-control')) c.header('cache-control', 'no-store')
  })
}

export function rateHeaders({ limit, remaining, resetsAt }: RateState): Record<string, string> {
  return {
    [RATE_HEADERS.limit]: String(limit),
    [RATE_HEADERS.remaining]: String(remaining),
    [RATE_HEADERS.reset]: String(resetsAt),
  }
}
