import { DAY_MS } from '#contract/duration.ts'
import type { PastRecord } from '#test/support/history/past-vendor.ts'
import type { Random } from '#test/support/random.ts'

/** What records are made of, and questions ask for. */
export const WORDS = [
  'hospital',
  'klinik',
  'bank',
  'Löwen',
  '会社',
  'leak',
  'side-loading',
  'hospitality',
] as const
export const CONTENT_WORDS = ['ledger', 'vault', 'passwords', 'payroll'] as const
export const ACTORS = ['LockBit', 'Lock Bit 5', 'Akira', 'Clop'] as const
export const CATEGORIES = ['Ransomware', 'DDoS', 'Data leak'] as const
export const SEVERITIES = ['low', 'medium', 'High', 'critical'] as const
export const INDUSTRIES = ['Energy', 'Health care', 'Finance'] as const
export const VICTIMS = ['Acme Foods', 'Acme Bank', 'Contoso'] as const
export const DOMAINS = ['mail.acme.example', 'acme.example', 'contoso.example'] as const
/** By code: the name that most vendors write, then odd ones, some of which nobody can read. */
const SPELLINGS = {
  DE: ['Germany', 'GERMANY', 'de', 'Federal Republic of Germany', 'Deutschland'],
  US: ['United States', 'usa', 'U.S.', 'United States of America', 'US'],
  KR: ['South Korea', 'Korea, Republic of', 'Korea (Republic of)', 'KOR', 'kr'],
  CI: ['Côte d’Ivoire', 'Ivory Coast', "Cote d'Ivoire", 'CI', 'ivory-coast'],
}
export const COUNTRIES = ['DE', 'US', 'KR', 'CI'] as const

const RECORDS = 320
const DAYS = 420
const MISSING = 0.15

/** Records of a year and more, the denser the newer, with some that lack fields or a date. */
export function makeRecords(random: Random, { nowMs, isOdd }: { nowMs: number; isOdd: boolean }) {
  return Array.from({ length: RECORDS }, (_, at): PastRecord => {
    const atMs = nowMs - Math.round(DAYS * random.next() ** 2 * DAY_MS)
    return makeRecord(random, { id: `thr_${at}`, atMs, isOdd })
  })
}

function makeRecord(
  random: Random,
  { id, atMs, isOdd }: { id: string; atMs: number; isOdd: boolean },
): PastRecord {
  const title = [random.pick(WORDS), random.pick(WORDS), random.pick(WORDS)].join(' ')
  const text = `${random.pick(VICTIMS)}: ${random.pick(WORDS)} ${random.pick(WORDS)}`
  const content = `The ${random.pick(CONTENT_WORDS)} and the ${random.pick(CONTENT_WORDS)} of ${random.pick(WORDS)}`
  const maybe = <Value>(value: Value) => (random.chance(MISSING) ? undefined : value)
  const [actor, category, severity] = [
    maybe(random.pick(ACTORS)),
    maybe(random.pick(CATEGORIES)),
    maybe(random.pick(SEVERITIES)),
  ]
  const codes = random.chance(MISSING) ? [] : random.some(COUNTRIES).slice(0, 2)
  const spell = (code: keyof typeof SPELLINGS) => (isOdd ? random.pick(SPELLINGS[code]) : SPELLINGS[code][0])
  const [first] = codes
  const undated = random.chance(0.04) ? { published_at: null, posted_at: 'soon' } : {}
  const v1 = {
    summary: text,
    category,
    threat_actors: actor === undefined ? [] : [actor],
    victims: {
      countries: codes.map(spell),
      industries: maybe(random.some(INDUSTRIES)),
      organizations: maybe([random.pick(VICTIMS)]),
      domains: maybe([random.pick(DOMAINS)]),
    },
    risk_level: severity,
    ai_analysis: maybe('Likely a real breach.'),
    ...undated,
  }
  const earlier = {
    category,
    ...(first && {
      country: spell(first),
      country_code: isOdd ? maybe(random.pick([first, first.toLowerCase(), 'ZZ'])) : first,
    }),
    threat_actor: actor,
    severity,
    excerpt: text,
    ...undated,
  }
  return { id, title, atMs, content: content.toLowerCase(), fields: { v1, earlier } }
}

export type WiderVendor = {
  /** The key's only route set. */
  alone?: 'v1' | 'earlier'
  /** Whether it writes countries in many ways. */
  isOdd: boolean
}

export const VENDORS: Readonly<Record<string, WiderVendor>> = {
  'API v1 alone': { alone: 'v1', isOdd: false },
  'the earlier API alone': { alone: 'earlier', isOdd: false },
  'both route sets': { isOdd: false },
  'both route sets and odd names of countries': { isOdd: true },
}

/** What a key may do: calls, and how many days back each route set lists records. */
export type WiderPlan = {
  perMinute: number
  perDay: number
  v1Days: number
  earlierDays: number
  isV1Bound: boolean
}

export const PLANS: Readonly<Record<string, WiderPlan>> = {
  small: { perMinute: 5, perDay: 100, v1Days: 30, earlierDays: 90, isV1Bound: true },
  medium: { perMinute: 10, perDay: 1_000, v1Days: 90, earlierDays: 200, isV1Bound: false },
  large: { perMinute: 600, perDay: 100_000, v1Days: 180, earlierDays: 380, isV1Bound: true },
}
