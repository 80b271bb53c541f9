import { readFileSync } from 'node:fs'
import * as z from 'zod/mini'
import { placeAllClaims, placeChangedClaims } from '#bff/store/cases/place-claims.ts'
import { appendChanges } from '#bff/store/changes/change-log.ts'
import { placeThreats, storeThreats } from '#bff/store/records/store-threats.ts'
import type { Threat } from '#contract/bff/threat.ts'
import { DAY_MS } from '#contract/duration.ts'
import type { Claim } from '#matcher/cases/claim.ts'
import { claimKeys } from '#matcher/cases/claim-keys.ts'
import { compareClaims } from '#matcher/cases/compare-claims.ts'
import { makeThreat } from '#test/support/store/hold-threats.ts'
import { verdict } from '../test/support/verdict.ts'
import { withBenchDatabase } from './bench-database.ts'
import { CASE_PAIRS, type CasePair } from './case-pairs.ts'
import { percentile } from './percentile.ts'

const PRECISION = 0.97
const RECALL_ALONE = 0.65
const RECALL = 0.85
const CLAIMS_COUNT = 300_000
const ALL_CLAIMS_MS = 30_000
const ONE_CLAIM_MS = 10
const CLAIMS_PER_DAY = 100
const CASE_DAYS = 30
const FIRST = Date.parse('2020-01-01')
const NEW_COUNT = 200
const BATCH = 2_000

const claimSchema = z.object({
  id: z.string(),
  at: z.nullable(z.number()),
  title: z.nullable(z.string()),
  victims: z.array(z.string()),
  domains: z.array(z.string()),
  countries: z.array(z.string()),
  actors: z.array(z.string()),
  categories: z.array(z.string()),
})
const pairsSchema = z.array(
  z.object({
    one: claimSchema,
    other: claimSchema,
    isSame: z.boolean(),
    /** Pairs that were not read while the rules were written. */
    set: z.optional(z.enum(['tune', 'held-back'])),
  }),
)

/** Precision, recall and speed of joining claims to cases. Pairs are invented unless a file of others is named. */
export async function measureCaseJoining(file: string | undefined, claims: number): Promise<void> {
  const pairs = file ? pairsSchema.parse(JSON.parse(readFileSync(file, 'utf8'))) : CASE_PAIRS
  console.log(`\nCases: ${file ?? 'invented pairs'}`)
  for (const [set, some] of Map.groupBy(pairs, (pair) => pair.set ?? 'all')) printQuality(set, some)
  measureSpeed()
  if (claims > 0) await measureCaseStore(claims)
}

function printQuality(set: string, pairs: readonly CasePair[]): void {
  const results = pairs.map((pair) => ({ isSame: pair.isSame, certainty: certaintyOf(pair) }))
  const joined = results.filter(({ certainty }) => certainty === 'certain')
  const same = results.filter(({ isSame }) => isSame)
  const joinedSame = joined.filter(({ isSame }) => isSame)
  const offered = results.filter(({ isSame, certainty }) => !isSame && certainty === 'likely')
  const precision = joinedSame.length / joined.length
  const alone = joinedSame.length / same.length
  const recall = same.filter(({ certainty }) => certainty !== null).length / same.length
  console.log(
    `  ${set}: ${pairs.length} pairs, ${same.length} of one victim; joined with precision ${precision.toFixed(3)} (${joined.length}) ${verdict(precision >= PRECISION)}, recall alone ${alone.toFixed(3)} ${verdict(alone >= RECALL_ALONE)}, with offers ${recall.toFixed(3)} ${verdict(recall >= RECALL)}, ${offered.length} others offered`,
  )
}

/** Claims without a common key are never compared. */
function certaintyOf({ one, other }: CasePair) {
  const keys = new Set(claimKeys(one))
  return claimKeys(other).some((key) => keys.has(key)) ? (compareClaims(one, other)?.certainty ?? null) : null
}

