import { type AccountOptions, composeAccounts } from '#bff/accounts/compose-accounts.ts'
import { createListProblems, type ListProblems } from '#bff/alerts/health/list-problems.ts'
import { runEvaluation } from '#bff/alerts/run-evaluation.ts'
import { createSourceProfiles } from '#bff/alerts/source-profiles.ts'
import { createAccountLimits } from '#bff/http/account-limits.ts'
import { AnswerCache } from '#bff/http/answer-cache.ts'
import { createBff } from '#bff/http/app.ts'
import { createCspReportLog } from '#bff/http/guards/csp-report.ts'
import type { ResponseHeaders } from '#bff/http/guards/response-headers.ts'
import type { Log } from '#bff/http/log.ts'
import type { BffRoute } from '#bff/http/route.ts'
import { createServeCached } from '#bff/http/serve-cached.ts'
import type { StaticFiles } from '#bff/http/static-files.ts'
import { NO_NOTIFYING, type NotifySettings } from '#bff/notify/create-channels.ts'
import { readActiveProfiles } from '#bff/notify/profile-queries.ts'
import { createLedgerAccess } from '#bff/notify/recipient-seals.ts'
import { actorRoutes } from '#bff/pages/actors/actor-routes.ts'
import { createAlertRoutes } from '#bff/pages/alerts/create-alert-routes.ts'
import { healthRoutes } from '#bff/pages/alerts/health-routes.ts'
import { muteRoutes } from '#bff/pages/alerts/profiles/mute-routes.ts'
import { profileRoutes } from '#bff/pages/alerts/profiles/profile-routes.ts'
import { unsubscribePage } from '#bff/pages/alerts/unsubscribe-page.ts'
import { unsubscribeRoutes } from '#bff/pages/alerts/unsubscribe-routes.ts'
import { countryRoutes } from '#bff/pages/countries/country-routes.ts'
import { deliveryRoutes } from '#bff/pages/deliveries/delivery-routes.ts'
import { evidenceRoutes } from '#bff/pages/evidence/evidence-routes.ts'
import { placePicture } from '#bff/pages/evidence/picture-address.ts'
import { exportRoutes } from '#bff/pages/exports/export-routes.ts'
import { feedRoutes } from '#bff/pages/feeds/feed-routes.ts'
import { historyRoutes } from '#bff/pages/history/history-routes.ts'
import { inboxRoutes } from '#bff/pages/inbox/inbox-routes.ts'
import { metricsRoutes } from '#bff/pages/metrics/metrics-routes.ts'
import { overviewRoutes } from '#bff/pages/overview/overview-routes.ts'
import { sourceRoutes } from '#bff/pages/source/source-routes.ts'
import { fullTextRoutes } from '#bff/pages/threats/full-text-routes.ts'
import { newThreatRoutes } from '#bff/pages/threats/new-threat-routes.ts'
import { orStoredThreat } from '#bff/pages/threats/stored-threat.ts'
import { threatRoutes } from '#bff/pages/threats/threat-routes.ts'
import { trendRoutes } from '#bff/pages/trends/trend-routes.ts'
import { triageRoutes } from '#bff/pages/triage/triage-routes.ts'
import { viewRoutes } from '#bff/pages/views/view-routes.ts'
import { readHistoryWhile } from '#bff/store/history/read-history.ts'
import { createReadTallies } from '#bff/store/index/read-tallies.ts'
import { createReadSearch } from '#bff/store/read-search.ts'
import { storeReadDetail } from '#bff/store/sync/store-page.ts'
import {
  startWindowReader,
  type WindowReader,
  type WindowReaderOptions,
} from '#bff/store/sync/window-reader.ts'
import { createThreatStore, type ThreatStore } from '#bff/store/threat-store.ts'
import { raiseNotices } from '#bff/telemetry/raise-notices.ts'
import { type Clock, systemClock } from '#bff/time/clock.ts'
import { type HistoryLimits, USUAL_HISTORY } from '#bff/time/history-limits.ts'
import { notifyNewData } from '#bff/upstream/client/data-channel.ts'
import type { Timeouts } from '#bff/upstream/client/transport.ts'
import { createUpstream, type Upstream, type UpstreamKeys } from '#bff/upstream/client/upstream-client.ts'
import { watchData } from '#bff/upstream/client/watch-data.ts'
import { createAskableId, createFindStored } from '#bff/upstream/details/find-stored.ts'
import { createReadThreat } from '#bff/upstream/details/read-threats.ts'
import { perGeneration } from '#bff/upstream/generation.ts'
import { notifyKeysChanged } from '#bff/upstream/keys/key-queries.ts'
import { keyRoutes } from '#bff/upstream/keys/key-routes.ts'
import { KeyStore } from '#bff/upstream/keys/key-store.ts'
import { nameKeys, nameSource, renameSource } from '#bff/upstream/keys/known-secret.ts'
import { callRoutes } from '#bff/upstream/quota/call-routes.ts'
import { SeenCategories } from '#bff/upstream/seen-categories.ts'
import type { Source } from '#contract/bff/source.ts'
import type { DataVersion } from '#contract/upstream/data-version.ts'
import type { Database } from '#database/database.ts'
import type { OpenDatabase } from '#database/open-database.ts'
import type { ForwardProxy } from '#server/forward-proxy.ts'

