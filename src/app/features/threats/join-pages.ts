import type { Threat } from '#contract/bff/threat.ts'
import type { ListedThreat, ThreatList } from '#contract/bff/threat-list.ts'

/** The rows of all pages, each threat once, where it came last: between two requests records arrive, and some change their places. */
export function joinPages(pages: readonly ThreatList[]): ListedThreat[] {
  const byId = new Map<string, ListedThreat>()
  for (const { threats } of pages) {
    for (const threat of threats) {
      byId.delete(threat.id)
      byId.set(threat.id, threat)
    }
  }
  return [...byId.values()]
}

/** How many threats the newest page has above its last one that is already shown. Those below it are older, not new. */
export function countNew(shown: readonly Threat[], { threats }: ThreatList): number {
  const shownIds = new Set(shown.slice(0, 2 * threats.length).map(({ id }) => id))
  const lastShown = threats.findLastIndex(({ id }) => shownIds.has(id))
  // When none of them is shown, the shown rows have gone, and those older than the last of them are its next page.
  const oldest = shown.at(-1)?.publishedAt ?? ''
  const above =
    lastShown === -1
      ? threats.filter(({ publishedAt }) => publishedAt === null || publishedAt >= oldest)
      : threats.slice(0, lastShown)
  return above.filter(({ id }) => !shownIds.has(id)).length
}
