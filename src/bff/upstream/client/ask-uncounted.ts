import type { Pool } from 'undici'
import type { Clock } from '#bff/time/clock.ts'
import { type Credentials, findOffering } from './credentials.ts'
import { type Exchange, exchange } from './exchange.ts'
import { send } from './transport.ts'
import type { UpstreamParams, UpstreamRouteName } from './upstream.ts'
import { UpstreamError } from './upstream-error.ts'
import { upstreamBody, upstreamTarget } from './upstream-target.ts'

type Options = { pool: Pool; credentials: Credentials; clock: Clock; totalMs: number }

/** Makes a call that our own service does not count, without the governor. */
export async function askUncounted(
  name: UpstreamRouteName,
  params: UpstreamParams,
  { pool, credentials, clock, totalMs }: Options,
): Promise<Pick<Exchange, 'answer' | 'facts'>> {
  const credential = findOffering(name, credentials)
  if (!credential) {
    const error = new UpstreamError({ set: 'earlier', kind: 'route_absent', reason: 'not offered' })
    return { answer: { error }, facts: null }
  }
  const request = { name, params, path: upstreamTarget(name, params), body: upstreamBody(name, params) }
  const signal = AbortSignal.timeout(totalMs)
  return exchange(request, { key: credential.key, clock, send: (sent) => send(pool, { ...sent, signal }) })
}
