import { DAY_MS } from '#contract/duration.ts'
import { ROUTE_SETS, type RouteSet } from '../route-set.ts'
import type { Source, WindowState } from './source.ts'
import {
  type ThreatFilter,
  type ThreatFilterName,
  type ThreatList,
  threatFilterNameSchema,
  VALUES_MAX_COUNT,
  WITHIN_DAYS,
  withinOf,
} from './threat-list.ts'

/** The filters each route set can serve: reference sections 4.1 and 4.2. */
const SERVED_FILTERS: Readonly<Record<RouteSet, readonly ThreatFilterName[]>> = {
  v1: ['category', 'country', 'within', 'from', 'since'],
  earlier: ['category', 'country', 'within', 'from', 'to', 'since', 'until', 'q'],
}

/** How many values of one name each can filter by: the reference's parameters take one. */
export const MOST_VALUES: Readonly<Record<ThreatList['answeredBy'], number>> = {
  window: VALUES_MAX_COUNT,
  v1: 1,
  earlier: 1,
}

/** While the window is filling, it answers for all the days that it is going to hold. */
const FILLING_DAYS = 30

/** Why a route set cannot be called, for those that cannot. */
export type ClosedSets = Partial<Record<RouteSet, 'plan' | 'absent' | 'key_refused' | 'key_missing'>>

const CLOSURES = {
  plan: 'the plan of the API key does not include it',
  absent: 'this source does not have it',
  key_refused: 'its API key was refused',
  key_missing: 'it has no API key',
} as const

const NO_WINDOW = {
  plan: 'The plan of the API key permits neither API',
  absent: 'This source has neither API',
  key_refused: 'The API refused the key',
  key_missing: 'No API key is set',
} as const

export type FeedPlan =
  | { set: RouteSet; refused: null }
  | { set: null; refused: { filter: ThreatFilterName; reason: string }[] }

/**
 * Chooses the route set that can answer a feed query: the one the filter names, or else the first that is not closed,
 * v1 before earlier, that serves every filter in use.
 */
export function planFeed(filter: ThreatFilter, closed: ClosedSets): FeedPlan {
  const used = usedFilters(filter)
  const set = candidatesOf(filter, closed).find((candidate) =>
    used.every((name) => SERVED_FILTERS[candidate].includes(name)),
  )
  const most = MOST_VALUES[set ?? 'v1']
  const crowded = used.filter((name) => Array.isArray(filter[name]) && filter[name].length > most)

  if (set && crowded.length === 0) return { set, refused: null }
  return {
    set: null,
    refused: used.flatMap((name) => {
      const reason = crowded.includes(name)
        ? 'The API takes one value at a time: keep one.'
        : refusalOf(name, filter, closed)
      return reason ? [{ filter: name, reason }] : []
    }),
  }
}

/** Why a filter cannot be used beside the ones in use; null when it can. Inside the window every filter can. */
export function filterRefusal(
  name: ThreatFilterName,
  filter: ThreatFilter,
  source: Pick<Source, 'key' | 'sets' | 'window'>,
): string | null {
  if (isInWindow(filter, source.window)) return null
  const closed = closedSets(source)
  const reason = refusalOf(name, filter, closed)
  if (!reason || filter.set) return reason
  if (source.window.status !== 'empty') return olderThanWindow(reason)
  // With a key that works, the window would be there.
  return closed.v1 && closed.earlier
    ? `${NO_WINDOW[closed.v1]}: Lantern filters by this once it has read threats itself.`
    : reason
}

/** How many values of one name a filter can have, as far as is known before it is answered. */
export function mostValues(filter: ThreatFilter, { window }: Pick<Source, 'window'>): number {
  return MOST_VALUES[isInWindow(filter, window) ? 'window' : 'v1']
}

/** A set that has answered has a key, whatever became of the other's. */
function closedSets({ key, sets }: Pick<Source, 'key' | 'sets'>): ClosedSets {
  const ofKey = key === 'missing' ? 'key_missing' : key === 'invalid' ? 'key_refused' : undefined
  const closureOf = (set: RouteSet) => {
    const { status } = sets[set]
    if (status === 'absent') return status
    return status === 'forbidden' ? 'plan' : status === 'unknown' ? ofKey : undefined
  }
  return { v1: closureOf('v1'), earlier: closureOf('earlier') }
}

/** With no set left to call, the call itself says why. */
function candidatesOf({ set }: ThreatFilter, closed: ClosedSets): readonly RouteSet[] {
  if (set) return [set]
  const open = ROUTE_SETS.filter((each) => !closed[each])
  return open.length > 0 ? open : ROUTE_SETS
}

/** A refusal of what would be answered, were its range not older than what Lantern stores. */
export function olderThanWindow(reason: string): string {
  return `Older than what is stored here. ${reason}`
}

/** Whether Lantern answers by itself: a query without a beginning starts at the newest records. */
function isInWindow(
  filter: ThreatFilter,
  { status, from, to }: Pick<WindowState, 'status' | 'from' | 'to'>,
): boolean {
  if (status === 'empty' || from === null || to === null || filter.set) return false
  const firstDay = status === 'complete' ? from.slice(0, 10) : daysBefore(to, FILLING_DAYS)
  const within = withinOf(filter)
  const firstDayWithin = within && within !== 'undated' && daysBefore(to, WITHIN_DAYS[within] - 1)
  const starts = [firstDayWithin, filter.from, filter.since].filter((start) => typeof start === 'string')
  return starts.length === 0 || starts.some((start) => start >= firstDay)
}

function daysBefore(time: string, days: number): string {
  return new Date(Date.parse(time) - days * DAY_MS).toISOString().slice(0, 10)
}

/** Filters in use, in the order of the schema. An empty list or text is no filter. */
export function usedFilters(filter: ThreatFilter): ThreatFilterName[] {
  return threatFilterNameSchema.options.filter((name) => (filter[name]?.length ?? 0) > 0)
}

/** Null where one of the sets that are considered filters by it. */
function refusalOf(name: ThreatFilterName, filter: ThreatFilter, closed: ClosedSets): string | null {
  const able = ROUTE_SETS.filter((set) => SERVED_FILTERS[set].includes(name))
  if (able.length === 0) return 'Neither API filters by this.'
  if (candidatesOf(filter, closed).some((set) => able.includes(set))) return null
  // The earlier set filters by all that v1 does.
  const closure = !filter.set && closed.earlier
  return `Only the earlier API filters by this, and ${closure ? CLOSURES[closure] : 'it is not in use here'}.`
}
