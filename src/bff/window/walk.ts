import * as z from 'zod/mini'
import type { ThreatNames } from '#bff/reader/read-threat.ts'
import { readThreatList } from '#bff/reader/read-threat-list.ts'
import { ANCHORS_COUNT, anchorsAfter } from '#bff/threats/feed-page.ts'
import { findContinuation } from '#bff/threats/find-continuation.ts'
import type { Caller } from '#bff/upstream/caller.ts'
import type { Upstream } from '#bff/upstream/upstream-client.ts'
import { UpstreamError } from '#bff/upstream/upstream-error.ts'
import type { Threat } from '#contract/bff/threat.ts'
import type { RouteSet } from '#contract/route-set.ts'

const CALLER: Caller = { priority: 'window', who: null, session: null }
const LIMIT = 100
/** What trial keys may ask for. */
const TRIAL_LIMIT = 50

/** Where a walk through the vendor's list goes on. */
const placeSchema = z.discriminatedUnion('set', [
  z.object({ set: z.literal('v1'), cursor: z.string() }),
  z.object({
    set: z.literal('earlier'),
    offset: z.int(),
    anchors: z.array(z.string()),
    time: z.nullable(z.string()),
  }),
])
type Place = z.infer<typeof placeSchema>
type EarlierPlace = Extract<Place, { set: 'earlier' }>

export type WalkPage = {
  threats: Threat[]
  /** Null at the end of the list. */
  next: string | null
}

export type Walk = (set: RouteSet, since: string | null, place: string | null) => Promise<WalkPage>

/** Reads the vendor's list page by page, newest first, in as few calls as the key's plan allows. */
export function createWalk(upstream: Pick<Upstream, 'call'>, names?: ThreatNames): Walk {
  let limit = LIMIT

  async function ask(set: RouteSet, query: Record<string, string | number | undefined>) {
    const route = set === 'v1' ? 'listThreats' : 'listFeed'
    const answer = await upstream.call(route, { query: { limit, ...query } }, CALLER)
    const page = readThreatList(set, answer, names)
    if (!page) throw new UpstreamError({ set, kind: 'unreadable', reason: 'no list in the answer' })
    return page
  }

  async function readV1(since: string | null, cursor: string | null): Promise<WalkPage> {
    const page = await ask('v1', { since: since ?? undefined, cursor: cursor ?? undefined })
    // A cursor that comes again, or leads on from nothing, would walk in a circle.
    const goesOn = page.cursor !== null && page.cursor !== cursor && page.received > 0
    const next = goesOn && page.cursor !== null ? writePlace({ set: 'v1', cursor: page.cursor }) : null
    return { threats: page.threats, next }
  }

  /** Offsets shift while records come and go: each page overlaps the one before, or is read again further up. */
  async function readEarlier(since: string | null, place: EarlierPlace): Promise<WalkPage> {
    const offset = Math.max(0, place.offset - ANCHORS_COUNT)
    const page = await ask('earlier', { offset, date_from: since?.slice(0, 10) })
    const found = findContinuation(place, page.threats)
    if (found.kind === 'behind' && offset > 0) {
      const next = writePlace({ ...place, offset: Math.max(0, offset - limit / 2) })
      return { threats: page.threats, next }
    }
    const end = offset + page.received
    const fresh = found.kind === 'ahead' ? [] : found.threats
    const goesOn =
      page.received > 0 && (page.hasMore ?? (page.total === null ? page.received >= limit : end < page.total))
    const time = fresh.findLast(({ publishedAt }) => publishedAt !== null)?.publishedAt ?? place.time
    const next = { set: 'earlier' as const, offset: end, anchors: anchorsAfter(place.anchors, fresh), time }
    return { threats: page.threats, next: goesOn ? writePlace(next) : null }
  }

  async function read(set: RouteSet, since: string | null, text: string | null): Promise<WalkPage> {
    const place = text === null ? null : placeSchema.parse(JSON.parse(text))
    if (set === 'v1') return readV1(since, place?.set === 'v1' ? place.cursor : null)
    const start: EarlierPlace = { set: 'earlier', offset: 0, anchors: [], time: null }
    return readEarlier(since, place?.set === 'earlier' ? place : start)
  }

  return async (set, since, place) => {
    try {
      return await read(set, since, place)
    } catch (error) {
      const isRefused = error instanceof UpstreamError && error.kind === 'rejected'
      if (!isRefused || limit === TRIAL_LIMIT) throw error
      limit = TRIAL_LIMIT
      return read(set, since, place)
    }
  }
}

function writePlace(place: Place): string {
  return JSON.stringify(place)
}
