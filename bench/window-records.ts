import type { Threat } from '#contract/bff/threat.ts'
import { DAY_MS } from '#contract/duration.ts'
import type { Random } from '#test/support/random.ts'

const SYLLABLES = 'ka lo mer tin sov ra bel dun phi zor an ex qui gra ost'.split(' ')

export const CATEGORIES = ['Ransomware', 'Data Breach', 'Initial Access', 'DDoS', 'Other']
export const SEVERITIES = ['critical', 'high', 'medium', 'low']
export const COUNTRIES = 'US DE FR GB JP BR IN IT ES CA AU NL PL MX ZA SE'.split(' ')
export const INDUSTRIES = 'Finance Health Energy Retail Education Transport Telecom Law Food'.split(' ')
export const ACTORS = words(400, 2)
export const WORDS = words(3_000, 3)
export const ORGANIZATIONS = words(3_300, 4)

/** Threats of the 61 days before a moment, newest first, as many words in them as in a list's record. */
export function makeThreats(count: number, random: Random, nowMs: number): Threat[] {
  return Array.from({ length: count }, (_, at) => makeThreat(at, count, random, nowMs))
}

/** The same a batch at a time, for more than memory should hold. */
export function* makeBatches(
  count: number,
  size: number,
  random: Random,
  nowMs: number,
): Generator<Threat[]> {
  for (let first = 0; first < count; first += size) {
    const length = Math.min(size, count - first)
    yield Array.from({ length }, (_, at) => makeThreat(first + at, count, random, nowMs))
  }
}

function makeThreat(at: number, count: number, random: Random, nowMs: number): Threat {
  const country = frequent(COUNTRIES, random)
  const organization = random.pick(ORGANIZATIONS)
  return {
    id: `thr_${at.toString().padStart(8, '0')}`,
    set: 'v1' as const,
    title: `${organization} ${text(8, random)}`,
    excerpt: text(40, random),
    category: frequent(CATEGORIES, random),
    severity: frequent(SEVERITIES, random),
    actors: [frequent(ACTORS, random)],
    countries: [{ code: country, name: country }],
    industries: [frequent(INDUSTRIES, random)],
    organizations: [organization],
    domains: [`${organization}${at % 97}.example`],
    publishedAt: new Date(nowMs - Math.floor((at * 61 * DAY_MS) / count)).toISOString(),
    redacted: [],
  }
}

/** Some values come often and most come seldom, as in any real list. */
export function frequent<T>(values: readonly T[], random: Random): T {
  return values[Math.floor(values.length * random.next() ** 3)] ?? random.pick(values)
}

function text(length: number, random: Random): string {
  return Array.from({ length }, () => frequent(WORDS, random)).join(' ')
}

/** Different words of some syllables each. */
function words(count: number, syllables: number): string[] {
  return Array.from({ length: count }, (_, at) =>
    Array.from({ length: syllables }, (_, index) => SYLLABLES[Math.floor(at / 15 ** index) % 15]).join(''),
  )
}
