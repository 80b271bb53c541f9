import { mirrorAudit } from '#bff/accounts/audit/record-audit.ts'
import { resealTotp } from '#bff/accounts/factors/totp.ts'
import type { SingleSignOnSettings } from '#bff/accounts/oidc/single-sign-on.ts'
import { AnswerCache } from '#bff/http/answer-cache.ts'
import { liveChannel } from '#bff/http/live/live-channel.ts'
import { LiveHub } from '#bff/http/live/live-hub.ts'
import { liveRoutes } from '#bff/http/live/live-routes.ts'
import { pollSource } from '#bff/http/live/poll-source.ts'
import { createTraffic } from '#bff/http/traffic.ts'
import { resealNotifying, startNotifying } from '#bff/notify/start-notifying.ts'
import { createCaseNotices } from '#bff/store/cases/case-notices.ts'
import { readPosition } from '#bff/store/changes/change-log.ts'
import { storeChannel, withAnswers } from '#bff/store/store-listener.ts'
import type { ThreatStore } from '#bff/store/threat-store.ts'
import { readMoment } from '#bff/telemetry/read-moment.ts'
import { serveTelemetry } from '#bff/telemetry/serve-telemetry.ts'
import { createTelemetry } from '#bff/telemetry/telemetry.ts'
import { systemClock } from '#bff/time/clock.ts'
import { dataChannel } from '#bff/upstream/client/shown-data.ts'
import { keysChannel } from '#bff/upstream/keys/key-store.ts'
import { recogniseSecret } from '#bff/upstream/keys/known-secret.ts'
import { type OwnServiceKeys, serviceKeyRoutes } from '#bff/upstream/keys/service-key-routes.ts'
import type { Build } from '#contract/build.ts'
import type { OpenDatabase } from '#database/open-database.ts'
import type { DeliveryWorker } from '#delivery/run-deliveries.ts'
import { composeRooms, type RoomSettings } from './compose.ts'
import { type Retention, startRetention } from './retention.ts'
import { type RunningBff, type ServeOptions, serveBff } from './serve.ts'

export type BffOptions = Omit<
  ServeOptions,
  'routes' | 'singleSignOn' | 'answers' | 'onSessionsEnded' | 'onAnswered' | 'isInMemory'
> &
  RoomSettings & {
    /** The embedded service's keys; none where a vendor is connected. */
    serviceKeys?: OwnServiceKeys | undefined
    /** Prometheus scrapes this port; none without it. */
    metricsPort?: number | undefined
    /** The running code, for Prometheus. */
    build?: Build | undefined
    /** Takes a line for each record of the audit log; nobody does unless given. */
    writeAuditLine?: ((line: string) => void) | undefined
    /** Growing data is kept for this long; for ever without it. */
    retention?: Retention | undefined
    /** Opens the database as whoever may prune the audit record; not done here unless given. */
    openOwner?: (() => Promise<OpenDatabase>) | undefined
    /** The provider of single sign-on; none unless given. */
    singleSignOn?: Omit<SingleSignOnSettings, 'secret'> | undefined
    /** While SECRET is replaced: what this one has sealed and signed is still read. */
    secretBefore?: string | undefined
    /** Nobody has the one before: what it has sealed is given up. */
    isSecretBeforeLost?: boolean | undefined
  }

