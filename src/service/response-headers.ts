import { createMiddleware } from 'hono/factory'
import { formatDataVersion } from '#contract/upstream/data-version.ts'
import {
  DATA_HEADER,
  DATA_VERSION_HEADER,
  DATA_WINDOW_HEADER,
  EXTENSIONS_HEADER,
  OWN_SERVICE,
  RATE_HEADERS,
  SERVICE_HEADER,
  TRIAL_HEADER,
} from '#contract/upstream/headers.ts'
import { EXTENSION_NAMES } from '#contract/upstream/upstream-routes.ts'
import type { HeldData } from './data-version/data-version-queries.ts'
import { NO_RATE, type RateState } from './limits/rate-state.ts'
import type { ServiceEnvironment } from './service-environment.ts'

/** The headers that stand on every answer, whether it succeeded or not. */
export function setResponseHeaders(readHeldData: () => Promise<HeldData | null>) {
  return createMiddleware<ServiceEnvironment>(async (c, next) => {
    c.set('rate', NO_RATE)
    c.set('trialExpiresAt', null)
    c.set('dataWindow', null)
    // Before the answer: one that is newer than its version says is read once too often, and never once too seldom.
    const heldData = await readHeldData()
    c.set('heldData', heldData)
    await next()

    for (const [name, value] of Object.entries(rateHeaders(c.get('rate')))) c.header(name, value)
    const trialExpiresAt = c.get('trialExpiresAt')
    if (trialExpiresAt) c.header(TRIAL_HEADER, trialExpiresAt)
    c.header(SERVICE_HEADER, OWN_SERVICE)
    c.header(EXTENSIONS_HEADER, EXTENSION_NAMES.join(', '))
    if (heldData?.isDemo) c.header(DATA_HEADER, 'demo')
    // Numbers of records are not for those without a key.
    if (heldData && c.get('keyId') !== null)
      c.header(DATA_VERSION_HEADER, formatDataVersion(heldData.version))
    const dataWindow = c.get('dataWindow')
    if (dataWindow !== null) c.header(DATA_WINDOW_HEADER, String(dataWindow))
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
