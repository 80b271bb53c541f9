import type { DueTimes } from '#contract/bff/due-time.ts'
import type { Due } from '#contract/bff/triage-state.ts'
import { HOUR_MS } from '#contract/duration.ts'
import { SEVERITIES, type Severity } from '#contract/severity.ts'

/** A claim that became known while Lantern ran: when, and the severities that it has had since, as bits. */
export type KnownClaim = { knownAtMs: number; levels: number }

/** The bit of a severity in `levels`: 1 for low, 8 for critical. */
export function levelBit(severity: Severity): number {
  return 1 << (SEVERITIES.length - 1 - SEVERITIES.indexOf(severity))
}

/**
 * The only rule of when a case is due: after the first of its open claims became known, by the shortest time of their
 * severities. A severity that has fallen still counts, so that nothing but a person makes it later. Null for never.
 */
export function dueOfCase(
  openClaims: readonly KnownClaim[],
  times: DueTimes,
): (Pick<Due, 'severity' | 'hours'> & { atMs: number; knownAtMs: number }) | null {
  if (openClaims.length === 0) return null
  let levels = 0
  let knownAtMs = Number.POSITIVE_INFINITY
  for (const claim of openClaims) {
    levels |= claim.levels
    knownAtMs = Math.min(knownAtMs, claim.knownAtMs)
  }
  const [shortest] = SEVERITIES.flatMap((severity) => {
    const hours = times[severity]
    return hours !== null && (levels & levelBit(severity)) !== 0 ? { severity, hours } : []
  }).toSorted((one, other) => one.hours - other.hours)
  return shortest ? { ...shortest, knownAtMs, atMs: knownAtMs + shortest.hours * HOUR_MS } : null
}