/** Starts the server that browsers talk to, on a migrated database; says whether that knows another SECRET. */
export async function startBff({
  upstream,
  serviceKeys,
  evidenceHosts,
  proxy,
  notify,
  history,
  secret,
  secretBefore,
  isSecretBeforeLost,
  singleSignOn,
  metricsPort,
  build = { version: 'unknown', commit: 'unknown' },
  writeAuditLine,
  retention = {},
  openOwner,
  channels = [],
  log,
  ...options
}: BffOptions): Promise<RunningBff & { isOtherSecret: boolean; storedState: ThreatStore['state'] }> {
  const database = writeAuditLine ? mirrorAudit(options.database, writeAuditLine) : options.database
  const answers = new AnswerCache()
  const { origin } = new URL(options.publicUrl)
  const { routes, keyStore, ...rooms } = composeRooms({
    isDatabaseWritable: database.isWritable,
    upstream,
    evidenceHosts,
    proxy,
    notify,
    history,
    database,
    secret,
    secretBefore,
    log,
    origin,
    onKeysChanged: () => answers.forget(),
  })
  const hub = new LiveHub()
  const hearCases = createCaseNotices(() => {
    rooms.store.forget()
    answers.outdate()
    hub.publish({ kind: 'cases' })
  })
  const telemetry =
    metricsPort === undefined
      ? null
      : createTelemetry(
          () => readMoment({ ...rooms, database, clock: systemClock, log, countOpenPages: () => hub.size }),
          build,
        )
  const traffic = createTraffic(systemClock)
  let notifying: DeliveryWorker | null = null
  try {
    const isKnownSecret = await recogniseSecret(database, {
      secret,
      before: secretBefore,
      isBeforeLost: isSecretBeforeLost,
    })
    if (!isKnownSecret) log.warn('secret-unknown', { setting: 'SECRET_BEFORE' })
    await keyStore.reload()
    await rooms.renameSource()
    if (secretBefore !== undefined) {
      await resealTotp(database, { secret, before: secretBefore })
      await resealNotifying(database, { secret, before: secretBefore })
    }
    notifying = startNotifying({ database, secret, origin, notify, proxy, log })
    const { notices, stop: stopNotifying } = notifying
    const bff = await serveBff({
      ...options,
      database,
      secret,
      singleSignOn: singleSignOn && { ...singleSignOn, secret, secretBefore, proxy },
      log,
      answers,
      routes: [
        ...routes,
        ...(serviceKeys ? serviceKeyRoutes(serviceKeys, database) : []),
        ...liveRoutes(hub, (shownAt) => readPosition(database, shownAt)),
      ],
      channels: [
        withAnswers(
          storeChannel((change) => {
            rooms.store.forget()
            hub.publish({ kind: 'window', ...change })
          }),
          answers,
          'outdate',
        ),
        withAnswers(
          keysChannel(keyStore, () => hub.publish({ kind: 'source' }), log),
          answers,
          'forget',
        ),
        withAnswers(
          dataChannel((version) => {
            const taken = rooms.applyData(version)
            if (taken) hub.publish({ kind: 'data', ...(taken.change && { change: taken.change }) })
          }, rooms.upstream.repeatDataNotice),
          answers,
          'forget',
        ),
        liveChannel((event) => {
          // Only answers without a match of a list are cached. The team's actions are in none.
          if (event.kind === 'lists') answers.outdate()
          if (event.kind === 'cases') hearCases()
          else hub.publish(event)
        }),
        ...channels,
        notices,
      ],
      onSessionsEnded: (accountId) => hub.endOf(accountId),
      isInMemory: rooms.store.isInMemory,
      onAnswered(answered) {
        traffic.hear(answered)
        telemetry?.observe(answered)
      },
    })
    const reader = rooms.startReader(database, { restAfter: traffic.restAfter })
    const stopPolling = pollSource(hub, async () => ({
      ...(await rooms.upstream.state()),
      isDatabaseWritable: await database.isWritable(),
    }))
    const figures =
      telemetry && metricsPort !== undefined
        ? await serveTelemetry({
            telemetry,
            host: options.host,
            port: metricsPort,
            log,
            publicName: new URL(options.publicUrl).hostname,
          })
        : null
    const pruning = startRetention({ database, secret, retention, openOwner, log })
    const close = async () => {
      hub.close()
      await stopPolling()
      await Promise.all([figures?.close(), pruning.stop()])
      await Promise.all([reader.close(), bff.close(), stopNotifying()])
      await rooms.close()
    }
    return { ...bff, close, isOtherSecret: !isKnownSecret, storedState: rooms.store.state }
  } catch (error) {
    await notifying?.stop()
    await rooms.close()
    throw error
  }
}
