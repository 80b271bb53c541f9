import { createHash } from 'node:crypto'
import type { Caller } from '#bff/upstream/client/caller.ts'
import type { Upstream } from '#bff/upstream/client/upstream.ts'
import { UpstreamError } from '#bff/upstream/client/upstream-error.ts'
import { ANCHORS_COUNT, anchorsAfter, findContinuation } from '#bff/upstream/reader/find-continuation.ts'
import {
  readThreatList,
  type ThreatPage,
  type UnreadableRecord,
} from '#bff/upstream/reader/read-threat-list.ts'
import type { Threat } from '#contract/bff/threat.ts'
import { DAY_MS } from '#contract/duration.ts'
import type { RouteSet } from '#contract/route-set.ts'
import type { Cursor } from './crawl-cursor.ts'

const CALLER: Caller = { priority: 'window', who: null, session: null }
const BACKGROUND: Caller = { ...CALLER, isBackground: true }
const LIMIT = 100
/** Trial keys may request this many records. */
const TRIAL_LIMIT = 50
const MARK_LENGTH = 10

type V1Cursor = Extract<Cursor, { set: 'v1' }>
type EarlierCursor = Extract<Cursor, { set: 'earlier' }>

const START: EarlierCursor = { set: 'earlier', offset: 0, anchors: [], time: null, used: [] }

export type CrawlPage = {
  threats: Threat[]
  /** Full texts, where the list gives any, by the ids of their records. */
  contents: ReadonlyMap<string, string>
  /** Those of them that lie behind what the crawl had read. */
  fresh: readonly Threat[]
  /** Those of its records that are no threats, and by how many records it holds a threat again. */
  unreadable: readonly UnreadableRecord[]
  doubles: number
  /** Null at the end of the list. */
  next: Cursor | null
  /** The list promised more than it gives: nobody knows what follows its end. */
  isCut: boolean
  /** The total that the list reports; null if it reports none. */
  total: number | null
}

/** A page to ask for; without a cursor, the first. */
export type CrawlQuery = { set: RouteSet; since: string | null; cursor: Cursor | null }
/** Adds what is known of the key and of the list. */
type PageQuery = CrawlQuery & {
  isTrial?: boolean
  isUnordered?: boolean
  /** The last day, inclusive; up to now unless given. */
  until?: string
  /** Everything else comes first. */
  isBackground?: boolean
  /** Whose account has requested it; nobody's unless given. */
  who?: string | null
  /** Requests full texts, which our own service's lists can give. */
  isWithContent?: boolean
  /** A 403 refuses these records, not the route set. */
  isAboutData?: boolean
}
/** Returns what a page adds to a crawl that has met some ids. A record that comes again shows nothing of the order. */
export function newOfPage(
  { threats, fresh, total, doubles, unreadable }: CrawlPage,
  met: ReadonlySet<string>,
) {
  const times = fresh.flatMap(({ id, publishedAt }) =>
    publishedAt === null || met.has(id) ? [] : Date.parse(publishedAt),
  )
  const newIds = new Set(threats.map(({ id }) => id)).difference(met).size
  return { times, total, doubles, newIds, unreadable: unreadable.length }
}

export type Crawl = (query: PageQuery) => Promise<CrawlPage>

