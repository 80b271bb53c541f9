import { ProblemError } from '#bff/http/problem-error.ts'
import type { Clock } from '#bff/time/clock.ts'
import { createDayBounds } from '#bff/time/start-of-day.ts'
import { type FeedBounds, intersect } from '#bff/time/time-range.ts'
import type { ThreatFilter } from '#contract/bff/threat-list.ts'
import { nearestName } from '#matcher/query/nearest-name.ts'
import { parseQuery } from '#matcher/query/parse-query.ts'
import { writeValue } from '#matcher/query/print-query.ts'
import { foldValue, type QueryContext, testsOf } from '#matcher/query/query-tests.ts'
import {
  anyWordOf,
  conjunctsOf,
  leavesOf,
  type QueryFault,
  type QueryNode,
  type QueryValue,
} from '#matcher/query/query-tree.ts'

export type Searched = Pick<ThreatFilter, 'q'> & {
  /** Any of these words or phrases, besides the search. */
  keywords?: readonly string[] | undefined
  /** IANA name of the zone that the query's days are of. */
  timeZone?: string | undefined
}

/** A filter's search, read. */
export type Search = {
  /** Null where nothing is searched for. */
  tree: QueryNode | null
  /** The meaning of the query in this store, except for the team's marks. */
  context: Omit<QueryContext, 'marksOf'>
  /** The day that it is where the reader is. */
  today: string
  /** The filter's own time, as far as the query leaves it. */
  bounds: FeedBounds
  /** The answer depends on the team's actions. */
  isOfTeam: boolean
}

export type ReadSearch = (filter: Searched, bounds: FeedBounds) => Promise<Search>

type NamedProfile = { name: string; keywords: readonly string[]; categories: readonly string[] }

export type ReadSearchDependencies = {
  clock: Pick<Clock, 'nowMs'>
  /** Alert profiles as they were last read, free; null where they never were. */
  profiles?: () => Promise<readonly NamedProfile[] | null>
}

/**
 * The query language's only way into an answer. Throws where a part of a query has no meaning: no answer is better than
 * one to another question.
 */
export function createReadSearch({ clock, profiles = async () => null }: ReadSearchDependencies): ReadSearch {
  return async ({ q = '', keywords, timeZone = 'UTC' }, bounds) => {
    const { tree: written, faults } = parseQuery(q)
    if (faults.length > 0) throw faultySearch(faults)
    const tree = keywords ? bothOf(written, anyWordOf(keywords)) : written
    const leaves = leavesOf(tree)
    const { today, momentsOf } = createDayBounds(timeZone, clock.nowMs())
    const named = leaves.flatMap((leaf) =>
      leaf.kind === 'field' && leaf.name === 'profile' ? leaf.values : [],
    )
    const profilesOf = named.length > 0 ? findProfiles(await profiles(), named) : () => []
    const context = { momentsOf, profilesOf }
    const isOfTeam = leaves.some((leaf) =>
      testsOf(leaf, { ...context, marksOf: () => undefined }).some(({ kind }) => kind === 'marks'),
    )
    return { tree, context, today, bounds: narrow(bounds, tree, context), isOfTeam }
  }
}

function bothOf(one: QueryNode | null, other: QueryNode): QueryNode {
  return one ? { kind: 'and', from: 0, to: 0, parts: [one, other] } : other
}

/** Refuses to store what could not be answered. `name` is the field's. */
export function requireSearch({ q = '' }: Pick<ThreatFilter, 'q'>, name: string): void {
  const { faults } = parseQuery(q)
  if (faults.length > 0) throw faultySearch(faults, name)
}

export function faultySearch(faults: readonly QueryFault[], name = 'q'): ProblemError {
  return new ProblemError({
    code: 'bad_request',
    detail: `The search cannot be understood. ${faults[0]?.message ?? ''}`,
    fields: faults.map(({ message, ...place }) => ({ name, reason: message, ...place })),
  })
}

function findProfiles(
  known: readonly NamedProfile[] | null,
  named: readonly QueryValue[],
): QueryContext['profilesOf'] {
  const byName = Map.groupBy(known ?? [], ({ name }) => foldValue(name))
  const faults = named
    .filter(({ text }) => !byName.has(foldValue(text)))
    .map(({ from, to, text }) => ({ from, to, ...missingProfile(text, known) }))
  if (faults.length > 0) throw faultySearch(faults)
  return (name) => byName.get(foldValue(name)) ?? []
}

function missingProfile(text: string, known: readonly NamedProfile[] | null) {
  if (!known) return { message: 'Alert profiles are being read. Search again in a moment.' }
  const names = known.map(({ name }) => name)
  const nearest = nearestName(
    text,
    names.map((name) => name.toLowerCase()),
  )
  const name = nearest && names.find((each) => each.toLowerCase() === nearest)
  return { message: `There is no alert profile “${text}”.`, ...(name && { fix: writeValue(name) }) }
}

/** Days that must hold are a time like any other: it says who can answer. */
function narrow(bounds: FeedBounds, tree: QueryNode | null, context: Search['context']): FeedBounds {
  let narrowed = bounds
  for (const node of conjunctsOf(tree)) {
    if (node.kind !== 'field' || node.values.length !== 1) continue
    for (const test of testsOf(node, { ...context, marksOf: () => undefined })) {
      if (test.kind !== 'time') continue
      const { start, end } = test.moments
      const own = { start: Number.isFinite(start) ? start : null, end: Number.isFinite(end) ? end : null }
      narrowed = intersect(narrowed, own)
    }
  }
  return narrowed
}
