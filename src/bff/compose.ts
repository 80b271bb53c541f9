import { runEvaluation } from '#bff/alerts/run-evaluation.ts'
import { createSourceProfiles } from '#bff/alerts/source-profiles.ts'
import type { Log } from '#bff/http/log.ts'
import type { NotifySettings } from '#bff/notify/create-channels.ts'
import { readActiveProfiles } from '#bff/notify/profile-queries.ts'
import { actorRoutes } from '#bff/pages/actors/actor-routes.ts'
import { alertRoutes } from '#bff/pages/alerts/alert-routes.ts'
import { healthRoutes } from '#bff/pages/alerts/health-routes.ts'
import { createProfileList, peekProfiles } from '#bff/pages/alerts/profile-list.ts'
import { muteRoutes } from '#bff/pages/alerts/profiles/mute-routes.ts'
import { profileRoutes } from '#bff/pages/alerts/profiles/profile-routes.ts'
import { unsubscribeRoutes } from '#bff/pages/alerts/unsubscribe-routes.ts'
import { caseRoutes } from '#bff/pages/cases/case-routes.ts'
import { dueTimeRoutes } from '#bff/pages/cases/due-time-routes.ts'
import { countryRoutes } from '#bff/pages/countries/country-routes.ts'
import { deliveryRoutes } from '#bff/pages/deliveries/delivery-routes.ts'
import { evidenceRoutes } from '#bff/pages/evidence/evidence-routes.ts'
import { exportRoutes } from '#bff/pages/exports/export-routes.ts'
import { feedRoutes } from '#bff/pages/feeds/feed-routes.ts'
import { historyRoutes } from '#bff/pages/history/history-routes.ts'
import { inboxRoutes } from '#bff/pages/inbox/inbox-routes.ts'
import { listRoutes } from '#bff/pages/lists/list-routes.ts'
import { metricsRoutes } from '#bff/pages/metrics/metrics-routes.ts'
import { teamRoutes } from '#bff/pages/metrics/team-routes.ts'
import { overviewRoutes } from '#bff/pages/overview/overview-routes.ts'
import { shiftRoutes } from '#bff/pages/shift/shift-routes.ts'
import { sourceRoutes } from '#bff/pages/source/source-routes.ts'
import { fullTextRoutes } from '#bff/pages/threats/full-text-routes.ts'
import { orStoredThreat } from '#bff/pages/threats/stored-threat.ts'
import { threatDetailRoutes } from '#bff/pages/threats/threat-detail-routes.ts'
import { threatRoutes } from '#bff/pages/threats/threat-routes.ts'
import { trendRoutes } from '#bff/pages/trends/trend-routes.ts'
import { triageRoutes } from '#bff/pages/triage/triage-routes.ts'
import { viewRoutes } from '#bff/pages/views/view-routes.ts'
import { createClaimPlacing } from '#bff/store/cases/place-claims.ts'
import { createReadThreat } from '#bff/store/details/read-threats.ts'
import { readHistoryWhile } from '#bff/store/history/read-history.ts'
import type { CompareNames } from '#bff/store/lists/find-pairs.ts'
import { createListPairs } from '#bff/store/lists/list-pairs.ts'
import { createListMatching, runListMatching } from '#bff/store/lists/match-lists.ts'
import type { SearchContext } from '#bff/store/read-search.ts'
import { type Sync, type SyncOptions, startSync } from '#bff/store/sync/start-sync.ts'
import { createThreatStore } from '#bff/store/threat-store.ts'
import { raiseNotices } from '#bff/telemetry/raise-notices.ts'
import { type Clock, systemClock } from '#bff/time/clock.ts'
import type { HistoryLimits } from '#bff/time/history-limits.ts'
import { notifyNewData } from '#bff/upstream/client/shown-data.ts'
import type { Timeouts } from '#bff/upstream/client/transport.ts'
import { createUpstream, type UpstreamKeys } from '#bff/upstream/client/upstream-client.ts'
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
import type { LedgerAccess } from '#delivery/ledger-access.ts'
import type { ForwardProxy } from '#server/forward-proxy.ts'
import { startLoop } from '#server/start-loop.ts'

/** With the service's own cache and the notice to open pages, a change shows well under five seconds. */
const DATA_POLL_MS = 1_000

