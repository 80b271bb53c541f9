import { badRequest, notFound } from '#bff/http/problem-error.ts'
import { type DecidedPair, readApart, readClaimIds } from '#bff/store/cases/decision-queries.ts'
import { JOIN_CASES_MAX_COUNT, JOIN_CLAIMS_MAX_COUNT } from '#contract/bff/case.ts'
import type { Database } from '#database/database.ts'

/** Returns the claims of a threat's case, oldest first. Throws if the threat has no case yet. */
export async function requireCase(tx: Database, threatId: string): Promise<string[]> {
  const ids = await readClaimIds(tx, threatId)
  if (!ids.includes(threatId))
    throw notFound(
      'Lantern has not stored this threat, or has not compared it with others yet. Try again in a few seconds.',
    )
  return ids
}

/** Throws if so many cases, or so many claims, are not joined at once. */
export function requireJoinable(caseCount: number, claimCount: number): void {
  if (caseCount <= JOIN_CASES_MAX_COUNT && claimCount <= JOIN_CLAIMS_MAX_COUNT) return
  throw badRequest(
    `The selection has ${caseCount} cases with ${claimCount} claims. Join at most ${JOIN_CASES_MAX_COUNT} cases with ${JOIN_CLAIMS_MAX_COUNT} claims. Nothing was changed.`,
    'Too many cases to join at once',
  )
}

/**
 * Decides that the cases of some threats are one victim. Decisions of before that kept claims of them apart end with it.
 * Within the lock of cases.
 */
export async function pairsToJoin(
  tx: Database,
  threatIds: readonly string[],
  /** Throws at once if there are too many. */
  check: (caseCount: number, claimCount: number) => void = () => {},
): Promise<DecidedPair[]> {
  /** The first named claim of each case, and the case's claims. */
  const cases: { named: string; ids: string[] }[] = []
  for (const named of threatIds) {
    if (cases.some(({ ids }) => ids.includes(named))) continue
    cases.push({ named, ids: await requireCase(tx, named) })
    // More of them are not read: a request can name hundreds.
    check(
      cases.length,
      cases.reduce((sum, { ids }) => sum + ids.length, 0),
    )
  }
  const [first, ...others] = cases
  if (!first) return []
  const all = cases.flatMap(({ ids }) => ids)
  const caseOf = new Map(cases.flatMap(({ named, ids }) => ids.map((id) => [id, named])))
  const same = others.map(({ named }): DecidedPair => ({ one: first.named, other: named, decision: 'same' }))
  const isSame = (one: string, other: string) =>
    same.some((pair) => [one, other].includes(pair.one) && [one, other].includes(pair.other))
  const ended = (await readApart(tx, all, all))
    .filter(({ one, other }) => caseOf.get(one) !== caseOf.get(other) && !isSame(one, other))
    .map((pair): DecidedPair => ({ ...pair, decision: null }))
  return [...ended, ...same]
}
