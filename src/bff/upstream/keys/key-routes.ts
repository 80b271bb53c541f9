import * as z from 'zod/mini'
import { auditFacts, recordAudit } from '#bff/accounts/audit/record-audit.ts'
import { type ChangeContext, makeChange } from '#bff/accounts/make-change.ts'
import { ProblemError } from '#bff/http/problem-error.ts'
import { type BffRoute, defineRoute } from '#bff/http/route.ts'
import type { Upstream } from '#bff/upstream/client/upstream-client.ts'
import { type Keys, newKeySchema } from '#contract/bff/key.ts'
import { type RouteSet, routeSetSchema } from '#contract/route-set.ts'
import { seal } from '#server/seal.ts'
import { deleteStoredKey, writeStoredKey } from './key-queries.ts'
import { type KeyStore, lastFourOf, placeOf } from './key-store.ts'
import { type TryOptions, tryKey } from './try-key.ts'

export type KeyRouteOptions = {
  keyStore: KeyStore
  secret: string
  /** A key is tried with these before it replaces another. */
  trial: TryOptions
  kind: Keys['kind']
  /** The keys in use. */
  upstream: Upstream
}

const ADMINS = { access: 'admin', cache: 'none' } as const
const SET = z.object({ set: routeSetSchema })
const NAMES: Readonly<Record<RouteSet, string>> = { v1: 'API key', earlier: 'API key of the earlier set' }

/** The vendor's keys: their state is read, they are written, and never read back. */
export function keyRoutes(options: KeyRouteOptions): BffRoute[] {
  const { kind, upstream, keyStore, trial } = options
  const { database } = trial
  const { origin } = new URL(trial.url)

  async function describe(): Promise<Keys> {
    const { sets, trialExpiresAt } = await upstream.state()
    const keys = upstream.keyStates()
    const origins = keyStore.describe()
    return {
      kind,
      origin,
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
      async answer({ params: { set }, body: { key }, ...context }) {
        await replaceKey(options, context, set, key)
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
      async answer({ params: { set }, ...context }) {
        // The key from the settings is used again.
        await makeChange(database, context, 'admin', async (tx, record) => {
          const before = { lastFour: keyStore.describe()[set].lastFour }
          if (!(await deleteStoredKey(tx, { origin, set }))) {
            throw new ProblemError({ code: 'not_found', detail: 'No key was set here.' })
          }
          await record({ action: 'key-removed', object: set, objectName: NAMES[set], before })
        })
        await keyStore.reload()
        return { json: await describe() }
      },
    }),
  ]
}

/** Replaces a key, unless the source refuses the new one. */
async function replaceKey(
  { keyStore, secret, trial }: KeyRouteOptions,
  context: ChangeContext,
  set: RouteSet,
  token: string,
): Promise<void> {
  const { database, url } = trial
  const { session } = context
  const { origin } = new URL(url)
  const lastFour = lastFourOf(token)
  const event = {
    object: set,
    objectName: NAMES[set],
    before: { lastFour: keyStore.describe()[set].lastFour },
  }
  const caller = { priority: 'person', who: session.user.id, session: session.id } as const
  // The plan may lack one of the sets.
  const reason = await tryKey(token, keyStore.setsOf(set), caller, trial)
  if (reason !== null) {
    const after = { lastFour, reason }
    await recordAudit(database, { ...auditFacts(context), ...event, action: 'key-refused', after })
    throw new ProblemError({
      code: 'bad_request',
      title: 'The key was not replaced',
      detail: reason,
      fields: [{ name: 'key', reason }],
    })
  }
  const sealed = seal(token, placeOf({ origin, set }), secret)
  await makeChange(database, context, 'admin', async (tx, record) => {
    await writeStoredKey(tx, { origin, set }, { sealed, lastFour, setBy: session.user.id })
    await record({ ...event, action: 'key-replaced', after: { lastFour } })
  })
}
