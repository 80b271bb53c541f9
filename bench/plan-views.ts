import type { Random } from '#test/support/random.ts'
import { recordId, VENDOR_ACTORS } from './counting-vendor.ts'

/** The requests of a page to Lantern, and those that the same page would make to the vendor by itself. */
export type View = { pages: string[]; calls: string[] }

/** The id of a threat, by how many are newer. */
type IdOf = (rank: number) => string

const LIST = '/api/v1/threats?limit=50'
const CODES = ['DE', 'FR', 'JP', 'BR', 'IN'] as const
const CATEGORIES = ['Ransomware', 'DDoS', 'Other'] as const
const WORDS = ['northwind', 'foods', 'GB', 'leak', '"80 GB"'] as const
/** What a team looks at on one day. */
const OPENED_THREATS = 60

/** A team at work: mostly the feed, its filters and searches, and threats that others have opened as well. */
export function planViews(count: number, random: Random, idOf: IdOf = recordId): View[] {
  return Array.from({ length: count }, () => {
    const at = random.next()
    return (MIX.find(([until]) => at < until) ?? MIX[0])[1](random, idOf)
  })
}

const MIX = [
  [0.2, () => ({ pages: ['/bff/threats'], calls: [LIST] })],
  [0.35, filtered],
  [0.5, searched],
  [0.7, threat],
  [0.78, () => ({ pages: ['/bff/overview'], calls: ['/api/metrics', LIST] })],
  [0.83, () => ({ pages: ['/bff/actors'], calls: ['/api/v1/threat-actors?limit=50'] })],
  [0.88, actor],
  [0.91, () => ({ pages: ['/bff/countries'], calls: [LIST] })],
  [0.95, country],
  [0.97, () => ({ pages: ['/bff/alerts'], calls: ['/api/alerts'] })],
  [1, () => ({ pages: ['/bff/metrics'], calls: ['/api/metrics'] })],
] as const satisfies readonly (readonly [number, (random: Random, idOf: IdOf) => View])[]

function filtered(random: Random): View {
  const [code, category] = [random.pick(CODES), random.pick(CATEGORIES)]
  return {
    pages: [`/bff/threats?country=${code}&category=${category}`],
    calls: [`${LIST}&country=${code}&category=${category}`],
  }
}

function searched(random: Random): View {
  const word = encodeURIComponent(random.pick(WORDS))
  const code = random.pick(CODES)
  return {
    pages: [`/bff/threats?q=${word}&country=${code}`],
    calls: [`/api/feed?search=${word}&country=${code}`],
  }
}

function threat(random: Random, idOf: IdOf): View {
  const id = idOf(Math.floor(random.next() ** 2 * OPENED_THREATS))
  return {
    pages: [`/bff/threats/${id}?set=v1`, `/bff/threats/${id}/related?set=v1`],
    calls: [`/api/v1/threats/${id}`, `/api/feed/${id}`],
  }
}

function actor(random: Random): View {
  return {
    pages: [`/bff/actors/${random.pick(VENDOR_ACTORS)}`],
    calls: ['/api/v1/threat-actors?limit=50', LIST],
  }
}

function country(random: Random): View {
  const code = random.pick(CODES)
  return {
    pages: [`/bff/countries/${code}`],
    calls: [`/api/v1/countries/${code}`, `${LIST}&country=${code}`],
  }
}
