import { LRUCache } from 'lru-cache'
import * as z from 'zod/mini'
import { notFound, nothingRead } from '#bff/http/problem-error.ts'
import { type BffRoute, defineRoute } from '#bff/http/route.ts'
import { hashToken } from '#bff/http/token.ts'
import { readThreatConcerns } from '#bff/store/lists/threat-concerns.ts'
import { SHARED_LISTS_REVISION } from '#bff/store/lists/visible-lists.ts'
import { readFilter } from '#bff/store/stored-filter.ts'
import type { ThreatStore } from '#bff/store/threat-store.ts'
import type { Clock } from '#bff/time/clock.ts'
import { feedBounds } from '#bff/time/time-range.ts'
import { perGeneration } from '#bff/upstream/generation.ts'
import { viewSchema } from '#contract/bff/view.ts'
import type { Database } from '#database/database.ts'
import { findRow } from '#database/read-rows.ts'
import { toUrn, writeAtom } from './write-atom.ts'

/** Feed readers poll every few minutes at most; one that polls faster is given the same bytes. */
const FRESH_MS = 60_000
const KEPT_MAX_COUNT = 200
const ADDRESS = /^([A-Za-z0-9_-]{43})\.atom$/

const feedViewSchema = z.object({
  id: z.string(),
  name: z.string(),
  filter: z.pipe(
    z.string(),
    z.transform((text) => viewSchema.shape.filter.parse(readFilter(text))),
  ),
  timeZone: z.string(),
  accountId: z.string(),
  /** Part of the cache's key: a list that becomes private leaves the feed at once. */
  listsRevision: z.string(),
})
type FeedView = z.infer<typeof feedViewSchema>

type FeedDependencies = {
  database: Database
  store: ThreatStore
  /** A feed of one key's records is not served with another. */
  generation: () => number
  clock: Clock
  /** Browsers find Lantern here. */
  origin: string
}

/** Saved views as Atom, from the store, free. The routes are public: the address is the only secret. */
export function feedRoutes(dependencies: FeedDependencies): BffRoute[] {
  const { database, generation, clock } = dependencies
  const perf = { now: () => clock.elapsedMs() }
  const keptNow = perGeneration(
    generation,
    () =>
      new LRUCache<string, Promise<string>>({ max: KEPT_MAX_COUNT, ttl: FRESH_MS, ttlResolution: 0, perf }),
  )
  return [
    defineRoute('GET /bff/feeds/:fileName', {
      access: 'public',
      params: z.object({ fileName: z.string().check(z.maxLength(64)) }),
      async answer({ params: { fileName } }) {
        // Looked up each time: an address that is taken back ends at once.
        const view = await findFeedView(database, fileName)
        if (!view) throw notFound('There is no feed at this address. Its owner may have taken it back.')
        const key = JSON.stringify([fileName, view])
        const kept = keptNow()
        let feed = kept.get(key)
        if (!feed) {
          feed = makeFeed(dependencies, view, fileName)
          kept.set(key, feed)
          feed.catch(() => kept.delete(key))
        }
        return {
          bytes: new TextEncoder().encode(await feed),
          contentType: 'application/atom+xml; charset=utf-8',
          headers: { 'x-robots-tag': 'noindex' },
        }
      },
    }),
  ]
}

async function makeFeed(
  { database, store, clock, origin }: FeedDependencies,
  view: FeedView,
  fileName: string,
): Promise<string> {
  const stored = await store.storedRange()
  // Feed readers take an empty feed for the deletion of all records.
  if (!stored) throw nothingRead('Feeds are made of the threats stored here. Ask again in a minute.')
  const { filter, timeZone, accountId } = view
  const query = { ...filter, timeZone, author: { accountId } }
  const { answer } = await store.list(query, feedBounds(query, clock.nowMs()), null)
  // Anybody may have the address: the owner's private lists are left out.
  const concerns = await readThreatConcerns(database, null, answer.threats)
  return writeAtom({
    id: toUrn('view', view.id),
    title: `Lantern: ${view.name}`,
    selfUrl: `${origin}/feeds/${fileName}`,
    pageUrl: `${origin}/threats?view=${view.id}`,
    updatedAt: stored.freshness.fetchedAt,
    threats: concerns.addTo(answer.threats),
    origin,
  })
}

/** The view behind a feed's address, while its owner may make one. */
async function findFeedView(db: Database, fileName: string): Promise<FeedView | null> {
  const [, token] = ADDRESS.exec(fileName) ?? []
  if (!token) return null
  return findRow(db, feedViewSchema, [hashToken(token)])`
    select saved_view.id, saved_view.name, filter, time_zone as "timeZone", account_id as "accountId",
           ${SHARED_LISTS_REVISION} as "listsRevision"
      from saved_view join account on account.id = saved_view.account_id
     where feed_token_hash = $1 and account.disabled_at is null and account.role <> 'viewer'`
}
