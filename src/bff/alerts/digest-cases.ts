import type { DigestCase, NotifiedThreat } from '#delivery/message.ts'

/**
 * Groups claims by case, as the feed does. A claim without a case is a case of its own. Claims are sorted by severity,
 * the most severe first, and so are the returned cases.
 */
export function groupByCase(
  claims: readonly NotifiedThreat[],
  caseIds: ReadonlyMap<string, string>,
): DigestCase[] {
  const grouped = Map.groupBy(claims, ({ id }) =>
    caseIds.has(id) ? `case ${caseIds.get(id)}` : `claim ${id}`,
  )
  return [...grouped.values()].flatMap((some) => {
    const [gravest] = some
    const [newest] = some.toSorted(byTime)
    if (!gravest || !newest) return []
    const concerns = newest.concerns ?? some.find((claim) => claim.concerns)?.concerns
    const news = newest.news ?? some.find((claim) => claim.news)?.news
    const change = newest.change ?? some.find((claim) => claim.change)?.change
    return {
      ...newest,
      severity: gravest.severity,
      caseId: caseIds.get(newest.id) ?? null,
      ...(concerns && { concerns }),
      ...(news && { news }),
      ...(change && { change }),
      claimCount: some.length,
    }
  })
}

/** Sorts the newest first, and threats without a time last. */
function byTime(one: NotifiedThreat, other: NotifiedThreat): number {
  const time = ({ publishedAt }: NotifiedThreat) => (publishedAt === null ? 0 : Date.parse(publishedAt))
  return time(other) - time(one)
}