/** Reads the vendor's list page by page, newest first, in as few calls as the key's plan allows. */
export function createCrawl(upstream: Upstream): Crawl {
  let limit = LIMIT
  let isLimitTaken = false

  async function ask(
    { set, isBackground = false, isAboutData, isWithContent, who = null }: PageQuery,
    query: Record<string, string | number | undefined>,
  ) {
    const route = set === 'v1' ? 'listThreats' : 'listFeed'
    const caller = isBackground ? BACKGROUND : { ...CALLER, who }
    const include = isWithContent ? 'content' : undefined
    const answer = await upstream.call(route, { query: { limit, include, ...query }, isAboutData }, caller)
    const page = readThreatList(set, answer)
    isLimitTaken = true
    if (!page) throw new UpstreamError({ set, kind: 'unreadable', reason: 'no list in the answer' })
    return page
  }

  async function readV1(query: PageQuery, since: string | null, at: V1Cursor | null): Promise<CrawlPage> {
    const page = await ask(query, { since: since ?? undefined, cursor: at?.cursor ?? undefined })
    const { threats, contents, cursor, total, unreadable } = page
    const read = { threats, contents, fresh: threats, unreadable, doubles: doublesOf(page), total }
    if (cursor === null) return { ...read, next: null, isCut: false }
    const used = goOn(at, [cursor, ...contentOf(page)])
    if (used === null) return { ...read, next: null, isCut: true }
    return { ...read, next: { set: 'v1', cursor, since, used }, isCut: false }
  }

  /** Offsets shift while records come and go: each page overlaps the one before, or is read again further up. */
  async function readEarlier(query: PageQuery, since: string | null, at: EarlierCursor): Promise<CrawlPage> {
    const offset = Math.max(0, at.offset - ANCHORS_COUNT)
    const page = await ask(query, {
      offset,
      date_from: since?.slice(0, 10),
      date_to: query.until?.slice(0, 10),
    })
    const { threats, contents, received, hasMore, total } = page
    const found = findContinuation(at, threats, query.isUnordered ?? false)
    const unreadable = page.unreadable.filter((record) => offset + record.at >= at.offset)
    const read = { threats, contents, unreadable, doubles: doublesOf(page), total, isCut: false }
    if (found.kind === 'behind' && offset > 0) {
      const next = { ...at, offset: Math.max(0, offset - limit / 2) }
      return { ...read, fresh: [], unreadable: [], next }
    }
    const end = offset + received
    const fresh = found.kind === 'ahead' ? [] : found.threats
    // A list that contradicts itself is taken to have more.
    const saysMore =
      hasMore === true ||
      (total !== null && end < total) ||
      (hasMore === null && (total === null || received >= limit))
    // Nothing but what the page before had.
    if (end <= at.offset || received === 0) return { ...read, fresh, next: null, isCut: hasMore === true }
    if (!saysMore) return { ...read, fresh, next: null }
    const time = fresh.findLast(({ publishedAt }) => publishedAt !== null)?.publishedAt ?? at.time
    const used = goOn(at, contentOf(page))
    if (used === null) return { ...read, fresh, next: null, isCut: true }
    const anchors = anchorsAfter(at.anchors, fresh)
    return { ...read, fresh, next: { set: 'earlier', offset: end, anchors, time, since, used } }
  }

  async function read(query: PageQuery): Promise<CrawlPage> {
    const { set, since, cursor } = query
    const bound = cursor?.since === undefined ? since : cursor.since
    if (set === 'v1') return readV1(query, bound, cursor?.set === 'v1' ? cursor : null)
    return readEarlier(query, bound, cursor?.set === 'earlier' ? cursor : START)
  }

  return async (query) => {
    if (query.isTrial && query.set === 'v1') limit = TRIAL_LIMIT
    try {
      return await read(query)
    } catch (error) {
      const isForLength = query.cursor === null || !isLimitTaken || isLastResort(query)
      if (!isRejected(error) || !isForLength || limit === TRIAL_LIMIT) throw error
      limit = TRIAL_LIMIT
    }
    try {
      return await read(query)
    } catch (error) {
      // Not for its length, then. Where the repeat had to wait for a call, it is made with the next.
      if (isRejected(error)) limit = LIMIT
      throw error
    }
  }
}

/** Null where the vendor does not answer. */
export async function crawlOrNull(crawl: Crawl, query: PageQuery): Promise<CrawlPage | null> {
  return crawl(query).catch((error: unknown) => {
    if (error instanceof UpstreamError) return null
    throw error
  })
}

/** Returns true if totals ignore the requested time: a request from a future day on then reports as many. */
export async function isTotalOfAll(
  crawl: Crawl,
  query: Omit<PageQuery, 'since' | 'cursor'>,
  { reported, nowMs }: { reported: number; nowMs: number },
): Promise<boolean> {
  const since = new Date(nowMs + 2 * DAY_MS).toISOString()
  const page = await crawlOrNull(crawl, { ...query, since, cursor: null })
  // If the bound is ignored, the list is complete as well.
  const isHeeded = page?.threats.every(({ publishedAt }) => publishedAt === null || publishedAt >= since)
  return isHeeded === true && page?.total != null && page.total >= reported
}

export function isForbidden(error: unknown): boolean {
  return error instanceof UpstreamError && error.kind === 'forbidden'
}

export function isRejected(error: unknown): boolean {
  return error instanceof UpstreamError && error.kind === 'rejected'
}

/** Adds the records of this page to those that the crawl has met; null if they came before. */
function goOn(at: Cursor | null, met: readonly string[]): string[] | null {
  const used = at?.used ?? []
  const marks = met.map((text) => createHash('sha256').update(text).digest('base64url').slice(0, MARK_LENGTH))
  return marks.some((mark) => used.includes(mark)) ? null : [...used, ...marks]
}

/** Identifies a page by its content; an empty one equals any other. */
function contentOf({ threats, unreadable, received }: ThreatPage): string[] {
  const marks = [...threats.map(({ id }) => id), ...unreadable.map(({ mark }) => mark)]
  return received === 0 ? [] : [JSON.stringify(marks)]
}

function doublesOf({ threats }: ThreatPage): number {
  return threats.length - new Set(threats.map(({ id }) => id)).size
}

/** A further page is refused with the list's bound and without it. */
function isLastResort({ cursor, since }: CrawlQuery): boolean {
  return cursor?.set === 'v1' && cursor.since === null && since !== null
}
