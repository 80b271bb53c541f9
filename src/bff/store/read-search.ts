import { ProblemError } from '#bff/http/problem-error.ts'
import type { ReaderSession } from '#bff/http/route.ts'
import type { Clock } from '#bff/time/clock.ts'
import { firstDayOf, momentsOfDays } from '#bff/time/start-of-day.ts'
import { type FeedBounds, feedBounds, intersect } from '#bff/time/time-range.ts'
import type { ThreatFilter } from '#contract/bff/threat-list.ts'
import { foldValue } from '#matcher/normalise-text.ts'
import { nearestName } from '#matcher/query/nearest-name.ts'
import { parseQuery } from '#matcher/query/parse-query.ts'
import { writeValue } from '#matcher/query/print-query.ts'
import type { DaySpan } from '#matcher/query/query-days.ts'
import { type QueryContext, testsOf } from '#matcher/query/query-tests.ts'
import {
  anyWordOf,
  conjunctsOf,
  isAnyValue,
  leavesOf,
  type QueryFault,
  type QueryNode,
  type QueryValue,
} from '#matcher/query/query-tree.ts'

import { isKnownList, type ListPairs, NO_LISTS } from './lists/list-pairs.ts'

export type Searched = Pick<ThreatFilter, 'q'> & {
  /** A record must match any of these words or phrases, in addition to the search. */
  keywords?: readonly string[] | undefined
  /** IANA name of the time zone that defines the query's days. */
  timeZone?: string | undefined
} & ByAuthor

/**
 * An account, or null for the admins. The search of a profile also has its id, because a profile cannot name itself.
 */
export type SearchAuthor = { accountId: string | null; profileId?: string | undefined }

/** The author of a search that names alert profiles. Without an author, only shared profiles can be named. */
export type ByAuthor = { author?: SearchAuthor | undefined }

export function authorOf({ user }: ReaderSession): SearchAuthor {
  return { accountId: user.id }
}

/** The data that an answer depends on: stored records only, also the team's actions, or also the user. */
export type SearchScope = 'records' | 'team' | 'author'

/**
 * Returns how long an answer may be served again. Undefined for an answer that depends on the user and is not cached.
 */
export function freshForMsOf(scope: SearchScope, freshForMs: number): number | undefined {
  // Team actions can change such an answer at any moment.
  return { records: freshForMs, team: 0, author: undefined }[scope]
}

/** The parsed search of a filter. */
export type Search = {
  momentsOf: QueryContext['momentsOf']
  /** Null if the search is empty. */
  tree: QueryNode | null
  /** The current day in the user's time zone. */
  today: string
  /** The time of the filter, narrowed by the query. */
  bounds: FeedBounds
  scope: SearchScope
  /** The alert profiles that the search names, by their folded names. */
  profiles: ReadonlyMap<string, readonly ReadProfile[]>
  /** The lists that the author may see. Null if the search names none. */
  lists: ListPairs | null
  /** The account that `mine` refers to. */
  readerId: string | undefined
  /** True if the search, or a profile that it names, depends on due times. */
  isOfDue: boolean
  /** The time of the request, epoch milliseconds. */
  nowMs: number
}

/** The parsed search of an alert profile. */
export type ReadProfile = { filter: ThreatFilter; search: Search }

type VendorProfile = { name: string; keywords: readonly string[]; categories: readonly string[] }
/** A profile that runs in Lantern. A profile without an owner belongs to the admins. */
export type NamedProfile = ProfileSearch & { id: string; name: string; isShared: boolean }

/** The search of a profile. A profile that is not stored yet has no id. */
export type ProfileSearch = {
  id?: string | undefined
  accountId: string | null
  filter: ThreatFilter
  timeZone: string
}

/** Returns the whole search of a profile, with its owner as the author. */
export function searchOfProfile({ id, accountId, filter, timeZone }: ProfileSearch) {
  return { ...filter, timeZone, author: { accountId, profileId: id } }
}

