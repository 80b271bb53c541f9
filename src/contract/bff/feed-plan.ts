import { ROUTE_SETS, type RouteSet } from '../route-set.ts'
import type { WindowState } from './source.ts'
import { type ThreatFilter, type ThreatFilterName, threatFilterNameSchema } from './threat-list.ts'

/** The filters each route set can serve, each with one value: reference sections 4.1 and 4.2. */
const SERVED_FILTERS: Readonly<Record<RouteSet, readonly ThreatFilterName[]>> = {
  v1: ['category', 'country', 'from', 'since'],
  earlier: ['category', 'country', 'from', 'to', 'since', 'until', 'q'],
}

/** While the window is filling, it answers for all the days that it is going to hold. */
const FILLING_DAYS = 30

const SET_NAMES: Readonly<Record<RouteSet, string>> = { v1: 'v1 route set', earlier: 'earlier route set' }

export type FeedPlan =
  | { set: RouteSet; refused: null }
  | { set: null; refused: { filter: ThreatFilterName; reason: string }[] }

/**
 * Chooses the route set that can answer a feed question: the one the filter names, or else the first permitted set,
 * v1 before earlier, that serves every filter in use.
 */
export function planFeed(filter: ThreatFilter, permitted: readonly RouteSet[]): FeedPlan {
  const candidates = ROUTE_SETS.filter((set) => (filter.set ? set === filter.set : permitted.includes(set)))
  const used = usedFilters(filter)
  const set = candidates.find((candidate) => used.every((name) => SERVED_FILTERS[candidate].includes(name)))
  const crowded = used.filter((name) => Array.isArray(filter[name]) && filter[name].length > 1)

  if (set && crowded.length === 0) return { set, refused: null }
  return {
    set: null,
    refused: used.flatMap((name) => {
      const reason = crowded.includes(name)
        ? 'The API takes one value at a time: keep one.'
        : refusalOf(name, candidates)
      return reason ? [{ filter: name, reason }] : []
    }),
  }
}

/** Why a filter cannot be used beside the ones in use; null when it can. Inside the window every filter can. */
export function filterRefusal(
  name: ThreatFilterName,
  filter: ThreatFilter,
  permitted: readonly RouteSet[],
  window: Pick<WindowState, 'status' | 'from' | 'to'>,
): string | null {
  if (isInWindow(filter, window)) return null
  const candidates = ROUTE_SETS.filter((set) => (filter.set ? set === filter.set : permitted.includes(set)))
  const reason = refusalOf(name, candidates)
  return reason && window.status !== 'empty' && !filter.set ? olderThanWindow(reason) : reason
}

/** A refusal of what would be answered, were its range not older than what Lantern holds itself. */
export function olderThanWindow(reason: string): string {
  return `Older than the window: ${reason}`
}

/** Whether Lantern answers by itself: a question without a beginning starts at the newest records. */
function isInWindow(
  filter: ThreatFilter,
  { status, from, to }: Pick<WindowState, 'status' | 'from' | 'to'>,
): boolean {
  if (status === 'empty' || from === null || to === null || filter.set) return false
  const firstDay = status === 'complete' ? from.slice(0, 10) : daysBefore(to, FILLING_DAYS)
  const starts = [filter.from, filter.since].filter((start) => start !== undefined)
  return starts.length === 0 || starts.some((start) => start >= firstDay)
}

function daysBefore(time: string, days: number): string {
  return new Date(Date.parse(time) - days * 86_400_000).toISOString().slice(0, 10)
}

/** Filters in use, in the order of the schema. An empty list or text is no filter. */
export function usedFilters(filter: ThreatFilter): ThreatFilterName[] {
  return threatFilterNameSchema.options.filter((name) => (filter[name]?.length ?? 0) > 0)
}

/** Null where one of the sets in question filters by it: each set serves all that the one before it does. */
function refusalOf(name: ThreatFilterName, candidates: readonly RouteSet[]): string | null {
  if (candidates.some((set) => SERVED_FILTERS[set].includes(name))) return null
  const able = ROUTE_SETS.filter((set) => SERVED_FILTERS[set].includes(name))
  if (able.length === 0) return 'Neither route set of the API filters by this.'
  return `Only the ${able.map((set) => SET_NAMES[set]).join(' and the ')} filters by this, and it is not in use here.`
}
