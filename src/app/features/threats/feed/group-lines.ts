import type { Threat } from '#contract/bff/threat.ts'
import type { GroupAnswer, ThreatList } from '#contract/bff/threat-list.ts'
import type { FeedLine } from './feed-line.ts'

type GroupedList = {
  pages: readonly Pick<ThreatList, 'threats' | 'groupKeys'>[]
  /** Threats of all pages, each once. */
  threats: readonly Threat[]
  /** In the order of the list. */
  groups: GroupAnswer['groups']
  /** How many there are beyond these. */
  more: number
  closed: ReadonlySet<string>
  /** True while more threats can load. Then groups after the last one are unknown. */
  hasMore: boolean
  /** True if the threats are those of the previous answer, without those of a group that was opened just now. */
  isBetween: boolean
}

/**
 * The threats with the heads of their groups between them, in one walk: a look-up for each of 100,000 takes more than a frame. Groups that are closed have no threats in the list, and stand
 * in their place among the others.
 */
export function lineUp({
  pages,
  threats,
  groups,
  more,
  closed,
  hasMore,
  isBetween,
}: GroupedList): FeedLine[] {
  const lines: FeedLine[] = []
  const placeOf = new Map(groups.map(({ key }, place) => [key, place]))
  const times = new Map<string, number>()
  let above = 0
  /** The first place among the groups that is yet to be reached. */
  let next = 0
  let current: string | undefined

  const pushHead = (key: string) => {
    const group = groups[placeOf.get(key) ?? -1]
    const time = times.get(key) ?? 0
    times.set(key, time + 1)
    const content = { label: group?.label ?? key, count: group?.count ?? null }
    lines.push({ id: `\0${time} ${key}`, key, ...content, isClosed: closed.has(key), above })
  }
  /** The heads of groups without threats, up to a place. */
  const pushEmptyUpTo = (end: number) => {
    for (const { key } of groups.slice(next, end)) if (closed.has(key) || isBetween) pushHead(key)
    next = Math.max(next, end)
  }

  let at = 0
  for (const { threats: rows, groupKeys = [] } of pages) {
    for (const [row, threat] of rows.entries()) {
      // It comes again, on a later page.
      if (threat !== threats[at]) continue
      at += 1
      const key = groupKeys[row] ?? ''
      if (closed.has(key)) continue
      if (key !== current) {
        const place = placeOf.get(key)
        if (place !== undefined) {
          pushEmptyUpTo(place)
          next = Math.max(next, place + 1)
        }
        pushHead(key)
        current = key
      }
      lines.push(threat)
      above += 1
    }
  }
  if (hasMore) return lines
  pushEmptyUpTo(groups.length)
  // Closed groups behind the counted ones can be opened here.
  if (more > 0) for (const key of closed) if (!placeOf.has(key)) pushHead(key)
  return lines
}
