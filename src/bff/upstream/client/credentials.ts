import { iso } from '#bff/time/iso-time.ts'
import type { Governor } from '#bff/upstream/quota/governor.ts'
import { REFUSED_KEY_STATE, type SetState, type Source } from '#contract/bff/source.ts'
import { ROUTE_SETS, type RouteSet } from '#contract/route-set.ts'
import type { ApiKey } from './api-key.ts'
import type { UpstreamRequest } from './exchange.ts'
import type { ClosedSets, KeyState, UpstreamRouteName } from './upstream.ts'
import type { UpstreamError } from './upstream-error.ts'
import { upstreamTarget } from './upstream-target.ts'

/** A route set is called with one key, whose calls its governor decides on. */
export type Credential = { key: ApiKey; governor: Governor }
export type Credentials = Readonly<Record<RouteSet, Credential | null>>

/** Returns the credential for a route beyond the reference, if the vendor has reported that it has it. */
export function findOffering(name: UpstreamRouteName, { v1, earlier }: Credentials): Credential | null {
  const offers = ({ isKeyRefused, known }: Governor) =>
    !isKeyRefused && (known.own?.extensions.includes(name) ?? false)
  return [v1, earlier].find((credential) => credential && offers(credential.governor)) ?? null
}

/** Does the same, even if only another process has received the report. */
export async function isOffered(name: UpstreamRouteName, credentials: Credentials): Promise<boolean> {
  if (credentials.earlier?.governor.plan === null) await credentials.earlier.governor.readState()
  return findOffering(name, credentials) !== null
}

/** Returns why sets cannot be called; sets that can are absent. */
export function closedSetsOf(credentials: Credentials): ClosedSets {
  return { v1: closureOf('v1', credentials), earlier: closureOf('earlier', credentials) }
}

function closureOf(set: RouteSet, credentials: Credentials): ClosedSets[RouteSet] {
  const credential = credentials[set]
  if (!credential) return 'key_missing'
  if (isKeyRefused(credential, credentials)) return 'key_refused'
  if (credential.governor.mayPermit) return undefined
  return credential.governor.isAbsent ? 'absent' : 'plan'
}

/**
 * Returns the earlier set's list if nothing of the set was ever answered and the requested route is absent: that can be
 * one route or record, or the whole set. Null if there is nothing to find out: the sync reads v1's list anyway.
 */
export function listAfterAbsence(
  { kind, set }: UpstreamError,
  { governor }: Credential,
): UpstreamRequest | null {
  const isAbsent = kind === 'route_absent' || kind === 'not_found'
  if (set !== 'earlier' || !isAbsent || governor.isPermitted) return null
  const params = { query: { limit: 1 } }
  return { name: 'listFeed', params, path: upstreamTarget('listFeed', params), body: null }
}

/** One key may serve both sets, and each governor learns of a refusal at its own time. */
function isKeyRefused({ key }: Credential, credentials: Credentials): boolean {
  return ROUTE_SETS.some((other) => {
    const credential = credentials[other]
    return credential?.governor.isKeyRefused && credential.key.authorization === key.authorization
  })
}

/** The one that was answered last: what the vendor holds may have changed since the other was. */
export function latestOf(governors: readonly Governor[]): Governor | undefined {
  const answeredAt = ({ known }: Governor) => known.answeredAtMs ?? 0
  return governors.toSorted((a, b) => answeredAt(b) - answeredAt(a))[0]
}

/** A route set without a key. */
export const NO_KEY = {
  status: 'unknown',
  reason: null,
  budgets: { minute: null, day: null },
  blockedUntil: null,
} as const satisfies SetState

export function keyStateOf(governor: Governor | undefined): KeyState {
  if (!governor) return { status: 'missing', refusal: null }
  const { keyRefusal, known } = governor
  if (keyRefusal === null) {
    return { status: known.answeredAtMs === null ? 'unknown' : 'valid', refusal: null }
  }
  const { refusedAtMs, retryAtMs, words } = keyRefusal
  const refusal = { at: iso(refusedAtMs), retryAt: iso(retryAtMs), words }
  return { status: 'refused', refusal }
}

/** Combines the states of all keys. */
export function worstKeyState(governors: readonly Governor[]): Source['key'] {
  if (governors.length === 0) return 'missing'
  if (governors.some(({ isKeyRefused }) => isKeyRefused)) return REFUSED_KEY_STATE
  return governors.some(({ known }) => known.answeredAtMs !== null) ? 'valid' : 'unknown'
}
