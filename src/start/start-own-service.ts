import type { Database } from '#database/database.ts'
import type { OpenDatabase } from '#database/open-database.ts'
import { affectsRows } from '#database/read-rows.ts'
import { resealDestinations } from '#delivery/destinations.ts'
import { seedDemo } from '#service/demo/seed-demo.ts'
import { isFailure, toServiceLine } from '#service/service-log.ts'
import { startService } from '#service/start-service.ts'
import type { Settings } from '#settings/settings.ts'
import { openMigrated } from './open-migrated.ts'
import { refuseTakenPort } from './refuse-taken-port.ts'
import type { Closers } from './start-all.ts'

export type OwnServiceOptions = {
  databaseUrl: string
  /** The name of this machine in the database. */
  address: Settings['service']['address']
  secret: string
  secretBefore: string | undefined
  /** A service without records gets the demo's. */
  hasDemo: boolean
  /** The service logs these requests: next to a dashboard, all of them would hide the dashboard's lines. */
  logs: 'requests' | 'failures'
  closers: Closers
}

export type OwnService = { url: string; database: OpenDatabase }

/** Starts the reference service on a database brought up to date. */
export async function startOwnService(options: OwnServiceOptions): Promise<OwnService> {
  const { databaseUrl, address, secret, secretBefore, hasDemo, logs, closers } = options
  await refuseTakenPort('SERVICE_PORT', address)
  const database = await openMigrated('service', databaseUrl)
  closers.add(database.close)
  // Sealed destinations of messages that wait to be moved to a dashboard's ledger are sealed anew.
  if (secretBefore !== undefined) await resealDestinations(database, { secret, before: secretBefore })
  if (hasDemo && (await isEmpty(database))) await seedDemo(database, { now: new Date() })
  const service = await startService({
    database,
    ...address,
    secret,
    secretBefore,
    log(event, facts) {
      if (logs === 'requests' || isFailure(event, facts)) process.stdout.write(toServiceLine(event, facts))
    },
  })
  closers.add(service.close)
  return { url: service.url, database }
}

async function isEmpty(db: Database): Promise<boolean> {
  return !(await affectsRows(db)`select from threat limit 1`)
}
