import { createHmac } from 'node:crypto'
import type { Log } from '#bff/http/log.ts'
import type { BffRoute } from '#bff/http/route.ts'
import { actorRoutes } from '#bff/pages/actors/actor-routes.ts'
import { createAlertRoutes } from '#bff/pages/alerts/create-alert-routes.ts'
import type { FindTriggers } from '#bff/pages/alerts/find-triggers.ts'
import { countryRoutes } from '#bff/pages/countries/country-routes.ts'
import { evidenceRoutes } from '#bff/pages/evidence/evidence-routes.ts'
import { parsePictureAddress } from '#bff/pages/evidence/picture-address.ts'
import { createReadPicture } from '#bff/pages/evidence/read-picture.ts'
import { exportRoutes } from '#bff/pages/exports/export-routes.ts'
import { createExportThreats } from '#bff/pages/exports/export-threats.ts'
import { feedRoutes } from '#bff/pages/feeds/feed-routes.ts'
import { createReadFeed } from '#bff/pages/feeds/read-feed.ts'
import { metricsRoutes } from '#bff/pages/metrics/metrics-routes.ts'
import { overviewRoutes } from '#bff/pages/overview/overview-routes.ts'
import { createReadOverview } from '#bff/pages/overview/read-overview.ts'
import { sourceRoutes } from '#bff/pages/source/source-routes.ts'
import { FeedCursors } from '#bff/pages/threats/feed-cursor.ts'
import { orHeldThreat } from '#bff/pages/threats/held-threat.ts'
import { createListThreats } from '#bff/pages/threats/list-threats.ts'
import { createReadRelated } from '#bff/pages/threats/related-threats.ts'
import { createThreatPages } from '#bff/pages/threats/threat-pages.ts'
import { threatRoutes } from '#bff/pages/threats/threat-routes.ts'
import { createReadTrend } from '#bff/pages/trends/read-trend.ts'
import { trendRoutes } from '#bff/pages/trends/trend-routes.ts'
import { triageRoutes } from '#bff/pages/triage/triage-routes.ts'
import { viewRoutes } from '#bff/pages/views/view-routes.ts'
import { type Clock, systemClock } from '#bff/time/clock.ts'
import { FILLED_DAYS, KEPT_DAYS } from '#bff/time/window-days.ts'
import type { Timeouts } from '#bff/vendor/client/transport.ts'
import { createUpstream, type Upstream } from '#bff/vendor/client/upstream-client.ts'
import { createReadThreat } from '#bff/vendor/details/read-threats.ts'
import { callRoutes } from '#bff/vendor/quota/call-routes.ts'
import { type FieldMapping, nameFields } from '#bff/vendor/reader/field-mapping.ts'
import { SeenCategories } from '#bff/vendor/seen-categories.ts'
import { createReadTallies } from '#bff/window/index/read-tallies.ts'
import { startWindowReader } from '#bff/window/sync/window-reader.ts'
import { createWindow } from '#bff/window/window.ts'
import type { Source } from '#contract/bff/source.ts'
import type { Database } from '#database/database.ts'
import type { OpenDatabase } from '#database/open-database.ts'

/** A vendor's calls are scarce; those of our own service cost nothing but its time. */
const FEED_FRESH_FOR_MS: Readonly<Record<Source['kind'], number>> = { embedded: 15_000, vendor: 60_000 }

export type DataRoutesOptions = {
  upstream: {
    url: string
    apiKey?: string | undefined
    earlierApiKey?: string | undefined
    kind: Source['kind']
  }
  fieldMapping?: FieldMapping | undefined
  /** The only hosts, beside the upstream, that pictures are fetched from; any public one unless given. */
  evidenceHosts?: readonly string[] | undefined
  database: Database
  /** Signs the feed's cursors. */
  secret: string
  /** Where browsers, and readers of feeds, find us. */
  origin: string
  log: Log
  clock?: Clock
  timeouts?: Timeouts
  /** What was read so far may not be shown any more. */
  onPlanChange?: () => void
}

