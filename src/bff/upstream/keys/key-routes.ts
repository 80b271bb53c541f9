import * as z from 'zod/mini'
import { auditFacts, recordAudit } from '#bff/accounts/audit/record-audit.ts'
import { type ChangeContext, defineChange, makeChange } from '#bff/accounts/make-change.ts'
import { notFound, ProblemError } from '#bff/http/problem-error.ts'
import { type BffRoute, defineRoute } from '#bff/http/route.ts'
import { ApiKey } from '#bff/upstream/client/api-key.ts'
import type { Caller } from '#bff/upstream/client/caller.ts'
import { toProblem } from '#bff/upstream/client/to-problem.ts'
import type { Upstream } from '#bff/upstream/client/upstream.ts'
import { createUpstream, type UpstreamOptions } from '#bff/upstream/client/upstream-client.ts'
import { UpstreamError } from '#bff/upstream/client/upstream-error.ts'
import { endForbidden } from '#bff/upstream/quota/budget-queries.ts'
import { hastenRetry } from '#bff/upstream/quota/refused-key-queries.ts'
import { type Keys, newKeySchema } from '#contract/bff/key.ts'
import { type RouteSet, routeSetSchema } from '#contract/route-set.ts'
import { seal } from '#server/seal.ts'
import { deleteStoredKey, writeStoredKey } from './key-queries.ts'
import { type KeyStore, lastFourOf, placeOf } from './key-store.ts'

export type KeyRouteOptions = {
  keyStore: KeyStore
  secret: string
  /** A key is tried with these before it replaces another. */
  trial: TryOptions
  kind: Keys['kind']
  /** The keys in use. */
  upstream: Upstream
}

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

  /** This process uses the keys before it gets the notice like all others. */
  async function reload() {
    await keyStore.reload()
    return describe()
  }

  return [
    defineRoute('GET /bff/keys', {
      access: 'admin',
      answer: async () => ({ json: await describe() }),
    }),
    defineRoute('PUT /bff/keys/:set', {
      access: 'admin',
      needsFreshProof: true,
      params: SET,
      body: newKeySchema,
      async answer({ params: { set }, body: { key }, ...context }) {
        await replaceKey(options, context, set, key)
        return { json: await reload() }
      },
    }),
    defineChange(database, 'DELETE /bff/keys/:set', {
      access: 'admin',
      needsFreshProof: true,
      params: SET,
      committed: reload,
      // The key from the settings is used again.
      async change({ params: { set } }, tx, record) {
        const before = { lastFour: keyStore.describe()[set].lastFour }
        if (!(await deleteStoredKey(tx, { origin, set }))) throw notFound('No key was set here.')
        await record({ action: 'key-removed', object: set, objectName: NAMES[set], before })
      },
    }),
  ]
}

/** Replaces a key, unless the vendor refuses the new one. */
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
  const refusal = await tryKey(token, keyStore.setsOf(set), caller, trial)
  if (refusal !== null) {
    const { reason, words } = refusal
    const after = { lastFour, reason }
    await recordAudit(database, { ...auditFacts(context), ...event, action: 'key-refused', after })
    throw new ProblemError({
      code: 'bad_request',
      title: 'The key was not replaced',
      detail: reason,
      fields: [{ name: 'key', reason, ...(words !== null && { words }) }],
    })
  }
  const sealed = seal(token, placeOf({ origin, set }), secret)
  await makeChange(database, context, 'admin', async (tx, record) => {
    await writeStoredKey(tx, { origin, set }, { sealed, lastFour, setBy: session.user.id })
    await record({ ...event, action: 'key-replaced', after: { lastFour } })
  })
}

const CHEAPEST = { v1: 'listThreats', earlier: 'listFeed' } as const

export type TryOptions = Omit<UpstreamOptions, 'keys' | 'generation'>

/** Why a key is not used: a sentence for an admin, and the vendor's own words, which are third-party text. */
type KeyRefusal = { reason: string; words: string | null }

/**
 * Reads one record from the vendor with a key. Null when one of the sets answers it, or else why not. Throws a problem
 * when nothing can be found out.
 */
async function tryKey(
  token: string,
  sets: readonly RouteSet[],
  caller: Caller,
  options: TryOptions,
): Promise<KeyRefusal | null> {
  const { url, database, clock } = options
  const keyFingerprint = new ApiKey(token).fingerprintAt(new URL(url).origin)
  // The vendor may permit by now what it refused minutes ago.
  await hastenRetry(database, keyFingerprint, clock.nowMs())
  await endForbidden(database, keyFingerprint, clock.nowMs())
  const upstream = createUpstream({ ...options, keys: () => ({ apiKey: token }) })
  try {
    let refusal: KeyRefusal | null = null
    for (const set of sets) {
      refusal = await trySet(upstream, set, caller)
      // Another set is worth a call only where this one alone may be lacking.
      if (refusal?.reason !== PLAN_LACKS && refusal?.reason !== SOURCE_LACKS) return refusal
    }
    return refusal
  } finally {
    await upstream.close()
  }
}

const KEY_REFUSED = 'The vendor refuses this key: it is wrong, expired or revoked. Nothing was changed.'

const PLAN_LACKS =
  'The vendor knows this key, but its plan does not include what it would be used for. Nothing was changed.'

const SOURCE_LACKS =
  'The address of the vendor has no such API, so the key could not be tried. Nothing was changed.'

const TRIAL_REJECTED =
  'The vendor refused the request by which Lantern tried this key. Look whether the key is complete. Nothing was changed.'

async function trySet(upstream: Upstream, set: RouteSet, caller: Caller): Promise<KeyRefusal | null> {
  try {
    await upstream.call(CHEAPEST[set], { query: { limit: 1 } }, caller)
    return null
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    const { words } = error
    switch (error.kind) {
      case 'key_refused':
        return { reason: KEY_REFUSED, words }
      case 'set_absent':
        return { reason: SOURCE_LACKS, words }
      case 'set_forbidden':
      case 'forbidden':
        return { reason: PLAN_LACKS, words }
      case 'rejected':
        return { reason: TRIAL_REJECTED, words }
      default:
        throw toProblem(error)
    }
  }
}