export type RoomOptions = {
  /** Its address, and the keys that hold until an admin sets others. */
  upstream: UpstreamKeys & { url: string; kind: Source['kind'] }
  /** The only hosts, beside the upstream, that pictures are fetched from; `*` is any public one. None unless given. */
  evidenceHosts?: readonly string[] | undefined
  /** The source and pictures are reached through this proxy; directly without it. */
  proxy?: ForwardProxy | undefined
  /** Returns true if the database accepts writes. Without it, the database does. */
  isDatabaseWritable?: (() => Promise<boolean>) | undefined
  database: Database
  /** The store keeps this much of the vendor's threats. */
  history?: HistoryLimits | undefined
  /** People are notified with these settings; nobody is without them. */
  notify?: NotifySettings | undefined
  /** Signs the feed's cursors, names sources and drafts, seals keys. */
  secret: string
  /** The one that it replaces, which is still read. */
  secretBefore?: string | undefined
  /** Browsers and feed readers find Lantern here. */
  origin: string
  log: Log
  clock?: Clock
  timeouts?: Timeouts
  /** The keys or their plan have changed: earlier answers may not be shown any more. */
  onKeysChanged?: () => void
}

export type Rooms = {
  routes: BffRoute[]
  keyStore: KeyStore
  upstream: Upstream
  store: ThreatStore
  listProblems: ListProblems
  /** Takes part in the election of the process that syncs the window. */
  startReader(database: OpenDatabase, options?: Pick<WindowReaderOptions, 'pause' | 'isBusy'>): WindowReader
  /** The source's data is of this version: what was read before is read again. False where that is known. */
  applyData: Upstream['applyData']
  /** Finds what is stored under names of the SECRET, or version, before; once the keys were taken up. */
  renameSource(): Promise<void>
  close(): Promise<void>
}

