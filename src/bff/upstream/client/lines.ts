import type { Governor } from '#bff/upstream/quota/governor.ts'
import { ROUTE_SETS, type RouteSet } from '#contract/route-set.ts'
import type { ApiKey } from './api-key.ts'
import type { UpstreamRequest } from './exchange.ts'
import type { UpstreamError } from './upstream-error.ts'
import { type UpstreamRouteName, upstreamTarget } from './upstream-target.ts'

/** A route set is called with one key and its governor. */
export type Line = { key: ApiKey; governor: Governor }
export type Lines = Readonly<Record<RouteSet, Line | null>>

/** Route sets that cannot be called, and why. */
export type ClosedSets = Partial<Record<RouteSet, 'plan' | 'absent' | 'key_refused' | 'key_missing'>>

/** Returns the credential for a route beyond the reference, if the source has reported that it has it. */
export function findOffering(name: UpstreamRouteName, { v1, earlier }: Lines): Line | null {
  const offers = ({ isKeyRefused, known }: Governor) =>
    !isKeyRefused && (known.own?.extensions.includes(name) ?? false)
  return [v1, earlier].find((line) => line && offers(line.governor)) ?? null
}

/** Does the same, even if only another process has received the report. */
export async function isOffered(name: UpstreamRouteName, lines: Lines): Promise<boolean> {
  if (lines.earlier?.governor.plan === null) await lines.earlier.governor.readState()
  return findOffering(name, lines) !== null
}

/** Returns why sets cannot be called; sets that can are absent. */
export function closedSetsOf(lines: Lines): ClosedSets {
  return { v1: closureOf('v1', lines), earlier: closureOf('earlier', lines) }
}

function closureOf(set: RouteSet, lines: Lines): ClosedSets[RouteSet] {
  const line = lines[set]
  if (!line) return 'key_missing'
  if (isKeyRefused(line, lines)) return 'key_refused'
  if (line.governor.mayPermit) return undefined
  return line.governor.isAbsent ? 'absent' : 'plan'
}

/**
 * Returns the earlier set's list if nothing of the set was ever answered and the requested route is absent: that can be
 * one route or record, or the whole set. Null if there is nothing to find out: the sync reads v1's list anyway.
 */
export function listAfterAbsence(
  { kind, set }: Pick<UpstreamError, 'kind' | 'set'>,
  { governor }: Line,
): UpstreamRequest | null {
  const isAbsent = kind === 'route_absent' || kind === 'not_found'
  if (set !== 'earlier' || !isAbsent || governor.isPermitted) return null
  const params = { query: { limit: 1 } }
  return { name: 'listFeed', params, path: upstreamTarget('listFeed', params), body: null }
}

/** One key may serve both sets, and each governor learns of a refusal at its own time. */
function isKeyRefused({ key }: Line, lines: Lines): boolean {
  return ROUTE_SETS.some((other) => {
    const line = lines[other]
    return line?.governor.isKeyRefused && line.key.authorization === key.authorization
  })
}

/** The one that was answered last: what the source holds may have changed since the other was. */
export function latestOf(governors: readonly Governor[]): Governor | undefined {
  const answeredAt = ({ known }: Governor) => known.answeredAtMs ?? 0
  return governors.toSorted((a, b) => answeredAt(b) - answeredAt(a))[0]
}
