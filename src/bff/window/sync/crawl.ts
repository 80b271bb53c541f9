import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import type { Caller } from '#bff/vendor/client/caller.ts'
import type { Upstream } from '#bff/vendor/client/upstream-client.ts'
import { UpstreamError } from '#bff/vendor/client/upstream-error.ts'
import { ANCHORS_COUNT, anchorsAfter, findContinuation } from '#bff/vendor/reader/find-continuation.ts'
import type { ThreatNames } from '#bff/vendor/reader/read-threat.ts'
import { readThreatList } from '#bff/vendor/reader/read-threat-list.ts'
import type { Threat } from '#contract/bff/threat.ts'
import type { RouteSet } from '#contract/route-set.ts'

const CALLER: Caller = { priority: 'window', who: null, session: null }
const LIMIT = 100
/** What trial keys may ask for. */
const TRIAL_LIMIT = 50
const MARK_LENGTH = 10

/** Marks of all cursors and pages so far: one that comes again leads in a circle. */
const usedSchema = z._default(z.array(z.string()), [])

/** Where a crawl of the vendor's list goes on. */
const cursorSchema = z.discriminatedUnion('set', [
  z.object({
    set: z.literal('v1'),
    cursor: z.string(),
    used: usedSchema,
  }),
  z.object({
    set: z.literal('earlier'),
    offset: z.int(),
    anchors: z.array(z.string()),
    time: z.nullable(z.string()),
    used: usedSchema,
  }),
])
export type Cursor = z.infer<typeof cursorSchema>
type V1Cursor = Extract<Cursor, { set: 'v1' }>
type EarlierCursor = Extract<Cursor, { set: 'earlier' }>

const START: EarlierCursor = { set: 'earlier', offset: 0, anchors: [], time: null, used: [] }

/** Null for what is no cursor of a route set's list. */
export function parseCursor(text: string | null, set: RouteSet): Cursor | null {
  try {
    const { success, data } = cursorSchema.safeParse(JSON.parse(text ?? 'null'))
    return success && data.set === set ? data : null
  } catch {
    return null
  }
}

export type CrawlPage = {
  threats: Threat[]
  /** Null at the end of the list. */
  next: Cursor | null
  /** Whether the list promised more than it gives: nobody knows what lies behind its end. */
  isCut: boolean
  /** How many records the list says that it holds; null where it does not. */
  total: number | null
}

/** A page to ask for; without a cursor, the first. */
export type CrawlQuery = { set: RouteSet; since: string | null; cursor: Cursor | null }
export type Crawl = (query: CrawlQuery) => Promise<CrawlPage>

/** Reads the vendor's list page by page, newest first, in as few calls as the key's plan allows. */
export function createCrawl(upstream: Pick<Upstream, 'call'>, names?: ThreatNames): Crawl {
  let limit = LIMIT
  let isLimitTaken = false

  async function ask(set: RouteSet, query: Record<string, string | number | undefined>) {
    const route = set === 'v1' ? 'listThreats' : 'listFeed'
    const answer = await upstream.call(route, { query: { limit, ...query } }, CALLER)
    const page = readThreatList(set, answer, names)
    isLimitTaken = true
    if (!page) throw new UpstreamError({ set, kind: 'unreadable', reason: 'no list in the answer' })
    return page
  }

  async function readV1(since: string | null, at: V1Cursor | null): Promise<CrawlPage> {
    const { threats, cursor, received, total } = await ask('v1', {
      since: since ?? undefined,
      cursor: at?.cursor,
    })
    if (cursor === null) return { threats, next: null, isCut: false, total }
    const used = goOn(at, [cursor, idsOf(threats)])
    if (received === 0 || used === null) return { threats, next: null, isCut: true, total }
    return { threats, next: { set: 'v1', cursor, used }, isCut: false, total }
  }

  /** Offsets shift while records come and go: each page overlaps the one before, or is read again further up. */
  async function readEarlier(since: string | null, at: EarlierCursor): Promise<CrawlPage> {
    const offset = Math.max(0, at.offset - ANCHORS_COUNT)
    const page = await ask('earlier', { offset, date_from: since?.slice(0, 10) })
    const found = findContinuation(at, page.threats)
    if (found.kind === 'behind' && offset > 0) {
      const next = { ...at, offset: Math.max(0, offset - limit / 2) }
      return { threats: page.threats, next, isCut: false, total: page.total }
    }
    const end = offset + page.received
    const fresh = found.kind === 'ahead' ? [] : found.threats
    const goesOn =
      page.received > 0 && (page.hasMore ?? (page.total === null ? page.received >= limit : end < page.total))
    const time = fresh.findLast(({ publishedAt }) => publishedAt !== null)?.publishedAt ?? at.time
    const { threats, total } = page
    if (!goesOn) return { threats, next: null, isCut: false, total }
    const used = goOn(at, [idsOf(threats)])
    if (used === null) return { threats, next: null, isCut: true, total }
    const anchors = anchorsAfter(at.anchors, fresh)
    return { threats, next: { set: 'earlier', offset: end, anchors, time, used }, isCut: false, total }
  }

  async function read({ set, since, cursor }: CrawlQuery): Promise<CrawlPage> {
    if (set === 'v1') return readV1(since, cursor?.set === 'v1' ? cursor : null)
    return readEarlier(since, cursor?.set === 'earlier' ? cursor : START)
  }

  return async (query) => {
    try {
      return await read(query)
    } catch (error) {
      const isForLength = query.cursor === null || !isLimitTaken
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

export function isForbidden(error: unknown): boolean {
  return error instanceof UpstreamError && error.kind === 'forbidden'
}

export function isRejected(error: unknown): boolean {
  return error instanceof UpstreamError && error.kind === 'rejected'
}

/** What a crawl has met, with what it meets now; null where that came before. */
function goOn(at: Cursor | null, met: readonly string[]): string[] | null {
  const used = at?.used ?? []
  const marks = met.map((text) => createHash('sha256').update(text).digest('base64url').slice(0, MARK_LENGTH))
  return marks.some((mark) => used.includes(mark)) ? null : [...used, ...marks]
}

function idsOf(threats: readonly Threat[]): string {
  return JSON.stringify(threats.map(({ id }) => id))
}
