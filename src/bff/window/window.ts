import { BoundedMap } from '#bff/cache/bounded-map.ts'
import { type FeedBounds, toIso } from '#bff/threats/feed-bounds.ts'
import type { Clock } from '#bff/upstream/clock.ts'
import type { Freshness } from '#contract/bff/freshness.ts'
import type { WindowState } from '#contract/bff/source.ts'
import type { Threat } from '#contract/bff/threat.ts'
import type { ThreatFacets, ThreatFilter, ThreatList, ThreatListQuery } from '#contract/bff/threat-list.ts'
import type { RouteSet } from '#contract/route-set.ts'
import type { Database } from '#database/database.ts'
import { describeQuestion, parseQuestion } from '#matcher/question.ts'
import { type Reach, readReach } from './reach.ts'
import { countHeld } from './store-threats.ts'
import { countThreats, countValues, findThreat, readPage, type WindowPlace } from './threat-queries.ts'
import { type Scope, scopeOf } from './threat-scope.ts'
import { FACET_NAMES } from './threat-terms.ts'
import { WINDOW_DAYS } from './window-days.ts'

const PAGE_LIMIT = 50
const REACH_FOR_MS = 1_000
const COUNTS_MAX_COUNT = 500
/** An answer may be given again until the next read, and no longer than a reader would wait for news. */
const FRESH_MAX_MS = 15_000
/** How many reads may be missed before the window counts as late. */
const LATE_READS = 3
const LATE_MIN_MS = 60_000
const DAY_MS = 86_400_000

export type WindowPage = {
  answer: Omit<ThreatList, 'nextCursor'>
  next: WindowPlace | null
  freshForMs: number
}

/** Bounds of the held time, ISO 8601 UTC, and how long an answer about it may be given again. */
export type Held = { from: string; to: string; isComplete: boolean; freshness: Freshness; freshForMs: number }

export type Window = {
  /** Null where only the vendor can answer. */
  list(query: ThreatListQuery, bounds: FeedBounds, after: WindowPlace | null): Promise<WindowPage | null>
  /** What is held without a gap; null while nothing is. */
  held(): Promise<Held | null>
  /** Whether nothing is held. */
  isEmpty(): Promise<boolean>
  /** The newest threats that a filter matches; null while nothing is held. */
  newest(filter: ThreatFilter, limit: number): Promise<Threat[] | null>
  /** One threat as the list told it; null where it is not held. */
  find(id: string, set: RouteSet | null): Promise<{ threat: Threat; freshness: Freshness } | null>
  state(): Promise<WindowState>
  /** What is held has changed: what was counted before is counted anew. */
  forget(): void
}

type Counts = { total: number; facets: ThreatFacets }

export type WindowOptions = { database: Database; clock: Clock; source: string }

