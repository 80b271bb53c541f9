import { listen } from '#database/listen.ts'
import type { OpenDatabase } from '#database/open-database.ts'
import { type EmailOptions, openEmailChannel } from '#delivery/channels/email-channel.ts'
import {
  createSlackChannel,
  createTeamsChannel,
  type WebChannelOptions,
} from '#delivery/channels/web-channels.ts'
import { readDatabaseTime } from '#delivery/ledger-access.ts'
import { pruneDeliveries } from '#delivery/prune-deliveries.ts'
import { runDeliveries } from '#delivery/run-deliveries.ts'
import { leaveOutRemoved } from '#service/alerts/alert-destinations.ts'
import type { ServiceLog } from '#service/service-log.ts'

/** How what profiles tell leaves, and where its links lead. */
export type DeliverySettings = Pick<EmailOptions, 'mail' | 'domains'> &
  WebChannelOptions & {
    /** Origin of the dashboard. */
    dashboardUrl: string
    /** What has ended is forgotten after so many days. */
    retentionDays: number
    /** Of the pauses between attempts. */
    random?: () => number
  }

type Options = {
  database: OpenDatabase
  delivery: DeliverySettings
  secret: string
  log: ServiceLog
}

const PRUNE_EVERY_MS = 6 * 3_600_000

/** Sends what the profiles of this database tell, beside any other process that does. */
export async function startDeliveries({
  database,
  delivery,
  secret,
  log,
}: Options): Promise<() => Promise<void>> {
  const onError = (error: unknown) =>
    log('delivery-failed', { error: error instanceof Error ? error.message : String(error) })
  const worker = runDeliveries({
    database,
    secret,
    channels: {
      email: openEmailChannel(delivery),
      slack: createSlackChannel(delivery),
      teams: createTeamsChannel(delivery),
    },
    leaveOutRemoved,
    linkTo: (id) => `${delivery.dashboardUrl}/alerts/deliveries?open=service.${id}`,
    onError,
    ...(delivery.random && { random: delivery.random }),
  })
  const prune = () =>
    void pruneDeliveries(database, { days: delivery.retentionDays, readNow: readDatabaseTime }).catch(onError)
  const pruning = setInterval(prune, PRUNE_EVERY_MS)
  prune()
  const stopListening = await listen(database.pool, [worker.notices], onError)
  return async () => {
    clearInterval(pruning)
    await stopListening()
    await worker.stop()
  }
}
