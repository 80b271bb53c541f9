import { type GroupAnswer, NAMED_GROUPS_MAX_COUNT } from '#contract/bff/threat-list.ts'
import type { ThreatSearch } from './threat-search.ts'

/** Which groups are closed, as the address says it: those that it names, or all but those. */
export type ClosedGroups = Pick<ThreatSearch, 'closed' | 'groups' | 'open'>

/** Of the names in an address, without the last of them: some proxies refuse one of 8 kB. */
const NAMES_MAX_LENGTH = 3_000

export const ALL_OPEN: ClosedGroups = { closed: undefined, groups: undefined, open: undefined }
export const ALL_CLOSED: ClosedGroups = { ...ALL_OPEN, groups: 'closed' }

function namedKeys({ closed, groups, open }: ClosedGroups): readonly string[] {
  return (groups ? open : closed) ?? []
}

/** Tells of a group's key whether it is closed. */
export function closedTest(search: ClosedGroups): (key: string) => boolean {
  const named = new Set(namedKeys(search))
  const isAllBut = search.groups !== undefined
  return (key) => named.has(key) !== isAllBut
}

/** Closes a group, or opens it. */
export function toggleGroup(before: ClosedGroups, key: string): ClosedGroups {
  const named = namedKeys(before)
  const after = named.includes(key) ? named.filter((each) => each !== key) : [...named, key]
  const keys = after.length > 0 ? after : undefined
  return before.groups ? { ...ALL_CLOSED, open: keys } : { ...ALL_OPEN, closed: keys }
}

/** Whether the address has room for the name of one more. */
export function hasRoom(search: ClosedGroups): boolean {
  const named = namedKeys(search)
  const length = new URLSearchParams(named.map((key) => ['closed', key])).toString().length
  return named.length < NAMED_GROUPS_MAX_COUNT && length < NAMES_MAX_LENGTH
}

/** How many groups stand nowhere: closed, and behind those that were counted. */
export function countUnlisted(search: ClosedGroups, { groups, more }: Omit<GroupAnswer, 'isExact'>): number {
  const counted = new Set(groups.map(({ key }) => key))
  const named = namedKeys(search).filter((key) => !counted.has(key)).length
  return search.groups ? Math.max(0, more - named) : Math.min(more, named)
}