/** Answers from what the reader keeps, at no call. Another source's records are never shown. */
export function createWindow({ database, clock, source }: WindowOptions): Window {
  const counts = new BoundedMap<Promise<Counts>>({ maxSize: COUNTS_MAX_COUNT, maxCount: COUNTS_MAX_COUNT })
  let known: { reach: Promise<Reach | null>; until: number } | null = null
  let generation = 0

  function currentReach(): Promise<Reach | null> {
    const now = clock.elapsedMs()
    if (known && known.until > now) return known.reach
    const reach = readFilledReach()
    known = { reach, until: now + REACH_FOR_MS }
    reach.catch(() => {
      known = null
    })
    return reach
  }

  /** Where the last 30 days hold nothing at all, a reader is better served by what is older. */
  async function readFilledReach(): Promise<Reach | null> {
    const reach = await readReach(database)
    return reach?.source === source && (await countHeld(database)) > 0 ? reach : null
  }

  /** Exact for what was held when they were counted: after every change they are counted anew. */
  function count(query: ThreatListQuery, bounds: FeedBounds): Promise<Counts> {
    const { cursor: _, ...question } = query
    const key = JSON.stringify([generation, bounds, question])
    const counted = counts.get(key) ?? countAll(database, query, bounds)
    counts.set(key, counted, 1)
    counted.catch(() => counts.delete(key))
    return counted
  }

  function freshnessOf(reach: Reach): { freshness: Freshness; freshForMs: number } {
    const now = clock.nowMs()
    const read = Date.parse(reach.lastReadAt)
    const pace = Date.parse(reach.nextReadAt) - read
    const isLate = now - read > Math.max(LATE_MIN_MS, LATE_READS * pace)
    const staleReason =
      reach.trouble ?? (isLate ? 'Nothing has been read from the source for a while.' : null)
    return {
      freshness: {
        fetchedAt: reach.lastReadAt,
        isStale: staleReason !== null,
        staleReason,
        covers: { from: reach.heldFrom, to: reach.heldTo },
      },
      freshForMs: staleReason === null ? FRESH_MAX_MS : REACH_FOR_MS,
    }
  }

  return {
    async list(query, bounds, after) {
      const reach = await currentReach()
      if (!reach || (query.set && query.set !== reach.set) || !reaches(reach, bounds, clock.nowMs()))
        return null
      const question = parseQuestion(query.q ?? '')
      const [page, { total, facets }] = await Promise.all([
        readPage(database, scopeOf(query, bounds, question), { after, limit: PAGE_LIMIT }),
        count(query, bounds),
      ])
      const { freshness, freshForMs } = freshnessOf(reach)
      return {
        answer: {
          threats: page.threats,
          total,
          // What is still to be read may match as well.
          isTotalExact: reach.isComplete,
          answeredBy: 'window',
          facets,
          understoodAs: query.q === undefined ? null : describeQuestion(question),
          unreadable: 0,
          freshness: { ...freshness, covers: coveredPart(reach, bounds) },
        },
        next: page.next,
        freshForMs,
      }
    },

    async held() {
      const reach = await currentReach()
      if (!reach) return null
      const { heldFrom: from, heldTo: to, isComplete } = reach
      return { from, to, isComplete, ...freshnessOf(reach) }
    },

    isEmpty: async () => (await currentReach()) === null,

    async newest(filter, limit) {
      const reach = await currentReach()
      if (!reach) return null
      const scope = scopeOf(filter, { start: null, end: null }, parseQuestion(filter.q ?? ''))
      const { threats } = await readPage(database, scope, { after: null, limit })
      return threats
    },

    async find(id, set) {
      const reach = await currentReach()
      if (set && set !== reach?.set) return null
      const threat = reach && (await findThreat(database, id))
      return reach && threat ? { threat, freshness: freshnessOf(reach).freshness } : null
    },

    async state() {
      const reach = await currentReach()
      if (!reach) {
        return { status: 'empty', from: null, to: null, threats: 0, lastReadAt: null, trouble: null }
      }
      return {
        status: reach.isComplete ? 'complete' : 'filling',
        from: reach.heldFrom,
        to: reach.heldTo,
        threats: await countHeld(database),
        lastReadAt: reach.lastReadAt,
        trouble: freshnessOf(reach).freshness.staleReason,
      }
    },

    forget() {
      generation++
      known = null
    },
  }
}

async function countAll(db: Database, query: ThreatListQuery, bounds: FeedBounds): Promise<Counts> {
  const question = parseQuestion(query.q ?? '')
  const used = FACET_NAMES.filter((name) => (query[name]?.length ?? 0) > 0)
  const unused = FACET_NAMES.filter((name) => !used.includes(name))
  const whole: Scope = scopeOf(query, bounds, question)
  // The values of a name in use are counted as if it were not.
  const [total, ...parts] = await Promise.all([
    countThreats(db, whole),
    countValues(db, whole, unused),
    ...used.map((name) => countValues(db, scopeOf(query, bounds, question, name), [name])),
  ])
  const none: ThreatFacets = { category: [], country: [], actor: [], industry: [], severity: [] }
  return { total, facets: Object.assign(none, ...parts) }
}

/**
 * Whether the asked time lies inside the window: an open start is the newest records, whatever lies before them. While
 * it is filling, it answers for all of its days and says how far it has come.
 */
function reaches({ isComplete, heldFrom, since }: Reach, { start }: FeedBounds, nowMs: number): boolean {
  // Without a bound the vendor gave all that the plan allows: nothing older can be had.
  if (start === null || (isComplete && since === null)) return true
  return start >= (isComplete ? Date.parse(heldFrom) : nowMs - WINDOW_DAYS * DAY_MS)
}

function coveredPart({ heldFrom, heldTo }: Reach, { start, end }: FeedBounds): Freshness['covers'] {
  const from = toIso(Math.max(Date.parse(heldFrom), start ?? Number.NEGATIVE_INFINITY)) ?? null
  const to = toIso(Math.min(Date.parse(heldTo), end ?? Number.POSITIVE_INFINITY)) ?? null
  return { from, to }
}