/** The routes that answer from the vendor's API, on one client and its caches. */
export function createDataRoutes({
  upstream: source,
  fieldMapping = {},
  evidenceHosts,
  database,
  secret,
  origin,
  log,
  clock = systemClock,
  timeouts,
  onPlanChange,
}: DataRoutesOptions): {
  routes: BffRoute[]
  /** What is known of the key by now, in any process. */
  readSourceFacts: Upstream['state']
  readKeyStates: Upstream['keyStates']
  /** What was remembered of the window is out of date. */
  forgetWindow(): void
  findTriggers: FindTriggers
  /** Stands for election as the window's reader. */
  startWindowReader(database: OpenDatabase): { close(): Promise<void> }
  close(): Promise<void>
} {
  const { kind, ...address } = source
  const names = nameFields(fieldMapping)
  const windowSource = nameSource(address, fieldMapping, secret)
  const upstream = createUpstream({
    ...address,
    database,
    clock,
    log,
    onPlanChange,
    ...(timeouts && { timeouts }),
  })
  const categories = new SeenCategories()
  const readPage = createThreatPages({
    upstream,
    clock,
    categories,
    freshForMs: FEED_FRESH_FOR_MS[kind],
    names: names.threat,
  })
  const window = createWindow({ database, clock, source: windowSource })
  const readTallies = createReadTallies({ database, window, clock })
  const cursors = new FeedCursors(secret)
  const listThreats = createListThreats({ readPage, cursors, upstream, categories, window, clock })
  const parseAddress = (url: string) =>
    parsePictureAddress(url, { upstreamOrigin: upstream.origin, hosts: evidenceHosts })
  const canFetchPicture = (url: string) => parseAddress(url) !== null
  const readUpstreamThreat = createReadThreat({ upstream, clock, canFetchPicture, names: names.threat })
  const readThreat = orHeldThreat(readUpstreamThreat, window)
  const readRelated = createReadRelated({ readThreat, listThreats, window, clock })
  const readPicture = createReadPicture({ parseAddress, clock })

  const alerts = createAlertRoutes({
    upstream,
    window,
    readThreat,
    categories,
    database,
    clock,
    log,
    source: windowSource,
    secret,
  })

  return {
    routes: [
      ...callRoutes({ database, clock }),
      ...sourceRoutes({ kind, upstream, categories, window }),
      ...threatRoutes({ listThreats, readThreat, readRelated }),
      ...trendRoutes({ readTrend: createReadTrend({ window, clock }) }),
      ...triageRoutes({ database }),
      ...viewRoutes({ database, origin }),
      ...feedRoutes({ readFeed: createReadFeed({ database, window, clock, origin }) }),
      ...exportRoutes({ database, exportThreats: createExportThreats({ window, clock }), log }),
      ...evidenceRoutes({ readThreat: readUpstreamThreat, readPicture }),
      ...actorRoutes({ upstream, clock, names: names.actor, readTallies }),
      ...countryRoutes({ upstream, clock, names: names.country, readTallies }),
      ...alerts.routes,
      ...overviewRoutes({ database, readOverview: createReadOverview({ database, window, clock }) }),
      ...metricsRoutes({ upstream, clock, categories }),
    ],
    readSourceFacts: () => upstream.state(),
    readKeyStates: () => upstream.keyStates(),
    forgetWindow: () => window.forget(),
    findTriggers: alerts.findTriggers,
    startWindowReader: (open) =>
      startWindowReader({
        database: open,
        upstream,
        clock,
        log,
        source: windowSource,
        // Calls of our own service cost nothing.
        filledDays: kind === 'embedded' ? KEPT_DAYS : FILLED_DAYS,
        isFree: kind === 'embedded',
        names: names.threat,
      }),
    close: () => upstream.close(),
  }
}

/**
 * Tells one address, its keys and its names from others: another key must not see what this one could read, and what was
 * read by other names is read anew.
 */
function nameSource(
  { url, apiKey = '', earlierApiKey = '' }: Omit<DataRoutesOptions['upstream'], 'kind'>,
  { threat = {} }: FieldMapping,
  secret: string,
): string {
  const named = JSON.stringify([new URL(url).origin, apiKey, earlierApiKey, threat])
  return createHmac('sha256', secret).update(`window-source\n${named}`).digest('base64url')
}
