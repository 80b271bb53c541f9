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
