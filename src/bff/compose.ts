import { createHmac } from 'node:crypto'
import { auditRoutes } from '#bff/accounts/audit/audit-routes.ts'
import { createFlowCookie } from '#bff/accounts/oidc/oidc-flow.ts'
import { createOidcProvider, type OidcSettings } from '#bff/accounts/oidc/oidc-provider.ts'
import { oidcRoutes } from '#bff/accounts/oidc/oidc-routes.ts'
import { createPasswords } from '#bff/accounts/sign-in/password-hash.ts'
import { SessionStore } from '#bff/accounts/sign-in/session-store.ts'
import { createSignIn } from '#bff/accounts/sign-in/sign-in.ts'
import { signInRoutes } from '#bff/accounts/sign-in/sign-in-routes.ts'
import { profileRoutes } from '#bff/accounts/users/profile-routes.ts'
import { userRoutes } from '#bff/accounts/users/user-routes.ts'
import { AnswerCache } from '#bff/http/answer-cache.ts'
import { createBff } from '#bff/http/app.ts'
import { createCookies } from '#bff/http/cookies.ts'
import { createCspReportLog } from '#bff/http/guards/csp-report.ts'
import type { PublicAddress } from '#bff/http/guards/public-url.ts'
import type { ResponseHeaders } from '#bff/http/guards/response-headers.ts'
import type { Log } from '#bff/http/log.ts'
import type { BffRoute } from '#bff/http/route.ts'
import { createServeCached } from '#bff/http/serve-cached.ts'
import type { StaticFiles } from '#bff/http/static-files.ts'
import { actorRoutes } from '#bff/pages/actors/actor-routes.ts'
import { createAlertRoutes } from '#bff/pages/alerts/create-alert-routes.ts'
import type { FindTriggers } from '#bff/pages/alerts/find-triggers.ts'
import { countryRoutes } from '#bff/pages/countries/country-routes.ts'
import { evidenceRoutes } from '#bff/pages/evidence/evidence-routes.ts'
import { parsePictureAddress } from '#bff/pages/evidence/picture-address.ts'
import { exportRoutes } from '#bff/pages/exports/export-routes.ts'
import { feedRoutes } from '#bff/pages/feeds/feed-routes.ts'
import { metricsRoutes } from '#bff/pages/metrics/metrics-routes.ts'
import { overviewRoutes } from '#bff/pages/overview/overview-routes.ts'
import { sourceRoutes } from '#bff/pages/source/source-routes.ts'
import { orStoredThreat } from '#bff/pages/threats/stored-threat.ts'
import { threatRoutes } from '#bff/pages/threats/threat-routes.ts'
import { trendRoutes } from '#bff/pages/trends/trend-routes.ts'
import { triageRoutes } from '#bff/pages/triage/triage-routes.ts'
import { viewRoutes } from '#bff/pages/views/view-routes.ts'
import { type Clock, systemClock } from '#bff/time/clock.ts'
import { FILLED_DAYS, KEPT_DAYS } from '#bff/time/window-days.ts'
import type { Timeouts } from '#bff/vendor/client/transport.ts'
import { createUpstream, type Upstream, type UpstreamKeys } from '#bff/vendor/client/upstream-client.ts'
import { createReadThreat } from '#bff/vendor/details/read-threats.ts'
import { perGeneration } from '#bff/vendor/generation.ts'
import { KeyCustody } from '#bff/vendor/keys/key-custody.ts'
import { notifyKeysChanged } from '#bff/vendor/keys/key-queries.ts'
import { keyRoutes } from '#bff/vendor/keys/key-routes.ts'
import { callRoutes } from '#bff/vendor/quota/call-routes.ts'
import { type FieldMapping, nameFields } from '#bff/vendor/reader/field-mapping.ts'
import { SeenCategories } from '#bff/vendor/seen-categories.ts'
import { createReadTallies } from '#bff/window/index/read-tallies.ts'
import { startWindowReader, type WindowReader } from '#bff/window/sync/window-reader.ts'
import { createWindow, type Window } from '#bff/window/window.ts'
import type { Source } from '#contract/bff/source.ts'
import type { Database } from '#database/database.ts'
import type { OpenDatabase } from '#database/open-database.ts'

export type RoomOptions = {
  /** Its address, and the keys that hold until an admin sets others. */
  upstream: UpstreamKeys & { url: string; kind: Source['kind'] }
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
  /** The keys or their plan have changed: earlier answers may not be shown any more. */
  onKeysChanged?: () => void
}

export type Rooms = {
  routes: BffRoute[]
  custody: KeyCustody
  upstream: Upstream
  window: Window
  findTriggers: FindTriggers
  /** Takes part in the election of the process that syncs the window. */
  startReader(database: OpenDatabase): WindowReader
  close(): Promise<void>
}

