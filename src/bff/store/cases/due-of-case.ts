import type { DueTimes } from '#contract/bff/due-time.ts'
import type { Due } from '#contract/bff/triage-state.ts'
import { HOUR_MS } from '#contract/duration.ts'
import { SEVERITIES, type Severity } from '#contract/severity.ts'

/** A claim that became known while Lantern ran. `levels` holds all severities that it has had since, as bits. */
export type KnownClaim = { knownAtMs: number; levels: number }

/** The bit of a severity in `levels`: 1 for low, 8 for critical. */
export function levelBit(severity: Severity): number {
  return 1 << (SEVERITIES.length - 1 - SEVERITIES.indexOf(severity))
}

type ShortestTime = Pick<Due, 'severity' | 'hours'>
/**
 * For each combination of severities, at the index of its bits: the shortest due time. Null if cases of these
 * severities are never due.
 */
export type DueRule = readonly (ShortestTime | null)[]

/** All combinations are computed beforehand, because each answer about overdue cases looks at all cases. */
export function toDueRule(times: DueTimes): DueRule {
  return Array.from({ length: 1 << SEVERITIES.length }, (_, levels) => findShortest(levels, times))
}

function findShortest(levels: number, times: DueTimes): ShortestTime | null {
  const given = SEVERITIES.flatMap((severity) => {
    const hours = times[severity]
    return hours !== null && (levels & levelBit(severity)) !== 0 ? { severity, hours } : []
  })
  return given.toSorted((one, other) => one.hours - other.hours)[0] ?? null
}

type DueOfClaim = ShortestTime & { atMs: number; knownAtMs: number }

/**
 * Returns when an open claim is due: the shortest time of its severities after it became known. A lowered severity
 * still counts, so that only a person can postpone the due time. Null if the claim is never due.
 */
export function dueOfClaim({ knownAtMs, levels }: KnownClaim, rule: DueRule): DueOfClaim | null {
  const shortest = rule[levels]
  if (!shortest) return null
  return { ...shortest, knownAtMs, atMs: knownAtMs + shortest.hours * HOUR_MS }
}

/** Returns the due time of the first open claim. Null if the case is never due. */
export function dueOfCase(openClaims: Iterable<KnownClaim>, rule: DueRule): DueOfClaim | null {
  let first: DueOfClaim | null = null
  for (const claim of openClaims) {
    const due = dueOfClaim(claim, rule)
    if (due && (!first || due.atMs < first.atMs)) first = due
  }
  return first
}
