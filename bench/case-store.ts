import { placeAllClaims, placeChangedClaims } from '#bff/store/cases/place-claims.ts'
import { appendChanges } from '#bff/store/changes/change-log.ts'
import { placeThreats, storeThreats } from '#bff/store/records/store-threats.ts'
import type { Threat } from '#contract/bff/threat.ts'
import type { Claim } from '#matcher/cases/claim.ts'
import { makeThreat } from '#test/support/store/hold-threats.ts'
import { verdict } from '../test/support/verdict.ts'
import { withBenchDatabase } from './bench-database.ts'

const ALL_CLAIMS_S = 30
const ONE_CLAIM_P95_MS = 10
const NEW_COUNT = 200
const BATCH = 2_000

/** Stored claims that get their cases, as after an upgrade, and then new ones one at a time. */
export async function measureCaseStore(count: number, makeClaim: (at: number) => Claim): Promise<void> {
  const now = new Date().toISOString()
  await withBenchDatabase('bff', async (database) => {
    const claimAt = (at: number) => toThreat(makeClaim(at))
    for (let first = 0; first < count; first += BATCH) {
      const length = Math.min(BATCH, count - first)
      const threats = Array.from({ length }, (_, at) => claimAt(first + at))
      await storeThreats(database, placeThreats(threats, now))
    }
    await database.query('vacuum analyze window_threat')
    const from = performance.now()
    await placeAllClaims(database)
    const seconds = (performance.now() - from) / 1_000
    const { rows } = await database.query('select count(distinct case_id)::int as cases from case_claim')
    console.log(
      `  ${count} stored claims made into cases: ${seconds.toFixed(1)} s ${verdict(seconds <= ALL_CLAIMS_S)}, ${JSON.stringify(rows[0])}`,
    )

    const times: number[] = []
    for (let at = 0; at < NEW_COUNT; at++) {
      const threat = claimAt(count + at)
      await storeThreats(database, placeThreats([threat], now))
      await appendChanges(database, [{ threatId: threat.id, kind: 'new', fields: [] }], 'live')
      const from = performance.now()
      await placeChangedClaims(database)
      times.push(performance.now() - from)
    }
    const p95 = times.toSorted((one, other) => one - other)[Math.floor(NEW_COUNT * 0.95)] ?? Number.NaN
    console.log(`  one new claim beside them: p95 ${p95.toFixed(1)} ms ${verdict(p95 <= ONE_CLAIM_P95_MS)}`)
  })
}

const FIRST = Date.parse('2020-01-01')

function toThreat({ id, at, title, victims, domains, countries, actors }: Claim): Threat {
  return makeThreat(id, new Date(FIRST + (at ?? 0)).toISOString(), {
    title,
    organizations: [...victims],
    domains: [...domains],
    countries: countries.map((code) => ({ code, name: code })),
    actors: [...actors],
  })
}