/** The rooms on one client of the vendor, and the routes that answer from them. A page is its folder and its line here. */
export function composeRooms({
  upstream: { url, kind, ...given },
  evidenceHosts = [],
  clock = systemClock,
  isDatabaseWritable = async () => true,
  timeouts,
  onKeysChanged,
  notify = NO_NOTIFYING,
  history = USUAL_HISTORY,
  ...rest
}: RoomOptions): Rooms {
  const { database, secret, secretBefore, proxy, log } = rest
  const clientOptions = { url, database, clock, log, proxy, ...(timeouts && { timeouts }) }
  let reader: WindowReader | null = null

  const onChange = () => {
    onKeysChanged?.()
    reader?.restart()
  }
  const keyStore = new KeyStore({
    database,
    secret,
    secretBefore,
    log,
    kind,
    given,
    onChange,
    origin: new URL(url).origin,
  })
  const onPlanChange = () => {
    notifyKeysChanged(database, 'plan').catch((error: unknown) => log.error('plan-change-not-told', error))
  }
  const onNewData = (version: DataVersion) => notifyNewData({ database, log }, version)
  const upstream = createUpstream({
    ...clientOptions,
    onPlanChange,
    onNewData,
    keys: () => keyStore.keys(),
    generation: () => keyStore.generation,
  })
  const { generation } = upstream
  const namesWith = (key: string) => ({
    source: nameSource(url, key),
    keys: nameKeys(url, keyStore.keys(), key),
  })
  const { source: sourceName } = namesWith(secret)
  const source = () => sourceName
  const keysName = perGeneration(generation, () => namesWith(secret).keys)
  const categories = perGeneration(generation, () => new SeenCategories())
  const readSearch = createReadSearch({
    clock,
    profiles: () => alerts.peekProfiles(),
    lanternProfiles: () => readActiveProfiles(database),
  })
  const store = createThreatStore({ database, clock, source, limits: history, readSearch })
  const findStored = createFindStored(store.find, { database, source })
  const place = (address: string) =>
    placePicture(address, { upstreamOrigin: upstream.origin, hosts: evidenceHosts, proxy })
  const readVendorThreat = createReadThreat({
    upstream,
    clock,
    placePicture: place,
    askableId: createAskableId(findStored),
    onRead: (record) =>
      storeReadDetail(database, source(), record).catch((error: unknown) =>
        log.error('detail-not-stored', error),
      ),
  })

  const rooms = {
    ...rest,
    clock,
    kind,
    generation,
    upstream,
    source,
    categories,
    store,
    readSearch,
    findStored,
    isDatabaseWritable,
    readVendorThreat,
    readThreat: orStoredThreat(readVendorThreat, findStored),
    placePicture: place,
    readTallies: createReadTallies({ store, clock }),
  }
  const hasEmail = notify.mail !== undefined
  const noticeContext = { ...rooms, hasEmail, domains: notify.domains, reach: { hosts: notify.hosts, proxy } }
  const access = createLedgerAccess(rest.secret)
  const sourceProfiles = createSourceProfiles({ ...noticeContext, keysName, access })
  const listProblems = createListProblems({ ...rooms, access })
  const alerts = createAlertRoutes({
    ...rooms,
    hasEmail,
    source: keysName,
    webhookHosts: notify.hosts,
    onChanged: () => sourceProfiles.renew().catch((error: unknown) => log.error('profiles-not-read', error)),
  })
  const routes = [
    ...keyRoutes({ ...rooms, keyStore, trial: clientOptions }),
    ...callRoutes(rooms),
    ...sourceRoutes({ ...rooms, history }),
    ...historyRoutes({ ...rooms, limits: history }),
    ...threatRoutes(rooms),
    ...fullTextRoutes(rooms),
    ...newThreatRoutes(rooms),
    ...trendRoutes(rooms),
    ...triageRoutes(rooms),
    ...viewRoutes(rooms),
    ...profileRoutes(noticeContext),
    ...muteRoutes(rooms),
    ...unsubscribeRoutes({ ...rooms, keysName }),
    ...deliveryRoutes(rooms),
    ...inboxRoutes(rooms),
    ...feedRoutes(rooms),
    ...exportRoutes(rooms),
    ...evidenceRoutes(rooms),
    ...actorRoutes(rooms),
    ...countryRoutes(rooms),
    ...alerts.routes,
    ...healthRoutes({ ...rooms, access, hasEmail, keysName, listProblems }),
    ...overviewRoutes(rooms),
    ...metricsRoutes(rooms),
  ]

  return {
    routes,
    keyStore,
    upstream,
    store,
    listProblems,
    startReader(open, options) {
      reader = startWindowReader({
        ...options,
        database: open,
        upstream,
        clock,
        log,
        source,
        keys: keysName,
        history,
        // Calls of our own service cost nothing.
        isFree: kind === 'embedded',
        beside: async (signal) => {
          const evaluating = { ...noticeContext, sourceProfiles }
          const noticeOptions = {
            ...noticeContext,
            mail: notify.mail,
            isWritable: isDatabaseWritable,
            listProblems,
          }
          const past = { database, upstream, clock, log, source, limits: history }
          await Promise.all([
            watchData(upstream, signal),
            raiseNotices(noticeOptions, signal),
            runEvaluation(evaluating, signal),
            readHistoryWhile(signal, {
              ...past,
              isFree: kind === 'embedded',
              onWanted: () => reader?.restart(),
            }),
          ])
        },
      })
      return reader
    },
    applyData(version) {
      const taken = upstream.applyData(version)
      if (taken) reader?.restart()
      return taken
    },
    async renameSource() {
      const before = secretBefore === undefined ? null : namesWith(secretBefore)
      await renameSource(database, { before, now: namesWith(secret) })
    },
    close: () => upstream.close(),
  }
}

export type AppOptions = AccountOptions & {
  responseHeaders: ResponseHeaders
  staticFiles: StaticFiles
  /** The table without sign-in and accounts, which are always part of it. */
  routes: readonly BffRoute[]
  /** An address (URI) for reports of weaknesses; none unless given. */
  isDraining: () => boolean
  /** Returns true if the stored threats are in memory. */
  isInMemory?: (() => boolean) | undefined
  answers?: AnswerCache
}

/** Joins the app and what serves cached answers before it on one cache of sessions and answers. */
export function composeApp({
  responseHeaders,
  staticFiles,
  routes,
  isDraining,
  isInMemory = () => false,
  answers,
  ...options
}: AppOptions) {
  const { database, address, clock, log } = options
  const kept = answers ?? new AnswerCache(clock)
  const { sessions, sessionCookie, ...accounts } = composeAccounts({
    ...options,
    responseHeaders,
    findFirstFiles: staticFiles.findFirstFiles,
  })
  const limits = createAccountLimits(clock)
  const shared = { sessions, sessionCookie, answers: kept, origins: address.origins }
  const table = [...accounts.routes, ...routes]
  const logCspReport = createCspReportLog(log, clock)
  const app = createBff({
    ...shared,
    responseHeaders,
    staticFiles,
    isDraining,
    log,
    database,
    limits,
    logCspReport,
    readsWithoutDatabase: () => isInMemory() && sessions.hasLastSeen(),
    onRefused: accounts.onRefused,
    logOutByProvider: accounts.logOutByProvider,
    pages: [...accounts.pages, unsubscribePage(responseHeaders)],
    leadAway: accounts.leadAway,
    routes: table,
  })
  return { app, serveCached: createServeCached(shared), sessions, answers: kept, table }
}
