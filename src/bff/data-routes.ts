import type { Source } from '#contract/bff/source.ts'
import type { Database } from '#database/database.ts'
import { actorRoutes } from './actors/actor-routes.ts'
import { countryRoutes } from './countries/country-routes.ts'
import { evidenceRoutes } from './evidence/evidence-routes.ts'
import { parsePictureAddress } from './evidence/picture-address.ts'
import { createReadPicture } from './evidence/read-picture.ts'
import type { Log } from './log.ts'
import { metricsRoutes } from './metrics/metrics-routes.ts'
import type { BffRoute } from './route.ts'
import { SeenCategories } from './source/seen-categories.ts'
import { sourceRoutes } from './source/source-routes.ts'
import { FeedCursors } from './threats/feed-cursor.ts'
import { createListThreats } from './threats/list-threats.ts'
import { createReadThreat } from './threats/read-threats.ts'
import { createReadRelated } from './threats/related-threats.ts'
import { createThreatPages } from './threats/threat-pages.ts'
import { threatRoutes } from './threats/threat-routes.ts'
import { type Clock, systemClock } from './upstream/clock.ts'
import type { Timeouts } from './upstream/transport.ts'
import { createUpstream } from './upstream/upstream-client.ts'

/** A vendor's calls are scarce; those of our own service cost nothing but its time. */
const FEED_FRESH_FOR_MS: Readonly<Record<Source['kind'], number>> = { embedded: 15_000, vendor: 60_000 }

export type DataRoutesOptions = {
  upstream: {
    url: string
    apiKey?: string | undefined
    earlierApiKey?: string | undefined
    kind: Source['kind']
  }
  database: Database
  /** Signs the feed's cursors. */
  secret: string
  log: Log
  clock?: Clock
  timeouts?: Timeouts
}

/** The routes that answer from the vendor's API, on one client and its caches. */
export function createDataRoutes({
  upstream: source,
  secret,
  log,
  clock = systemClock,
  timeouts,
}: DataRoutesOptions): {
  routes: BffRoute[]
  close(): Promise<void>
} {
  const { kind, ...address } = source
  const upstream = createUpstream({ ...address, clock, log, ...(timeouts && { timeouts }) })
  const categories = new SeenCategories()
  const readPage = createThreatPages({ upstream, clock, categories, freshForMs: FEED_FRESH_FOR_MS[kind] })
  const listThreats = createListThreats({ readPage, cursors: new FeedCursors(secret), upstream, categories })
  const canFetchPicture = (url: string) => parsePictureAddress(url, upstream.origin) !== null
  const readThreat = createReadThreat({ upstream, clock, canFetchPicture })
  const readRelated = createReadRelated({ readThreat, listThreats, clock })
  const readPicture = createReadPicture({ upstreamOrigin: upstream.origin, clock })

  return {
    routes: [
      ...sourceRoutes({ kind, upstream, categories }),
      ...threatRoutes({ listThreats, readThreat, readRelated }),
      ...evidenceRoutes({ readThreat, readPicture }),
      ...actorRoutes({ upstream, clock }),
      ...countryRoutes({ upstream, clock }),
      ...metricsRoutes({ upstream, clock, categories }),
    ],
    close: () => upstream.close(),
  }
}
