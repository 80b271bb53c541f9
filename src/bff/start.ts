import { once } from 'node:events'
import { BlockList } from 'node:net'
import type { OidcSettings } from '#bff/accounts/oidc/oidc-provider.ts'
import { ensureFirstAccount, type FirstAccount } from '#bff/accounts/sign-in/first-account.ts'
import { endedSessionsChannel } from '#bff/accounts/sign-in/session-listener.ts'
import { createSignInLink } from '#bff/accounts/sign-in/sign-in-link.ts'
import { AnswerCache } from '#bff/http/answer-cache.ts'
import { createPublicAddress } from '#bff/http/guards/public-url.ts'
import { createResponseHeaders } from '#bff/http/guards/response-headers.ts'
import { liveChannel } from '#bff/http/live/live-channel.ts'
import { LiveHub } from '#bff/http/live/live-hub.ts'
import { liveRoutes } from '#bff/http/live/live-routes.ts'
import { pollSource } from '#bff/http/live/poll-source.ts'
import { createLog, type Log } from '#bff/http/log.ts'
import type { BffRoute } from '#bff/http/route.ts'
import { createBffServer, drain } from '#bff/http/server.ts'
import { loadStaticFiles } from '#bff/http/static-files.ts'
import { createNotifyTriggers } from '#bff/pages/alerts/notify-triggers.ts'
import { keysChannel } from '#bff/vendor/keys/keys-channel.ts'
import { type OwnServiceKeys, serviceKeyRoutes } from '#bff/vendor/keys/service-key-routes.ts'
import type { FieldMapping } from '#bff/vendor/reader/field-mapping.ts'
import { WINDOW_CHANGED_CHANNEL, windowChannel } from '#bff/window/window-listener.ts'
import { type Channel, listen } from '#database/listen.ts'
import type { OpenDatabase } from '#database/open-database.ts'
import { type AppOptions, composeApp, composeRooms } from './compose.ts'

export type BffOptions = {
  database: OpenDatabase
  host: string
  port: number
  publicUrl: string
  /** Whose X-Forwarded-For is believed; nobody's unless given. */
  trustedProxies?: BlockList
  upstream: {
    url: string
    apiKey?: string | undefined
    earlierApiKey?: string | undefined
    kind: 'embedded' | 'vendor'
  }
  /** The embedded service's keys; none where a vendor is the source. */
  serviceKeys?: OwnServiceKeys | undefined
  /** An operator's own names for fields of the vendor's records. */
  fieldMapping?: FieldMapping | undefined
  /** The only hosts, beside the upstream, that pictures are fetched from; any public one unless given. */
  evidenceHosts?: readonly string[] | undefined
  admin: { email?: string | undefined; password?: string | undefined }
  /** The provider of single sign-on; none unless given. */
  singleSignOn?: OidcSettings | undefined
  /** Signs what browsers keep for us, such as cursors. */
  secret: string
  /** The built app. */
  staticFolder: string
  log?: Log
}

export type RunningBff = {
  url: string
  /** The account that an empty installation was given just now; null on every later start. */
  firstAccount: FirstAccount | null
  /** A fresh one-time link for the person at this machine; null where PUBLIC_URL is not this machine. */
  createSignInLink(): Promise<string | null>
  close(): Promise<void>
}

