import type { Database } from '#database/database.ts'
import { type ClaimLink, readCaseIds } from './claim-queries.ts'
import { clusterClaims } from './cluster-claims.ts'
import { insertCases, writeClaims } from './settle-cases.ts'

/**
 * Gives claims that have never had a case the one that certain links lead to, or a new one. Nobody has decided on them, so
 * that no other claim of the case needs to be read, however many it has. Answers the claims that link several cases: these
 * are left to `settleCases`. Under the lock of cases.
 */
export async function joinNewClaims(
  tx: Database,
  ids: readonly string[],
  links: readonly ClaimLink[],
): Promise<string[]> {
  if (ids.length === 0) return []
  const certain = links.filter(({ certainty }) => certainty === 'certain')
  const isNew = new Set(ids)
  const near = certain.flatMap(({ one, other }) => [one, other]).filter((id) => !isNew.has(id))
  const caseIds = await readCaseIds(tx, [...new Set(near)])
  // One claim stands for all of its case.
  const firstOf = new Map<string, string>()
  for (const [id, caseId] of caseIds) if (!firstOf.has(caseId)) firstOf.set(caseId, id)
  const standIn = (id: string) => firstOf.get(caseIds.get(id) ?? '') ?? id
  const groups = clusterClaims(
    [...firstOf.values(), ...ids],
    certain.map(({ one, other }) => ({ one: standIn(one), other: standIn(other) })),
    [],
  ).map((group) => ({
    claims: group.filter((id) => isNew.has(id)),
    cases: group.flatMap((id) => caseIds.get(id) ?? []),
  }))

  const begun = groups.filter(({ cases }) => cases.length === 0)
  const newIds = await insertCases(tx, begun.length)
  const joined = [
    ...begun.map(({ claims }, at) => ({ claims, caseId: newIds[at] ?? '' })),
    ...groups.flatMap(({ claims, cases: [caseId, another] }) =>
      caseId === undefined || another !== undefined ? [] : { claims, caseId },
    ),
  ]
  await writeClaims(
    tx,
    joined.flatMap(({ claims, caseId }) =>
      claims.map((threatId) => ({ threatId, caseId, ownId: caseId, isCompared: true })),
    ),
  )
  return groups.flatMap(({ claims, cases }) => (cases.length > 1 ? claims : []))
}