function measureSpeed(): void {
  const claimsByKey = new Map<string, Claim[]>()
  const times = new Float64Array(CLAIMS_COUNT)
  let compared = 0
  let joins = 0
  const start = process.cpuUsage()
  for (let at = 0; at < CLAIMS_COUNT; at++) {
    const from = performance.now()
    const claim = makeClaim(at)
    const keys = claimKeys(claim)
    for (const candidate of findRecent(claimsByKey, keys, claim)) {
      compared++
      if (compareClaims(claim, candidate)) joins++
    }
    for (const key of keys) {
      const held = claimsByKey.get(key)
      if (held) held.push(claim)
      else claimsByKey.set(key, [claim])
    }
    times[at] = performance.now() - from
  }
  const { user, system } = process.cpuUsage(start)
  const ms = (user + system) / 1000
  const p99 = times.toSorted()[Math.floor(CLAIMS_COUNT * 0.99)] ?? Number.NaN
  console.log(
    `  ${CLAIMS_COUNT} claims: ${(ms / 1000).toFixed(1)} s of CPU ${verdict(ms <= ALL_CLAIMS_MS)}, ${compared} comparisons, ${joins} joins; one claim p99 ${p99.toFixed(3)} ms ${verdict(p99 <= ONE_CLAIM_MS)}`,
  )
}

function findRecent(
  claimsByKey: ReadonlyMap<string, readonly Claim[]>,
  keys: readonly string[],
  { at }: Claim,
) {
  const found = new Set<Claim>()
  const since = (at ?? 0) - CASE_DAYS * DAY_MS
  for (const key of keys) {
    const claims = claimsByKey.get(key) ?? []
    for (let position = claims.length - 1; position >= 0; position--) {
      const claim = claims[position]
      if (!claim || (claim.at ?? 0) < since) break
      found.add(claim)
    }
  }
  return found
}

/** Stored claims that get their cases, as after an upgrade, and then new ones one at a time. */
async function measureCaseStore(count: number): Promise<void> {
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
      `  ${count} stored claims made into cases: ${seconds.toFixed(1)} s ${verdict(1_000 * seconds <= ALL_CLAIMS_MS)}, ${JSON.stringify(rows[0])}`,
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
    const p95 = percentile(times, 0.95)
    console.log(`  one new claim beside them: p95 ${p95.toFixed(1)} ms ${verdict(p95 <= ONE_CLAIM_MS)}`)
  })
}

function toThreat({ id, at, title, victims, domains, countries, actors }: Claim): Threat {
  return makeThreat(id, new Date(FIRST + (at ?? 0)).toISOString(), {
    title,
    organizations: [...victims],
    domains: [...domains],
    countries: countries.map((code) => ({ code, name: code })),
    actors: [...actors],
  })
}

const REPEATED_AFTER = 1_000
/** As many that names begin alike as often as real ones. */
const SYLLABLES = Array.from('bdfghjklmnprstvz').flatMap((first) =>
  ['al', 'en', 'or', 'iu'].map((last) => `${first}${last}`),
)
const TRADES = ['Freight', 'Foods', 'Software', 'Health Services', 'Engineering', 'Bank', 'Law', 'University']
const ACTORS = ['redfox', 'bluejay', 'greyowl', 'whiteray', 'blackelk', 'pinkcod']

/** Each seventh claim repeats one of ten days before, some in another writing. */
function makeClaim(at: number): Claim {
  const of = at % 7 === 6 ? Math.max(0, at - REPEATED_AFTER) : at
  // Names beside each other have no syllable in common.
  const shuffled = (of * 7_919) % SYLLABLES.length ** 4
  const word = [0, 1, 2, 3]
    .map((digit) => SYLLABLES[Math.floor(shuffled / SYLLABLES.length ** digit) % SYLLABLES.length] ?? '')
    .join('')
  const trade = TRADES[of % TRADES.length] ?? ''
  const site = `${word}${trade.toLowerCase().replaceAll(' ', '')}.example`
  const title = at % 3 === 0 ? site : `${word.charAt(0).toUpperCase()}${word.slice(1)} ${trade}`
  return {
    id: String(at),
    at: Math.floor(at / CLAIMS_PER_DAY) * DAY_MS,
    title,
    victims: at % 4 === 0 ? [] : [title],
    domains: at % 5 === 0 ? [site] : [],
    countries: at % 2 === 0 ? ['DE'] : [],
    actors: [ACTORS[at % ACTORS.length] ?? ''],
    categories: ['Ransomware'],
  }
}
