import { readFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import * as z from 'zod/mini'
import { matchNames } from '#matcher/names/match-names.ts'
import { createNameIndex, type NamedEntry } from '#matcher/names/name-index.ts'
import { verdict } from '../test/support/verdict.ts'
import { LIST_PAIRS, type ListPair } from './list-pairs.ts'
import { percentile } from './percentile.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

const PRECISION = 0.97
const RECALL = 0.9
const LARGE_LIST = 5_000
const ALL_ENTRIES = 50_000
const THREATS_COUNT = 100_000
const ALL_THREATS_MS = 2_000
const ONE_THREAT_P95_MS = 5
const MEGABYTES = 60

const pairsSchema = z.array(
  z.object({
    name: z.string(),
    domains: z.array(z.string()),
    title: z.string(),
    isMatch: z.boolean(),
    /** Pairs that were not read while the rules were written. */
    set: z.optional(z.enum(['tune', 'held-back'])),
  }),
)

/** Precision, recall and speed of matching lists of names. Pairs are invented unless a file of others is named. */
export function measureListMatching(file: string | undefined): void {
  const pairs = file ? pairsSchema.parse(JSON.parse(readFileSync(file, 'utf8'))) : LIST_PAIRS
  console.log(`\nLists of names: ${file ?? 'invented pairs'}`)
  for (const [set, some] of Map.groupBy(pairs, (pair) => pair.set ?? 'all')) printQuality(set, some)
  measureSpeed()
}

function printQuality(set: string, pairs: readonly ListPair[]): void {
  const results = pairs.map((pair) => ({ pair, certainty: certaintyOf(pair) }))
  const certain = results.filter(({ certainty }) => certainty === 'certain')
  const precision = certain.filter(({ pair }) => pair.isMatch).length / certain.length
  const matches = results.filter(({ pair }) => pair.isMatch)
  const recall = matches.filter(({ certainty }) => certainty !== null).length / matches.length
  const others = results.filter(({ pair, certainty }) => !pair.isMatch && certainty !== null)
  console.log(
    `  ${set}: ${pairs.length} pairs, precision of certain ${precision.toFixed(3)} (${certain.length}) ${verdict(precision >= PRECISION)}, recall ${recall.toFixed(3)} of ${matches.length} ${verdict(recall >= RECALL)}, ${others.length} others reported`,
  )
}

function certaintyOf({ name, domains, title }: ListPair) {
  const index = createNameIndex([{ id: '', name, domains }])
  return matchNames(index, { title, victim: null, domains: [], country: null })[0]?.certainty ?? null
}

function measureSpeed(): void {
  const large = createNameIndex(makeEntries(LARGE_LIST))
  const threats = Array.from({ length: THREATS_COUNT }, (_, at) => makeThreat(at))
  const start = process.cpuUsage()
  for (const threat of threats) matchNames(large, threat)
  const { user, system } = process.cpuUsage(start)
  // Others may use the machine as well.
  const ms = (user + system) / 1_000
  console.log(
    `  ${LARGE_LIST} entries against ${THREATS_COUNT} threats: ${ms.toFixed(0)} ms of processor time ${verdict(ms <= ALL_THREATS_MS)}`,
  )

  const before = usedMegabytes()
  const all = createNameIndex(makeEntries(ALL_ENTRIES))
  const megabytes = usedMegabytes() - before
  const times = threats.slice(0, THREATS_COUNT / 10).map((threat) => {
    const from = performance.now()
    matchNames(all, threat)
    return performance.now() - from
  })
  const p95 = percentile(times, 0.95)
  console.log(
    `  one threat against ${ALL_ENTRIES} entries: p95 ${p95.toFixed(3)} ms ${verdict(p95 <= ONE_THREAT_P95_MS)}, ${megabytes.toFixed(0)} MB ${verdict(megabytes <= MEGABYTES)}`,
  )
}

/** What is in use, without what is only not collected yet. */
function usedMegabytes(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed / 1e6
}

const SYLLABLES = 'bar dor fen gil hov jas kul lem mox nid pra quo rud sil tov ulm vex wim yar zet'.split(' ')
const TRADES = ['Freight', 'Foods', 'Software', 'Health Services', 'Engineering', 'Bank', 'Law', 'Retail']
const FORMS = ['Ltd', 'GmbH', 'Inc.', 'S.p.A.', 'LLC', 'AB', 'B.V.', 'S.A.']

function makeName(at: number): string {
  const word = [at, Math.floor(at / 20), Math.floor(at / 400), Math.floor(at / 8_000)]
    .map((digit) => SYLLABLES[digit % SYLLABLES.length] ?? '')
    .join('')
  return `${word.charAt(0).toUpperCase()}${word.slice(1)} ${TRADES[at % TRADES.length]}`
}

export function makeEntries(count: number): NamedEntry[] {
  return Array.from({ length: count }, (_, at) => ({
    id: String(at),
    name: `${makeName(at)} ${FORMS[at % FORMS.length]}`,
    domains: at % 2 === 0 ? [`${makeName(at).toLowerCase().replaceAll(' ', '')}.example`] : [],
  }))
}

/** Most threats are of organisations that no list names. */
function makeThreat(at: number) {
  const name = makeName(at * 13 + 60_000)
  const isSite = at % 3 === 0
  const victim = isSite ? `${name.toLowerCase().replaceAll(' ', '-')}.example` : name
  return {
    title: `${victim} - HACKED AND ${(at % 900) + 1} GB OF DATA LEAKED`,
    victim,
    domains: isSite ? [victim] : [],
    country: null,
  }
}
