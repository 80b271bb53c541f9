import * as z from 'zod/mini'
import { inOrder } from '#app/format/day-range.ts'
import { type Arrangement, arrangementSchema, COLUMNS, columnSchema } from '#contract/bff/arrangement.ts'
import { threatIdSchema } from '#contract/bff/threat.ts'
import {
  filterValueSchema,
  hasDays,
  SEARCH_MAX_LENGTH,
  type ThreatFilter,
  type ThreatFilterName,
  type ThreatListQuery,
  threatFilterSchema,
  VALUES_MAX_COUNT,
  withinOf,
} from '#contract/bff/threat-list.ts'
import { findCountryCode } from '#contract/country.ts'

/** More ids would make an address that some proxies refuse. */
export const SELECTED_MAX_COUNT = 100

/** A saved view's id, or the word of a reader who wants none, not even their default one. */
const VIEW = /^(?:[\da-f-]{36}|all)$/
const { shape } = threatFilterSchema
const { shape: arranged } = arrangementSchema

const givenSearchSchema = z.object({
  category: listOf(readText),
  country: listOf(findCountryCode),
  actor: listOf(readText),
  industry: listOf(readText),
  severity: listOf((text) => readText(text)?.toLowerCase() ?? null),
  within: lastOf(readBy(shape.within)),
  from: lastOf(readBy(shape.from)),
  to: lastOf(readBy(shape.to)),
  since: lastOf(readBy(shape.since)),
  until: lastOf(readBy(shape.until)),
  q: lastOf((text) => readBy(shape.q)(text.slice(0, SEARCH_MAX_LENGTH).toWellFormed().trim())),
  triage: lastOf(readBy(shape.triage)),
  sort: lastOf(readBy(arranged.sort)),
  order: lastOf(readBy(arranged.order)),
  group: lastOf(readBy(arranged.group)),
  groupOrder: lastOf(readBy(arranged.groupOrder)),
  columns: listOf(readBy(columnSchema), COLUMNS.length),
  density: lastOf(readBy(arranged.density)),
  rows: lastOf(readBy(arranged.rows)),
  view: lastOf((text) => (VIEW.test(text) ? text : null)),
  selected: listOf(readBy(threatIdSchema), SELECTED_MAX_COUNT),
})
type GivenSearch = z.infer<typeof givenSearchSchema>

/**
 * The feed's URL: its filter, how its list stands, which view it came from, and which threats are ticked. What it cannot read it leaves out: a
 * bad link still opens.
 */
export const threatSearchSchema = z.pipe(
  givenSearchSchema,
  z.transform((given): GivenSearch => ({ ...given, within: withinOf(given) })),
)
export type ThreatSearch = z.infer<typeof threatSearchSchema>

/** A list query without its page: what a list is of. The zone matters, and is named, only beside a day. */
export type ThreatListScope = Omit<ThreatListQuery, 'cursor'>

export function scopeOf(filter: ThreatFilter, timeZone: string): ThreatListScope {
  return { ...filter, timeZone: hasDays(filter) ? timeZone : 'UTC' }
}

/** The list that a search shows. */
export function listScopeOf(search: ThreatSearch, timeZone: string) {
  return { ...claimScopeOf(search, timeZone), rows: search.rows ?? ('cases' as const) }
}

/** All claims of the list that a search shows, in its order. */
export function claimScopeOf(search: ThreatSearch, timeZone: string) {
  const { sort, order, group, groupOrder } = search
  const scope = scopeOf(filterOf(search), timeZone)
  // The days of groups are of the reader's zone.
  const zone = group === 'day' ? timeZone : scope.timeZone
  return { ...scope, timeZone: zone, sort, order, group, groupOrder: group && groupOrder }
}

/** The part of a search that says how its list stands, as a view keeps it. */
export function arrangementOf(search: ThreatSearch): Arrangement {
  const { sort, order, group, groupOrder, columns, density, rows } = search
  return { sort, order, group, groupOrder, columns, density, rows }
}

/**
 * The part of a search that says which threats are meant: by name, since an address may hold what no filter has. Crossed
 * days are read the other way round.
 */
export function filterOf(search: ThreatSearch): ThreatFilter {
  const { category, country, actor, industry, severity, within, from, to, since, until, q, triage } = search
  const days = { within, from, to, since, until }
  const filter = { category, country, actor, industry, severity, ...days, q, triage } satisfies Record<
    ThreatFilterName,
    unknown
  >
  return inOrder(filter)
}

/** Returns true if the layout of the list differs from the default. */
export function isArranged(search: ThreatSearch): boolean {
  return Object.values(arrangementOf(search)).some((value) => value !== undefined)
}

/** Returns true if any filter is set. */
export function isFiltered(search: ThreatSearch): boolean {
  return Object.values(filterOf(search)).some((value) => value !== undefined)
}

type Read<T> = (text: string) => T | null

function listOf<T extends string>(read: Read<T>, max = VALUES_MAX_COUNT) {
  const readAll = (given: string | readonly string[]) => {
    const texts = [given].flat().filter((each) => typeof each === 'string')
    const values = texts.map(read).filter((value) => value !== null)
    return values.length > 0 ? [...new Set(values)].slice(0, max) : undefined
  }
  return z.optional(z.pipe(z.custom<string | readonly string[]>(), z.transform(readAll)))
}

/** One value; of several, the last. */
function lastOf<T>(read: Read<T>) {
  const readLast = (given: string | readonly string[]) => {
    const text = [given].flat().at(-1)
    return (typeof text === 'string' ? read(text) : null) ?? undefined
  }
  return z.optional(z.pipe(z.custom<string | readonly string[]>(), z.transform(readLast)))
}

function readBy<T>(schema: { safeParse(text: string): { data?: T } }): Read<NonNullable<T>> {
  return (text) => schema.safeParse(text).data ?? null
}

function readText(text: string): string | null {
  return readBy(filterValueSchema)(text.trim())
}

/**
 * Changes the address: a step that Back undoes, unless it replaces the last one. What follows from the search before it
 * is given as a function, because two quick changes would otherwise both start from the same search.
 */
export type ChangeSearch = (
  change: Partial<ThreatSearch> | ((before: ThreatSearch) => Partial<ThreatSearch>),
  options?: { replace?: boolean; keepScroll?: boolean },
) => void
