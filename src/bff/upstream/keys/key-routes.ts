import * as z from 'zod/mini'
import { auditFacts } from '#bff/accounts/audit/record-audit.ts'
import { type BffRoute, defineRoute } from '#bff/http/route.ts'
import type { Upstream } from '#bff/upstream/client/upstream-client.ts'
import { type Keys, newKeySchema } from '#contract/bff/key.ts'
import { routeSetSchema } from '#contract/route-set.ts'
import { createKeyChanges, type KeyChangeOptions } from './key-changes.ts'

export type KeyRouteOptions = KeyChangeOptions & {
  kind: Keys['kind']
  /** The keys in use. */
  upstream: Pick<Upstream, 'state' | 'keyStates'>
}

const ADMINS = { access: 'admin', cache: 'none' } as const
const SET = z.object({ set: routeSetSchema })

/** The vendor's keys: their state is read, they are written, and never read back. */
export function keyRoutes({ kind, upstream, ...options }: KeyRouteOptions): BffRoute[] {
  const { keyStore, trial } = options
  const changes = createKeyChanges(options)

  async function describe(): Promise<Keys> {
    const { sets, trialExpiresAt } = await upstream.state()
    const keys = upstream.keyStates()
    const origins = keyStore.describe()
    return {
      kind,
      origin: new URL(trial.url).origin,
      keys: {
        v1: { set: 'v1', ...origins.v1, ...keys.v1, state: sets.v1 },
        earlier: { set: 'earlier', ...origins.earlier, ...keys.earlier, state: sets.earlier },
      },
      trialExpiresAt,
    }
  }

  return [
    defineRoute({
      method: 'GET',
      path: '/bff/keys',
      ...ADMINS,
      answer: async () => ({ json: await describe() }),
    }),
    defineRoute({
      method: 'PUT',
      path: '/bff/keys/:set',
      ...ADMINS,
      needsFreshProof: true,
      params: SET,
      body: newKeySchema,
      // The plan may lack one of the sets.
      async answer({ params: { set }, body: { key }, session, request }) {
        const facts = auditFacts('PUT /bff/keys/:set', { session, request })
        await changes.replace(set, key, session, facts)
        // Before this process gets the notice like all others.
        await keyStore.reload()
        return { json: await describe() }
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/bff/keys/:set',
      ...ADMINS,
      needsFreshProof: true,
      params: SET,
      async answer({ params: { set }, session, request }) {
        await changes.remove(set, session, auditFacts('DELETE /bff/keys/:set', { session, request }))
        await keyStore.reload()
        return { json: await describe() }
      },
    }),
  ]
}
