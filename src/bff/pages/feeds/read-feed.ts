import { LRUCache } from 'lru-cache'
import * as z from 'zod/mini'
import { ProblemError } from '#bff/http/problem-error.ts'
import { hashToken } from '#bff/http/token.ts'
import { SHARED_LISTS_REVISION } from '#bff/store/lists/list-queries.ts'
import { readThreatConcerns } from '#bff/store/lists/threat-concerns.ts'
import { readFilter } from '#bff/store/stored-filter.ts'
import type { ThreatStore } from '#bff/store/threat-store.ts'
import type { Clock } from '#bff/time/clock.ts'
import { feedBounds } from '#bff/time/time-range.ts'
import { perGeneration } from '#bff/upstream/generation.ts'
import { viewSchema } from '#contract/bff/view.ts'
import type { Database } from '#database/database.ts'
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

export type ReadFeedDependencies = {
  database: Database
  store: ThreatStore
  /** A feed of one key's records is not served with another. */
  generation: () => number
  clock: Clock
  /** Browsers find Lantern here. */
  origin: string
}
/** The feed of a file name below `/feeds/`; null where there is none, or none any more. */
export type ReadFeed = (fileName: string) => Promise<string | null>

/** Saved views as Atom, from the window, free. Whoever has the address may read: it is the only secret. */
export function createReadFeed({
  database,
  store,
  generation,
  clock,
  origin,
}: ReadFeedDependencies): ReadFeed {
  const perf = { now: () => clock.elapsedMs() }
  const keptNow = perGeneration(
    generation,
    () =>
      new LRUCache<string, Promise<string>>({ max: KEPT_MAX_COUNT, ttl: FRESH_MS, ttlResolution: 0, perf }),
  )

  async function makeFeed(view: FeedView, fileName: string): Promise<string> {
    const stored = await store.storedRange()
    // Feed readers take an empty feed for the deletion of all records.
    if (!stored) {
      throw new ProblemError({
        code: 'window_empty',
        detail: 'Feeds are made of the threats stored here. Ask again in a minute.',
      })
    }
    const { filter, timeZone, accountId } = view
    const query = { ...filter, timeZone, author: { accountId } }
    const page = await store.list(query, feedBounds(query, clock.nowMs()), null)
    const { threats } = page.answer
    // Anybody may have the address: the owner's private lists are left out.
    const concerns = await readThreatConcerns(database, null, threats)
    return writeAtom({
      id: toUrn('view', view.id),
      title: `Lantern: ${view.name}`,
      selfUrl: `${origin}/feeds/${fileName}`,
      pageUrl: `${origin}/threats?view=${view.id}`,
      updatedAt: stored.freshness.fetchedAt,
      threats: concerns.addTo(threats),
      origin,
    })
  }

  return async (fileName) => {
    const [, token] = ADDRESS.exec(fileName) ?? []
    if (!token) return null
    const hash = hashToken(token)
    // Looked up each time: an address that is taken back ends at once.
    const view = await findFeedView(database, hash)
    if (!view) return null
    const key = JSON.stringify([fileName, view])
    const kept = keptNow()
    const known = kept.get(key)
    if (known) return known
    const feed = makeFeed(view, fileName)
    kept.set(key, feed)
    feed.catch(() => kept.delete(key))
    return feed
  }
}

/** The view behind a feed's address, while its owner may make one. */
async function findFeedView(db: Database, hash: Buffer): Promise<FeedView | null> {
  const { rows } = await db.query(
    `select saved_view.id, saved_view.name, filter, time_zone as "timeZone", account_id as "accountId",
            ${SHARED_LISTS_REVISION} as "listsRevision"
       from saved_view join account on account.id = saved_view.account_id
      where feed_token_hash = $1 and account.disabled_at is null and account.role <> 'viewer'`,
    [hash],
  )
  return z.array(feedViewSchema).parse(rows).at(0) ?? null
}