/** The profiles and lists that a search can name, and the reference for its days. */
export type SearchContext = {
  clock: Clock
  /** Reads the lists that an account may see, and the threats that they match. */
  readListPairs?: (accountId: string | null) => Promise<ListPairs>
  /** Reads the profiles of the vendor's account from the cache, without an API call. Null if they were never read. */
  profiles?: () => Promise<readonly VendorProfile[] | null>
  /** All profiles that run in Lantern. */
  lanternProfiles?: () => Promise<readonly NamedProfile[]>
}

/**
 * Parses the query language. Throws if a part has no meaning, because an answer to a different query would be wrong.
 */
export async function readSearch(
  {
    clock,
    profiles = async () => null,
    lanternProfiles = async () => [],
    readListPairs = async () => NO_LISTS,
  }: SearchContext,
  filter: Searched,
  bounds: FeedBounds,
): Promise<Search> {
  let listed: ReturnType<typeof lanternProfiles> | null = null
  // Many searches can name the same profile.
  const known = new Map<string, ReadProfile | null>()

  /** `path`: ids of the profiles that led to this search. It detects cycles. */
  async function read(
    { q = '', keywords, timeZone = 'UTC', author }: Searched,
    bounds: FeedBounds,
    path: readonly string[],
  ): Promise<Search> {
    const { tree: written, faults } = parseQuery(q)
    if (faults.length > 0) throw faultySearch(faults)
    const tree = keywords ? bothOf(written, anyWordOf(keywords)) : written
    const leaves = leavesOf(tree)
    const nowMs = clock.nowMs()
    const momentsOf = (days: DaySpan) => momentsOfDays(days, timeZone, nowMs)
    const named = leaves.flatMap((leaf) =>
      leaf.kind === 'field' && leaf.name === 'profile' ? leaf.values : [],
    )
    const tests = leaves.flatMap((leaf) => testsOf(leaf, { momentsOf, marksOf: () => undefined }))
    const isOfTeam = tests.some(({ kind }) => kind === 'marks')
    const isOfReader = tests.some((test) => test.kind === 'marks' && test.isOfReader)
    const lists = leaves.some(isOfLists) ? await readListPairs(author?.accountId ?? null) : null
    const unknown = lists ? leaves.flatMap((leaf) => unknownLists(leaf, lists)) : []
    if (unknown.length > 0) throw faultySearch(unknown)
    const scope = named.length > 0 || lists || isOfReader ? 'author' : isOfTeam ? 'team' : 'records'
    const ownPath = author?.profileId === undefined ? path : [...path, author.profileId]
    const profiles: Search['profiles'] =
      named.length > 0 ? await readNamed(named, author, ownPath) : new Map()
    return {
      tree,
      momentsOf,
      today: firstDayOf(1, timeZone, nowMs),
      bounds: narrow(bounds, tree, momentsOf),
      scope,
      profiles,
      lists,
      readerId: author?.accountId ?? undefined,
      isOfDue:
        tests.some((test) => test.kind === 'marks' && test.isOfDue) ||
        [...profiles.values()].some((all) => all.some(isProfileOfDue)),
      nowMs,
    }
  }

  async function readNamed(
    named: readonly QueryValue[],
    author: SearchAuthor | undefined,
    path: readonly string[],
  ): Promise<Search['profiles']> {
    listed ??= lanternProfiles()
    const isOwn = ({ accountId }: NamedProfile) => author?.accountId === accountId
    const visible = (await listed).filter((profile) => profile.isShared || isOwn(profile))
    const found = new Map<string, readonly ReadProfile[]>()
    const faults: QueryFault[] = []
    for (const { from, to, text } of named) {
      const name = foldValue(text)
      const called = visible.filter((profile) => foldValue(profile.name) === name)
      const own = called.filter(isOwn)
      // The author's own profiles come first, so that nobody can change a search by sharing a profile of the same name.
      const chosen = own.length > 0 ? own : called
      const read: ReadProfile[] = []
      for (const profile of chosen) {
        const one = await readProfile(profile, path)
        if (one) read.push(one)
        else faults.push({ from, to, message: brokenProfile(text, path.includes(profile.id)) })
      }
      if (chosen.length === 0) {
        const vendor = await profiles()
        read.push(...(await readVendor(vendor?.filter((one) => foldValue(one.name) === name) ?? [])))
        const names = [...visible, ...(vendor ?? [])].map((one) => one.name)
        if (read.length === 0) faults.push({ from, to, ...missingProfile(text, names, vendor !== null) })
      }
      found.set(name, read)
    }
    if (faults.length > 0) throw faultySearch(faults)
    return found
  }

  /** Returns null if the profile's search is invalid or leads back to itself. */
  async function readProfile(profile: NamedProfile, path: readonly string[]): Promise<ReadProfile | null> {
    const { id, filter } = profile
    if (path.includes(id)) return null
    if (known.has(id)) return known.get(id) ?? null
    const own = searchOfProfile(profile)
    try {
      const bounds = feedBounds(own, clock.nowMs())
      known.set(id, { filter, search: await read(own, bounds, path) })
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error
      known.set(id, null)
    }
    return known.get(id) ?? null
  }

  /** Converts keywords and categories of vendor profiles to searches. */
  function readVendor(vendor: readonly VendorProfile[]): Promise<ReadProfile[]> {
    return Promise.all(
      vendor.map(async ({ keywords, categories }) => ({
        filter: { category: [...categories] },
        search: await read({ keywords }, { start: null, end: null }, []),
      })),
    )
  }

  return read(filter, bounds, [])
}

