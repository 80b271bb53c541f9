import { gatherMatches } from '#delivery/gather-matches.ts'
import { readDatabaseTime } from '#delivery/ledger-access.ts'
import { createLedgerAccess } from '#service/alerts/alert-destinations.ts'
import { createAlertProfile } from '#service/alerts/alert-queries.ts'
import { generateDemo } from '#service/demo/generate-demo.ts'
import { insertThreats } from '#service/threats/insert-threats.ts'
import { withBenchDatabase } from './bench-database.ts'
import { verdict } from './verdict.ts'

const PROFILES = 50
const ROUNDS = 16
const BATCH = 500
const LEAST_SHARE = 0.9

/** How fast records are imported beside profiles that tell somebody, and beside the same that tell nobody. */
export async function measureImportAlerts(): Promise<void> {
  await withBenchDatabase('service', async (database) => {
    await database.query(`insert into account (id, name) values ('acc_bench', 'bench')`)
    const records = generateDemo(new Date()).map((record) => ({ ...record, isDemo: false }))
    const access = createLedgerAccess('a secret of thirty-two characters')
    for (let at = 0; at < PROFILES; at++) {
      // Names of the records themselves: each profile matches some, as a team's brands and suppliers do.
      const keywords = [records[at * 97]?.organizations[0] ?? 'acme', `brand${at}`, `supplier${at}`]
      const notifications = { email: [`team${at}@corp.example`], slack: null, teams: null }
      const profile = { name: `Profile ${at}`, keywords, categories: [], notifications }
      await createAlertProfile(database, 'acc_bench', profile, access)
    }
    await database.query('create table told as table alert_destination')

    let inserted = 0
    async function importBatch(isTold: boolean): Promise<number> {
      await database.query('truncate alert_destination')
      if (isTold) await database.query('insert into alert_destination table told')
      const batch = Array.from({ length: BATCH }, () => {
        const record = records[inserted % records.length]
        if (!record) throw new Error('There are records')
        inserted += 1
        return { ...record, sourceId: `bench-${inserted}` }
      })
      const startedMs = performance.now()
      await insertThreats(database, batch)
      return performance.now() - startedMs
    }

    // Warm, and in turns: what grows or slows down meets both.
    await importBatch(true)
    await importBatch(false)
    const tookMs = { told: 0, untold: 0 }
    for (let round = 0; round < ROUNDS; round++) {
      const isFirst = round % 2 === 0
      for (const isTold of [isFirst, !isFirst])
        tookMs[isTold ? 'told' : 'untold'] += await importBatch(isTold)
      await gatherMatches(database, readDatabaseTime)
    }
    const { rows } = await database.query('select count(*) as matches from delivery_match')
    const share = tookMs.untold / tookMs.told
    const perSecond = (ms: number) => Math.round((ROUNDS * BATCH * 1_000) / ms)
    console.log(
      `Import beside ${PROFILES} profiles: ${perSecond(tookMs.told)} records a second with destinations, ` +
        `${perSecond(tookMs.untold)} without, ${Math.round(share * 100)} % as fast ` +
        `(target ${LEAST_SHARE * 100} %: ${verdict(share >= LEAST_SHARE)}); ${JSON.stringify(rows[0])}`,
    )
  })
}
