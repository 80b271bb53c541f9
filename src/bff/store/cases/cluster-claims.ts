/** Two claims by their ids. */
export type ClaimPair = { one: string; other: string }

/**
 * Groups claims that links connect, starting with the strongest link. A link is ignored if its group would contain two
 * claims that must stay apart. Groups and their claims keep the order of `ids`.
 */
export function clusterClaims(
  ids: readonly string[],
  links: readonly ClaimPair[],
  apart: readonly ClaimPair[],
): string[][] {
  const groupOf = new Map(ids.map((id) => [id, new Set([id])]))
  const opponents = new Map<string, Set<string>>()
  for (const { one, other } of apart) {
    opponents.set(one, (opponents.get(one) ?? new Set()).add(other))
    opponents.set(other, (opponents.get(other) ?? new Set()).add(one))
  }
  const mayJoin = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
    [...one].every((id) => opponents.get(id)?.isDisjointFrom(other) ?? true)

  for (const link of links) {
    const [one, other] = [groupOf.get(link.one), groupOf.get(link.other)]
    if (!one || !other || one === other || !mayJoin(one, other)) continue
    const [large, small] = one.size >= other.size ? [one, other] : [other, one]
    for (const id of small) {
      large.add(id)
      groupOf.set(id, large)
    }
  }
  const groups = Map.groupBy(ids, (id) => groupOf.get(id))
  return [...groups.values()]
}