/** The rooms on one client of the vendor, and the routes that answer from them. A page is its folder and its line here. */
export function composeRooms({
  upstream: { url, kind, ...given },
  fieldMapping = {},
  evidenceHosts,
  clock = systemClock,
  timeouts,
  onKeysChanged,
  ...rest
}: RoomOptions): Rooms {
  const { database, secret, log } = rest
  const names = nameFields(fieldMapping)
  const clientOptions = { url, database, clock, log, ...(timeouts && { timeouts }) }
  let reader: WindowReader | null = null

  const onChange = () => {
    onKeysChanged?.()
    reader?.restart()
  }
  const custody = new KeyCustody({
    ...{ database, secret, log, kind, given, onChange },
    origin: new URL(url).origin,
  })
  const onPlanChange = () => {
    notifyKeysChanged(database, 'plan').catch((error: unknown) => log.error('plan-change-not-told', error))
  }
  const generation = () => custody.generation
  const upstream = createUpstream({ ...clientOptions, keys: () => custody.keys(), generation, onPlanChange })
  const source = perGeneration(generation, () => nameSource(url, custody.keys(), fieldMapping, secret))
  const categories = perGeneration(generation, () => new SeenCategories())
  const window = createWindow({ database, clock, source })
  const parseAddress = (address: string) =>
    parsePictureAddress(address, { upstreamOrigin: upstream.origin, hosts: evidenceHosts })
  const canFetchPicture = (address: string) => parseAddress(address) !== null
  const readVendorThreat = createReadThreat({ upstream, clock, canFetchPicture, names: names.threat })

  const rooms = {
    ...{ ...rest, clock, kind, names, generation, upstream, source, categories, window },
    ...{ readVendorThreat, readThreat: orStoredThreat(readVendorThreat, window), parseAddress },
    readTallies: createReadTallies({ database, window, clock }),
  }
  const alerts = createAlertRoutes(rooms)
  const routes = [
    ...keyRoutes({ ...rooms, custody, trial: clientOptions }),
    ...callRoutes(rooms),
    ...sourceRoutes(rooms),
    ...threatRoutes(rooms),
    ...trendRoutes(rooms),
    ...triageRoutes(rooms),
    ...viewRoutes(rooms),
    ...feedRoutes(rooms),
    ...exportRoutes(rooms),
    ...evidenceRoutes(rooms),
    ...actorRoutes(rooms),
    ...countryRoutes(rooms),
    ...alerts.routes,
    ...overviewRoutes(rooms),
    ...metricsRoutes(rooms),
  ]

  return {
    ...{ routes, custody, upstream, window, findTriggers: alerts.findTriggers },
    startReader(open) {
      reader = startWindowReader({
        ...{ database: open, upstream, clock, log, source, names: names.threat },
        // Calls of our own service cost nothing.
        filledDays: kind === 'embedded' ? KEPT_DAYS : FILLED_DAYS,
        isFree: kind === 'embedded',
      })
      return reader
    },
    close: () => upstream.close(),
  }
}

export type AppOptions = {
  database: Database
  address: PublicAddress
  responseHeaders: ResponseHeaders
  staticFiles: StaticFiles
  /** The table without sign-in and accounts, which are always part of it. */
  routes: readonly BffRoute[]
  /** The provider of single sign-on, where there is one. */
  singleSignOn?: (OidcSettings & { secret: string }) | undefined
  log: Log
  isDraining: () => boolean
  /** Monotonic milliseconds. */
  clock?: () => number
  answers?: AnswerCache
}

/** Joins the app and what serves cached answers before it on one cache of sessions and answers. */
export function composeApp({
  database,
  address,
  routes,
  singleSignOn,
  clock,
  answers = new AnswerCache(clock),
  ...rest
}: AppOptions) {
  const cookies = createCookies(address.isHttps)
  const sessions = new SessionStore({
    database,
    clock,
    onError: (error) => rest.log.error('session-not-touched', error),
  })
  const shared = { sessions, sessionCookie: cookies.names.session, answers, origins: address.origins }
  const passwords = createPasswords()
  const signIn = createSignIn({ database, sessions, passwords })
  function singleSignOnRoutes({ secret, ...settings }: OidcSettings & { secret: string }): BffRoute[] {
    const redirectUri = new URL('/sign-in', address.url).href
    const provider = createOidcProvider({ ...settings, redirectUri, ...(clock && { clock }) })
    const flowCookie = createFlowCookie(secret, address.isHttps)
    return oidcRoutes({ database, provider, flowCookie, redirectUri, signIn, cookies, log: rest.log })
  }
  const table = [
    ...signInRoutes({
      signIn,
      sessions,
      cookies,
      isLoopback: address.isLoopback,
      hasSingleSignOn: Boolean(singleSignOn),
    }),
    ...(singleSignOn ? singleSignOnRoutes(singleSignOn) : []),
    ...profileRoutes({ database, sessions, passwords, cookies }),
    ...userRoutes({ database, sessions, cookies, publicUrl: address.url.origin }),
    ...auditRoutes({ database }),
    ...routes,
  ]
  const logCspReport = createCspReportLog(rest.log, clock)
  const app = createBff({ ...rest, ...shared, database, logCspReport, routes: table })
  return { app, serveCached: createServeCached(shared), sessions, answers, table }
}

/**
 * A name for one address, its keys and its names: another key must not see what this one could read, and what was
 * read by other names is read anew.
 */
function nameSource(
  url: string,
  { apiKey = '', earlierApiKey = '' }: UpstreamKeys,
  { threat = {} }: FieldMapping,
  secret: string,
): string {
  const named = JSON.stringify([new URL(url).origin, apiKey, earlierApiKey, threat])
  return createHmac('sha256', secret).update(`window-source\n${named}`).digest('base64url')
}
