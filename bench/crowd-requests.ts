import { ACTOR_SORTS, ACTOR_TABS } from '#contract/bff/actor.ts'
import type { BacktestQuery } from '#contract/bff/alert.ts'
import type { ThreatFilter } from '#contract/bff/threat-list.ts'
import type { TriageAction } from '#contract/bff/triage.ts'
import type { Random } from '#test/support/random.ts'
import { ACTORS, CATEGORIES, COUNTRIES, frequent, INDUSTRIES, SEVERITIES, WORDS } from './window-records.ts'

export type CrowdRequest = {
  /** Under which its time is counted. */
  route: string
  path: string
  /** Sent as JSON, by POST. */
  body?: TriageAction | BacktestQuery
}

type MakeRequest = (random: Random, threatIds: readonly string[]) => Omit<CrowdRequest, 'route'>

const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Asia/Tokyo', 'Australia/Sydney']
const SPANS = ['1d', '7d', '30d'] as const
const FACETS = {
  category: CATEGORIES,
  country: COUNTRIES,
  actor: ACTORS,
  industry: INDUSTRIES,
  severity: SEVERITIES,
} satisfies Partial<Record<keyof ThreatFilter, readonly string[]>>
const FACET_NAMES = ['category', 'country', 'actor', 'industry', 'severity'] as const
const PLAIN_ACTIONS = ['read', 'unread', 'star', 'unstar'] as const
/** Of what one person does at once. */
const TRIAGED_MAX_COUNT = 5

/** Of 100 requests, how many are of which route. Names and words of a list come often or seldom, as in real lists. */
const MIX: readonly (readonly [count: number, route: string, makeRequest: MakeRequest])[] = [
  [16, 'feed', (random) => ({ path: `/bff/threats?${someFilter(random)}` })],
  [10, 'search', (random) => ({ path: `/bff/threats?${someFilter(random, { q: someText(random) })}` })],
  [9, 'threat', (random, ids) => ({ path: `/bff/threats/${frequent(ids, random)}` })],
  [7, 'related', (random, ids) => ({ path: `/bff/threats/${frequent(ids, random)}/related` })],
  [5, 'actors', (random) => ({ path: `/bff/actors?${someActors(random)}` })],
  [6, 'actor', (random) => ({ path: `/bff/actors/${frequent(ACTORS, random)}?${someZone(random)}` })],
  [4, 'countries', (random) => ({ path: `/bff/countries?${someZone(random)}` })],
  [5, 'country', (random) => ({ path: `/bff/countries/${frequent(COUNTRIES, random)}?${someZone(random)}` })],
  [7, 'trends', (random) => ({ path: `/bff/trends?${someTrend(random)}` })],
  [4, 'overview', () => ({ path: '/bff/overview' })],
  [2, 'metrics', () => ({ path: '/bff/metrics' })],
  [3, 'alerts', (random) => ({ path: `/bff/alerts?${someZone(random)}` })],
  [4, 'backtest', (random) => ({ path: '/bff/alert-profiles/backtest', body: someProfile(random) })],
  [4, 'history', (random, ids) => ({ path: `/bff/triage/${frequent(ids, random)}/history` })],
  [4, 'source', () => ({ path: '/bff/source' })],
  [10, 'triage', (random, ids) => ({ path: '/bff/triage', body: someAction(random, ids) })],
]

/** A backtest, of keywords and of a search in turn. */
export function makeBacktest(at: number, random: Random): CrowdRequest {
  if (at % 2 === 0)
    return { route: 'keywords', path: '/bff/alert-profiles/backtest', body: someProfile(random) }
  const { timeZone, keywords, filter: of } = someProfile(random)
  const filter = { ...of, q: keywords.join(' OR '), country: [frequent(COUNTRIES, random)] }
  return { route: 'search', path: '/bff/alert-profiles/backtest', body: { filter, timeZone } }
}

/** The route and the path of each request, in turn. */
export function nextRequest(random: Random, threatIds: readonly string[]): CrowdRequest {
  let left = random.below(MIX.reduce((sum, [count]) => sum + count, 0))
  for (const [count, route, makeRequest] of MIX) {
    left -= count
    if (left < 0) return { route, ...makeRequest(random, threatIds) }
  }
  throw new Error('The counts of the mix have changed meanwhile')
}

/** One to three filters of one or two values each, and days: seldom the same twice. */
function someFilter(random: Random, more: Record<string, string> = {}): URLSearchParams {
  const search = new URLSearchParams({ ...more, within: random.pick(SPANS), timeZone: random.pick(ZONES) })
  for (const name of random.some(FACET_NAMES).slice(0, 3)) appendValues(search, name, random)
  return search
}

function someTrend(random: Random): URLSearchParams {
  const search = someZone(random)
  search.set('by', random.pick(FACET_NAMES))
  appendValues(search, random.pick(FACET_NAMES), random)
  if (random.chance(0.3)) search.set('q', someText(random))
  return search
}

function appendValues(search: URLSearchParams, name: (typeof FACET_NAMES)[number], random: Random): void {
  const values: readonly string[] = FACETS[name]
  const chosen = new Set([
    frequent(values, random),
    ...(random.chance(0.5) ? [frequent(values, random)] : []),
  ])
  for (const value of chosen) search.append(name, value)
}

function someActors(random: Random): URLSearchParams {
  const search = someZone(random)
  search.set('tab', random.pick(ACTOR_TABS))
  search.set('sort', random.pick(ACTOR_SORTS))
  if (random.chance(0.7)) search.set('q', random.pick(ACTORS).slice(0, 2))
  return search
}

function someZone(random: Random): URLSearchParams {
  return new URLSearchParams({ timeZone: random.pick(ZONES) })
}

/** A word, two, or a phrase. */
function someText(random: Random): string {
  const [first, second] = [frequent(WORDS, random), frequent(WORDS, random)]
  return random.pick([first, `${first} ${second}`, `"${first} ${second}"`])
}

function someProfile(random: Random): BacktestQuery & { keywords: string[] } {
  return {
    keywords: Array.from({ length: 1 + random.below(6) }, () => someText(random)),
    filter: random.chance(0.5) ? { category: [random.pick(CATEGORIES)] } : {},
    timeZone: random.pick(ZONES),
  }
}

function someAction(random: Random, threatIds: readonly string[]): TriageAction {
  const count = 1 + random.below(TRIAGED_MAX_COUNT)
  const ids = [...new Set(Array.from({ length: count }, () => frequent(threatIds, random)))]
  if (random.chance(0.2)) return { action: 'note', ids, text: someText(random) }
  if (random.chance(0.2)) return { action: 'close', ids, reason: 'not_relevant', text: null }
  return { action: random.pick(PLAIN_ACTIONS), ids }
}