function isProfileOfDue({ filter, search }: ReadProfile): boolean {
  return filter.triage === 'overdue' || search.isOfDue
}

type Leaf = ReturnType<typeof leavesOf>[number]

function isOfLists(leaf: Leaf): boolean {
  return leaf.kind === 'field' && (leaf.name === 'list' || leaf.name === 'entry' || leaf.name === 'match')
}

function unknownLists(leaf: Leaf, lists: ListPairs): QueryFault[] {
  if (leaf.kind !== 'field' || leaf.name !== 'list') return []
  return leaf.values.flatMap((value) => {
    if (isAnyValue(value) || isKnownList(lists, value)) return []
    const { from, to, text } = value
    const names = lists.lists.map(({ name }) => name)
    return [{ from, to, ...missingName(text, names, `There is no list “${text}”.`) }]
  })
}

function bothOf(one: QueryNode | null, other: QueryNode): QueryNode {
  return one ? { kind: 'and', from: 0, to: 0, parts: [one, other] } : other
}

/** Throws if a search is invalid, so that it is not stored. `name` is the name of the request's field. */
export function requireSearch({ q = '' }: ThreatFilter, name: string): void {
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

function brokenProfile(name: string, isCircular: boolean): string {
  if (isCircular) return `The search of the alert profile “${name}” leads back to itself. Remove it here.`
  return `The search of the alert profile “${name}” has a fault. Correct it in Alerts, or remove it here.`
}

function missingProfile(text: string, names: readonly string[], isAllRead: boolean) {
  const message = isAllRead
    ? `There is no alert profile “${text}”.`
    : 'Alert profiles are being read. Search again in a moment.'
  return missingName(text, names, message)
}

/** Creates the message for an unknown name. It suggests the nearest known name, if there is one. */
function missingName(text: string, names: readonly string[], message: string) {
  const nearest = nearestName(
    text,
    names.map((name) => name.toLowerCase()),
  )
  const name = nearest && names.find((each) => each.toLowerCase() === nearest)
  return { message, ...(name && { fix: writeValue(name) }) }
}

/** Narrows the time to the days that every match must have. Freshness is then judged for that time. */
function narrow(bounds: FeedBounds, tree: QueryNode | null, momentsOf: Search['momentsOf']): FeedBounds {
  let narrowed = bounds
  for (const node of conjunctsOf(tree)) {
    if (node.kind !== 'field' || node.values.length !== 1) continue
    for (const test of testsOf(node, { momentsOf, marksOf: () => undefined })) {
      if (test.kind !== 'time') continue
      const { start, end } = test.moments
      const own = { start: Number.isFinite(start) ? start : null, end: Number.isFinite(end) ? end : null }
      narrowed = intersect(narrowed, own)
    }
  }
  return narrowed
}
