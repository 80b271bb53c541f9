import { parseArgs } from 'node:util'
import { proveCrashes } from './crashes.ts'
import { proveDatabaseFaults } from './database-faults.ts'
import { proveDeployFiles } from './deploy-files.ts'
import { proveFailover } from './failover/failover.ts'
import { proveProxies } from './proxies.ts'
import { proveRelease } from './release.ts'

/** Each needs programs or rights that not every machine has, so none of them is a test of `npm test` or `test:long`. */
const SYSTEM_TESTS: Readonly<Record<string, () => Promise<void>>> = {
  crashes: () => proveCrashes(Number(values.rounds), Number(values.seed)),
  faults: proveDatabaseFaults,
  failover: proveFailover,
  deploy: async () => {
    await proveDeployFiles()
    await proveProxies()
  },
  release: proveRelease,
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Number of crashes, and the seed of their random moments. */
    rounds: { type: 'string', default: '200' },
    seed: { type: 'string', default: String(Date.now() % 1e6) },
  },
})
const names = positionals.length > 0 ? positionals : Object.keys(SYSTEM_TESTS)
for (const name of names) {
  const prove = SYSTEM_TESTS[name]
  if (!prove) throw new Error(`No system test ${name}: choose from ${Object.keys(SYSTEM_TESTS).join(', ')}`)
  await prove()
}
