import { setImmediate } from 'node:timers/promises'
import type { Database } from '#database/database.ts'
import { compareClaims } from '#matcher/cases/compare-claims.ts'
import { type ClaimIds, type ClaimLink, readClaims, type StoredClaim } from './claim-queries.ts'

/** Claims, or pairs of them, that are compared before others are answered. */
const SLICE_COUNT = 100
/**
 * Certain links of a claim to earlier ones, the nearest: they connect a case as well as all of them, of which a victim that
 * is claimed thousands of times would have many for each claim.
 */
const CERTAIN_MAX_COUNT = 10

/**
 * Compares pairs, of which `ids` are the claims that are placed now. Claims that are read for it are added to `cached`.
 */
export async function findLinks(
  tx: Database,
  ids: readonly string[],
  pairs: readonly ClaimIds[],
  cached: Map<string, StoredClaim>,
): Promise<ClaimLink[]> {
  const missing = new Set(pairs.flatMap(({ one, other }) => [one, other]).filter((id) => !cached.has(id)))
  for (const claim of await readClaims(tx, [...missing])) cached.set(claim.id, claim)
  const placed = new Set(ids)
  const links: ClaimLink[] = []
  const certain = new Map<string, { earlier: StoredClaim; link: ClaimLink }[]>()
  for await (const some of inSlices(pairs)) {
    for (const { one, other } of some) {
      const [claim, near] = [cached.get(one), cached.get(other)]
      const join = claim && near ? compareClaims(claim, near) : null
      if (!claim || !near || !join) continue
      const link = { one, other, ...join, text: storable(join.text) }
      const [earlier, later] = compareByPlace(claim, near) < 0 ? [claim, near] : [near, claim]
      // A later claim that was placed before may have no nearer one.
      if (join.certainty === 'likely' || !placed.has(later.id)) links.push(link)
      else certain.set(later.id, [...(certain.get(later.id) ?? []), { earlier, link }])
    }
  }
  for (const linked of certain.values()) {
    const nearest = linked.toSorted((one, other) => compareByPlace(other.earlier, one.earlier))
    links.push(...nearest.slice(0, CERTAIN_MAX_COUNT).map(({ link }) => link))
  }
  return links
}

/** Orders claims as the database does, oldest first. */
export function compareByPlace(one: StoredClaim, other: StoredClaim): number {
  if (one.sortedAt !== other.sortedAt) return one.sortedAt < other.sortedAt ? -1 : 1
  return one.id < other.id ? -1 : 1
}

/** A vendor's text may hold what no database does. */
export function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '')
}

/** Lets others be answered between slices. */
export async function* inSlices<T>(items: readonly T[]): AsyncGenerator<readonly T[]> {
  for (let from = 0; from < items.length; from += SLICE_COUNT) {
    if (from > 0) await setImmediate()
    yield items.slice(from, from + SLICE_COUNT)
  }
}