/** The settings of the rooms, as the environment gives them. */
export type RoomSettings = {
  /** Its address, and the keys that hold until an admin sets others. */
  upstream: UpstreamKeys & { url: string; kind: Source['kind'] }
  /** The only hosts, beside the upstream, that pictures are fetched from; `*` is any public one. None unless given. */
  evidenceHosts?: readonly string[] | undefined
  /** The vendor and pictures are reached through this proxy; directly without it. */
  proxy?: ForwardProxy | undefined
  /** The store keeps this much of the vendor's threats. */
  history: HistoryLimits
  /** People are notified with these settings. */
  notify: NotifySettings
}

export type RoomOptions = RoomSettings & {
  /** Returns true if the database accepts writes. Without it, the database does. */
  isDatabaseWritable?: (() => Promise<boolean>) | undefined
  /** Compares threats with names of lists in another way. */
  compareNames?: CompareNames | undefined
  database: Database
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

/** Joins the rooms, and the routes that answer from them. A page is its folder and its line here. */
export function composeRooms({
  clock = systemClock,
  isDatabaseWritable = async () => true,
  onKeysChanged,
  evidenceHosts = [],
  ...options
}: RoomOptions) {
  let reader: Sync | null = null
  const vendor = composeVendor({ ...options, clock }, () => {
    onKeysChanged?.()
    reader?.restart()
  })
  const { database, log, secret, history } = options
  const { upstream, keyStore, trial, source, keysName, kind } = vendor
  const given = { ...options, ...vendor, clock, isDatabaseWritable }
  const stored = composeStore({ ...given, limits: history, evidenceHosts }, () => alerts.peekProfiles())
  const { store } = stored
  const rooms = { ...given, ...stored }
  const alerts = composeAlerts({ ...rooms, access: { secret } })
  const routes = [
    ...keyRoutes({ ...rooms, keyStore, trial }),
    ...callRoutes(rooms),
    ...sourceRoutes({ ...rooms, history }),
    ...historyRoutes({ ...rooms, limits: history }),
    ...threatRoutes(rooms),
    ...threatDetailRoutes(rooms),
    ...fullTextRoutes(rooms),
    ...trendRoutes(rooms),
    ...triageRoutes(rooms),
    ...viewRoutes(rooms),
    ...listRoutes(rooms),
    ...caseRoutes(rooms),
    ...dueTimeRoutes(rooms),
    ...alerts.routes,
    ...deliveryRoutes(rooms),
    ...inboxRoutes(rooms),
    ...feedRoutes(rooms),
    ...exportRoutes(rooms),
    ...evidenceRoutes(rooms),
    ...actorRoutes(rooms),
    ...countryRoutes(rooms),
    ...overviewRoutes(rooms),
    ...metricsRoutes(rooms),
    ...teamRoutes(rooms),
    ...shiftRoutes(rooms),
  ]
  // Calls of our own service cost nothing.
  const isFree = kind === 'embedded'
  const onWanted = () => reader?.restart()

  return {
    routes,
    keyStore,
    upstream,
    store,
    problems: alerts.problems,
    /** Finds what is stored under names of the SECRET, or version, before; once the keys were applied. */
    renameSource: vendor.renameSource,
    /** Takes part in the election of the process that syncs stored threats. */
    startReader(open: OpenDatabase, timing: Partial<SyncOptions> = {}) {
      const syncing = { database: open, upstream, clock, log, source, keys: keysName, history, isFree }
      const past = { database, upstream, clock, log, source, limits: history, isFree, onWanted }
      reader = startSync({
        ...timing,
        ...syncing,
        beside: async (signal) => {
          const onFault = (error: unknown) => log.error('data-version-not-read', error)
          await Promise.all([
            startLoop(upstream.pollDataVersion, { everyMs: DATA_POLL_MS, signal, onFault }).ended,
            alerts.run(signal),
            readHistoryWhile(signal, past),
            runListMatching({ listMatching: stored.listMatching, log }, signal),
            stored.claimPlacing.run(signal, timing.restAfter),
          ])
        },
      })
      return reader
    },
    /** The vendor's data is of this version: what was read before is read again. False where that is known. */
    applyData(version: DataVersion) {
      const taken = upstream.applyData(version)
      if (taken) reader?.restart()
      return taken
    },
    close: () => upstream.close(),
  }
}

type Given = Omit<RoomOptions, 'upstream'> & { clock: Clock }

/** Owns the vendor's keys and the client that calls with them. */
function composeVendor(
  { upstream: { url, kind, ...keys }, timeouts, ...options }: RoomOptions & { clock: Clock },
  onChange: () => void,
) {
  const { database, secret, secretBefore, log, clock, proxy } = options
  const trial = { url, database, clock, log, proxy, ...(timeouts && { timeouts }) }
  const { origin } = new URL(url)
  const keyStore = new KeyStore({ database, secret, secretBefore, log, kind, given: keys, onChange, origin })
  const upstream = createUpstream({
    ...trial,
    onPlanChange() {
      notifyKeysChanged(database, 'plan').catch((error: unknown) => log.error('plan-change-not-told', error))
    },
    onNewData: (version) => notifyNewData({ database, log }, version),
    keys: () => keyStore.keys(),
    generation: () => keyStore.generation,
  })
  const { generation } = upstream
  const namesWith = (key: string) => ({
    source: nameSource(url, key),
    keys: nameKeys(url, keyStore.keys(), key),
  })
  const { source } = namesWith(secret)
  return {
    kind,
    keyStore,
    upstream,
    generation,
    /** A key is tried with these before it replaces another. */
    trial,
    source,
    keysName: perGeneration(generation, () => namesWith(secret).keys),
    categories: perGeneration(generation, () => new SeenCategories()),
    async renameSource() {
      const before = secretBefore === undefined ? null : namesWith(secretBefore)
      await renameSource(database, { before, now: namesWith(secret) })
    },
  }
}

type Vendor = ReturnType<typeof composeVendor>

/** Owns the stored threats, and reads from the vendor what they lack. */
function composeStore(
  {
    upstream,
    source,
    evidenceHosts: hosts,
    limits,
    ...options
  }: Given & Vendor & { evidenceHosts: readonly string[]; limits: HistoryLimits },
  profiles: NonNullable<SearchContext['profiles']>,
) {
  const { database, clock, log, proxy } = options
  const searchContext: SearchContext = {
    clock,
    profiles,
    lanternProfiles: () => readActiveProfiles(database),
    readListPairs: createListPairs(database),
  }
  const store = createThreatStore({ database, clock, source, limits, searchContext })
  const stored = { database, source, store }
  const pictureHosts = { upstreamOrigin: upstream.origin, hosts, proxy }
  const readVendorThreat = createReadThreat({ ...stored, upstream, clock, log, pictureHosts })
  return {
    store,
    listMatching: createListMatching({ database, log, compare: options.compareNames }),
    claimPlacing: createClaimPlacing({ database, log }),
    searchContext,
    readVendorThreat,
    readThreat: orStoredThreat(readVendorThreat, stored),
    pictureHosts,
  }
}

type AlertOptions = Given &
  Vendor &
  ReturnType<typeof composeStore> & {
    access: LedgerAccess
    isDatabaseWritable: () => Promise<boolean>
  }

/** Owns alert profiles, who hears of their matches, and the problems on the way. */
function composeAlerts({ notify, ...rooms }: AlertOptions) {
  const { proxy, log } = rooms
  const hasEmail = notify.mail !== undefined
  const context = { ...rooms, hasEmail, domains: notify.domains, reach: { hosts: notify.hosts, proxy } }
  const sourceProfiles = createSourceProfiles(context)
  const problems = { ...context, openedSeals: new Set<string>() }
  const profiles = createProfileList({ ...context, source: rooms.keysName })
  const vendorContext = {
    ...context,
    profiles,
    source: rooms.keysName,
    webhookHosts: notify.hosts,
    onChanged: () => sourceProfiles.renew().catch((error: unknown) => log.error('profiles-not-read', error)),
  }
  const noticing = { ...context, mail: notify.mail, isWritable: rooms.isDatabaseWritable, problems }
  return {
    routes: [
      ...profileRoutes(context),
      ...muteRoutes(context),
      ...alertRoutes(vendorContext),
      ...unsubscribeRoutes(vendorContext),
      ...healthRoutes({ ...context, problems }),
    ],
    peekProfiles: () => peekProfiles(profiles, log),
    problems,
    /** Evaluates profiles and reports problems, in the elected process. */
    run: (signal: AbortSignal) =>
      Promise.all([raiseNotices(noticing, signal), runEvaluation({ ...context, sourceProfiles }, signal)]),
  }
}
