import { createChannels, type NotifySettings } from '#bff/notify/create-channels.ts'
import type { Database } from '#database/database.ts'
import type { OpenDatabase } from '#database/open-database.ts'
import { createSender } from '#delivery/run-deliveries.ts'

type RealSenderOptions = {
  /** Where the sender reads the ledger; a test can hold or break it. */
  ledger: Database
  database: OpenDatabase
  mail: NotifySettings['mail']
  secret: string
  readNow: () => Promise<Date>
  /** Webhook hosts have an address. */
  resolves?: boolean
  rateOf?: () => { everyMs: number; burst: number }
}

/** A sender by the real channels, whose webhook hosts are all on loopback. */
export function createRealSender({
  ledger,
  database,
  mail,
  secret,
  readNow,
  resolves = true,
  rateOf,
}: RealSenderOptions) {
  const origin = 'http://localhost:4173'
  return createSender({
    database: ledger,
    secret,
    readNow,
    linkTo: () => `${origin}/threats`,
    onError() {},
    channels: createChannels({
      mail,
      domains: [],
      hosts: ['vendor.test'],
      database,
      secret,
      origin,
      resolve: async () => (resolves ? [{ address: '127.0.0.1', family: 4 }] : []),
    }),
    ...(rateOf && { rateOf }),
  })
}