/** Starts the server that browsers talk to, on a migrated database. */
export async function startBff({
  upstream,
  serviceKeys,
  fieldMapping,
  evidenceHosts,
  secret,
  singleSignOn,
  log = createStandardLog(),
  ...options
}: BffOptions): Promise<RunningBff> {
  const { database } = options
  const answers = new AnswerCache()
  const { routes, custody, ...rooms } = composeRooms({
    upstream,
    fieldMapping,
    evidenceHosts,
    database,
    secret,
    log,
    origin: new URL(options.publicUrl).origin,
    onKeysChanged: () => answers.forget(),
  })
  const hub = new LiveHub()
  const notifyTriggers = createNotifyTriggers(hub, rooms.findTriggers, log)
  try {
    await custody.takeUp()
    const bff = await serveBff({
      ...options,
      singleSignOn: singleSignOn && { ...singleSignOn, secret },
      log,
      answers,
      routes: [
        ...routes,
        ...(serviceKeys ? serviceKeyRoutes(serviceKeys, database) : []),
        ...liveRoutes(hub),
      ],
      channels: [
        withAnswers(
          windowChannel(() => {
            rooms.window.forget()
            hub.publish({ kind: 'window' })
            notifyTriggers()
          }),
          answers,
        ),
        withAnswers(
          keysChannel(custody, () => hub.publish({ kind: 'source' }), log),
          answers,
        ),
        // What the team does is in no answer that is given again.
        liveChannel(hub),
      ],
      onSessionsEnded: (accountId) => hub.endOf(accountId),
    })
    const reader = rooms.startReader(database)
    const stopPolling = pollSource(hub, rooms.upstream.state)
    const close = async () => {
      hub.close()
      await stopPolling()
      await Promise.all([reader.close(), bff.close()])
      await rooms.close()
    }
    return { ...bff, close }
  } catch (error) {
    await rooms.close()
    throw error
  }
}

export type ServeOptions = Pick<
  BffOptions,
  'database' | 'host' | 'port' | 'publicUrl' | 'trustedProxies' | 'admin' | 'staticFolder' | 'log'
> & {
  routes: readonly BffRoute[]
  /** With the secret that signs what a browser keeps while it is there. */
  singleSignOn?: AppOptions['singleSignOn']
  answers?: AnswerCache
  /** The notices between processes. */
  channels?: readonly Channel[]
  /** Sessions of an account have ended, in any process. */
  onSessionsEnded?: (accountId: string) => void
}

/** The same with any route table instead of the data's. */
export async function serveBff({
  database,
  host,
  port,
  publicUrl,
  trustedProxies = new BlockList(),
  admin,
  staticFolder,
  routes,
  singleSignOn,
  channels = [],
  onSessionsEnded,
  answers = new AnswerCache(),
  log = createStandardLog(),
}: ServeOptions): Promise<RunningBff> {
  const address = createPublicAddress(publicUrl, { host, port })
  const responseHeaders = createResponseHeaders(address)
  const staticFiles = await loadStaticFiles(staticFolder, responseHeaders.page)
  let isDraining = false
  const { app, serveCached, sessions } = composeApp({
    database,
    address,
    responseHeaders,
    staticFiles,
    routes,
    singleSignOn,
    log,
    answers,
    isDraining: () => isDraining,
  })
  const stopListening = await listen(
    database.pool,
    [endedSessionsChannel(sessions, onSessionsEnded), ...channels],
    (error) => log.error('listener-lost', error),
  )
  const server = createBffServer({
    app,
    serveCached,
    hosts: address.hosts,
    trustedProxies,
    commonHeaders: responseHeaders.common,
  })
  try {
    await once(server.listen({ host, port }), 'listening')
  } catch (error) {
    await stopListening()
    throw error
  }

  let closing: Promise<void> | undefined
  async function close(): Promise<void> {
    isDraining = true
    await drain(server)
    await stopListening()
  }

  // Only now that nothing else can fail: its password is shown once.
  const firstAccount = await ensureFirstAccount(database, admin)
  return {
    url: address.url.origin,
    firstAccount,
    createSignInLink: async () => (address.isLoopback ? createSignInLink(database, publicUrl) : null),
    close() {
      closing ??= close()
      return closing
    },
  }
}

/**
 * Any answer may hold something of what has changed, and what does not is cheap to make again. What was read of the
 * window may still be shown while the database is away, labelled; what another key or plan has read may not.
 */
function withAnswers(channel: Channel, answers: AnswerCache): Channel {
  const isWindow = channel.name === WINDOW_CHANGED_CHANNEL
  const drop = () => (isWindow ? answers.outdate() : answers.forget())
  return {
    ...channel,
    onNotice: (payload) => Promise.resolve(channel.onNotice(payload)).then(drop),
    onHearing: () => Promise.resolve(channel.onHearing?.()).then(drop),
    onDeaf() {
      channel.onDeaf?.()
      answers.outdate()
    },
  }
}

function createStandardLog(): Log {
  return createLog((line) => process.stdout.write(`${line}\n`))
}
