import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { DAY_MS } from '#contract/duration.ts'
import type { RouteSet } from '#contract/route-set.ts'
import { ServiceError } from '#service/errors/service-error.ts'
import { countRequest } from '#service/limits/count-request.ts'
import { EARLIER_PLANS, PLAN_NEEDED, type Plan, V1_PLANS } from '#service/plans/plan.ts'
import type { ServiceDependencies, ServiceEnvironment } from '#service/service-environment.ts'
import { findKey, type ValidKey } from './find-key.ts'
import { hashToken, isToken } from './key-token.ts'

const BEARER = /^Bearer +(?<token>\S+)$/i

/** Lets a request through when its key is valid, whatever its plan is, and counts nothing. */
export function requireKey(dependencies: ServiceDependencies) {
  return createMiddleware<ServiceEnvironment>(async (c, next) => {
    await identifyKey(c, dependencies)
    await next()
  })
}

/** Lets a request through when its key's plan has the earlier route set, and counts nothing. */
export function requireAccount(dependencies: ServiceDependencies) {
  return createMiddleware<ServiceEnvironment>(async (c, next) => {
    grantAccess(c, await identifyKey(c, dependencies), 'earlier')
    await next()
  })
}

/** Lets a request through when its key is valid, its limits are not used up and its plan has the route set. */
export function authenticate(dependencies: ServiceDependencies) {
  const { database } = dependencies
  return createMiddleware<ServiceEnvironment>(async (c, next) => {
    const key = await identifyKey(c, dependencies)
    const set = routeSetOf(c.req.path)
    const plan = planOf(key, set)
    const rate = await countRequest(database, { keyId: key.id, set, plan, now: key.now })
    c.set('rate', rate)
    if (rate.retryAfterS !== null) throw rateLimitExceeded(set, rate.retryAfterS)
    grantAccess(c, key, set)
    await next()
  })
}

function grantAccess(c: Context<ServiceEnvironment>, key: ValidKey, set: RouteSet): void {
  const plan = planOf(key, set)
  if (!plan.hasData) throw new ServiceError(403, PLAN_NEEDED[set])

  c.set('dataWindow', plan.windowDays ?? 'all')
  c.set('access', {
    accountId: key.accountId,
    keyId: key.id,
    set,
    now: key.now,
    since: windowStart(key.now, plan.windowDays),
    isRedacted: plan.isRedacted,
    maxLimit: plan.maxLimit,
  })
}

async function identifyKey(
  c: Context<ServiceEnvironment>,
  { database, now }: ServiceDependencies,
): Promise<ValidKey> {
  const token = BEARER.exec(c.req.header('authorization') ?? '')?.groups?.token ?? ''
  const key = isToken(token) ? await findKey(database, hashToken(token), now?.() ?? null) : null
  if (!key) {
    // Unknown, expired, revoked and replaced keys get one answer, so that nobody learns that a key once worked.
    throw new ServiceError(401, 'Missing, invalid or expired API key', {
      headers: { 'www-authenticate': 'Bearer' },
    })
  }
  c.set('keyId', key.id)
  c.set('trialExpiresAt', key.trialExpiresAt)
  return key
}

function routeSetOf(path: string): RouteSet {
  return path === '/api/v1' || path.startsWith('/api/v1/') ? 'v1' : 'earlier'
}

function planOf(key: ValidKey, set: RouteSet): Plan {
  if (set === 'v1') return V1_PLANS[key.v1Plan]
  const plan = EARLIER_PLANS[key.earlierPlan]
  return { ...plan, perMinute: key.earlierRequestsPerMinute ?? plan.perMinute }
}

function windowStart(now: string, days: number | null): string | null {
  return days === null ? null : new Date(Date.parse(now) - days * DAY_MS).toISOString()
}

function rateLimitExceeded(set: RouteSet, seconds: number): ServiceError {
  const wait = seconds === 1 ? '1 second' : `${seconds} seconds`
  return new ServiceError(429, `Rate limit exceeded. Try again in ${wait}.`, {
    headers: { 'retry-after': String(seconds) },
    extra: set === 'v1' ? { retry_after: seconds } : {},
  })
}
