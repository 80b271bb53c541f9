import { calendarOf } from '#bff/time/periods.ts'
import { GROUP_ORDERS, GROUPINGS, SORTS } from '#contract/bff/arrangement.ts'
import { filterOfPeriod } from '#contract/bff/period.ts'
import { DAY_MS } from '#contract/duration.ts'
import type { Random } from '#test/support/random.ts'
import {
  ACTORS,
  CATEGORIES,
  CONTENT_WORDS,
  COUNTRIES,
  DOMAINS,
  INDUSTRIES,
  SEVERITIES,
  VICTIMS,
  WORDS,
} from './vendor-records.ts'

/** Parameters of an address, and a part of its search; nothing of either where the condition is left out. */
type Rung = { params?: Readonly<Record<string, string | readonly string[] | undefined>>; q?: string }
/** Conditions of which each finds all that the one before it finds. */
type Ladder = readonly Rung[]

export type Pair = { narrow: URLSearchParams; wide: URLSearchParams }

const NO_CONDITION: Rung = {}
/** Further back, and later, than anything is stored. */
const FIRST_DAYS = ['1500-01-01', '1990-01-01', '2020-02-29'] as const
const LAST_DAYS = ['2999-12-31', '2028-02-29'] as const
const ZONES = ['UTC', 'America/St_Johns', 'Pacific/Auckland', 'Europe/Berlin'] as const
const SPAN_DAYS = 400

/** A question, and one that asks for no less: by a condition that is left out, a longer time, or one more value. */
export function makePair(random: Random, nowMs: number): Pair {
  const timeZone = random.pick(ZONES)
  const ladders = [
    ...(random.chance(0.7) ? [random.pick(TIMES)(random, nowMs, timeZone)] : []),
    ...(random.chance(0.2) ? [moments(random, nowMs)] : []),
    ...VALUES.filter(() => random.chance(0.2)).map(([name, values]) => valuesLadder(random, name, values)),
    ...(random.chance(0.2) ? [random.pick(TRIAGE)] : []),
    ...(random.chance(0.6) ? random.some(SEARCHES).slice(0, 2) : []).map((make) => make(random)),
  ]
  if (ladders.length === 0) return makePair(random, nowMs)
  const longer = random.below(ladders.length)
  const chosen = ladders.map((ladder, at) => {
    const low = random.below(ladder.length - 1)
    const first = low + (at === longer ? 1 : 0)
    return {
      low: ladder[low] ?? NO_CONDITION,
      high: ladder[first + random.below(ladder.length - first)] ?? NO_CONDITION,
    }
  })
  const address = (rungs: readonly Rung[], other: string) => toAddress(rungs, { other, timeZone, random })
  const other = random.chance(0.2) ? random.pick(WORDS) : ''
  return {
    narrow: address(
      chosen.map(({ low }) => low),
      '',
    ),
    wide: address(
      chosen.map(({ high }) => high),
      other,
    ),
  }
}

/** Rungs as an address, in any order of its list: pages must bring the same threats in each. */
function toAddress(
  rungs: readonly Rung[],
  { other, timeZone, random }: { other: string; timeZone: string; random: Random },
): URLSearchParams {
  const address = new URLSearchParams({ timeZone })
  for (const [name, value] of rungs.flatMap(({ params = {} }) => Object.entries(params))) {
    for (const one of [value ?? []].flat()) address.append(name, one)
  }
  const parts = rungs.flatMap(({ q }) => (q ? [q] : []))
  const search = parts.join(' ')
  if (search !== '') address.set('q', other === '' ? search : `(${search}) OR ${other}`)
  if (random.chance(0.5)) address.set('sort', random.pick(SORTS))
  if (random.chance(0.3)) address.set('order', random.pick(['asc', 'desc']))
  if (random.chance(0.3)) address.set('group', random.pick(GROUPINGS))
  if (random.chance(0.2)) address.set('groupOrder', random.pick(GROUP_ORDERS))
  return address
}

type MakeTimes = (random: Random, nowMs: number, timeZone: string) => Ladder
const TIMES: readonly MakeTimes[] = [
  function days(random, nowMs) {
    const middle = random.below(SPAN_DAYS)
    const [width, wider] = [random.below(10), 10 + random.below(200)]
    const [first, last] = [random.pick(FIRST_DAYS), random.pick(LAST_DAYS)]
    const to = dayAgo(nowMs, middle - wider)
    const isUpToNow = random.chance(0.5)
    return [
      { params: { from: dayAgo(nowMs, middle + width), to: dayAgo(nowMs, middle - width) } },
      { params: { from: dayAgo(nowMs, middle + wider), to } },
      ...(isUpToNow
        ? [{ params: { from: dayAgo(nowMs, middle + wider) } }]
        : [{ params: { from: first, to } }]),
      { params: { from: first, to: last } },
      random.pick([{ params: { from: '1500-01-01' } }, { params: { to: last } }]),
      NO_CONDITION,
    ]
  },
  function within(random, nowMs) {
    return [
      { params: { within: '1d' } },
      { params: { within: '7d' } },
      { params: { within: '30d' } },
      { params: { from: dayAgo(nowMs, 45) } },
      // Days that are named take the place of those up to now.
      { params: { from: random.pick(FIRST_DAYS), within: '1d' } },
      NO_CONDITION,
    ]
  },
  (_random, nowMs, timeZone) => periods(['7d', '30d', '90d', '12m'], nowMs, timeZone),
  (random, nowMs, timeZone) =>
    periods(
      random.pick([
        ['2026-11', '2026-Q4'],
        ['2026-08', '2026-Q3'],
        ['2025-12', '2025-Q4'],
      ]),
      nowMs,
      timeZone,
    ),
  () => [{ params: { within: 'undated' } }, NO_CONDITION],
]

function periods(names: readonly string[], nowMs: number, timeZone: string): Ladder {
  return [
    ...names.map((name) => ({ params: filterOfPeriod(calendarOf(name, timeZone, nowMs)) })),
    NO_CONDITION,
  ]
}

function moments(random: Random, nowMs: number): Ladder {
  const [start, end] = [random.below(SPAN_DAYS), random.below(5)].toSorted((a, b) => b - a)
  const iso = (days: number) => new Date(nowMs - days * DAY_MS).toISOString()
  const since = iso((start ?? 0) + 1)
  return [
    { params: { since, until: iso(end ?? 0) } },
    { params: { since, until: '2999-01-01T00:00:00Z' } },
    { params: { since: '1990-01-01T00:00:00+05:30' } },
    NO_CONDITION,
  ]
}

const VALUES: readonly (readonly [string, readonly string[]])[] = [
  ['country', [...COUNTRIES, 'FR', 'us']],
  ['actor', [...ACTORS, 'Nobody']],
  ['category', CATEGORIES],
  ['severity', SEVERITIES],
  ['industry', INDUSTRIES],
]

function valuesLadder(random: Random, name: string, values: readonly string[]): Ladder {
  const order = random.some(values)
  return [...order.map((_, at) => ({ params: { [name]: order.slice(0, at + 1) } })), NO_CONDITION]
}

const TRIAGE: readonly Ladder[] = [
  [{ params: { triage: 'unread' } }, { params: { triage: 'open' } }, NO_CONDITION],
  [{ params: { triage: 'starred' } }, NO_CONDITION],
  [{ params: { triage: 'closed' } }, NO_CONDITION],
]

/** Searches from the narrowest on. */
const SEARCHES: readonly ((random: Random) => Ladder)[] = [
  function words(random) {
    const [first, second, third] = [random.pick(WORDS), random.pick(WORDS), random.pick(WORDS)]
    return search(
      `"${first} ${second}"`,
      `${first} ${second}`,
      first,
      `(${first} OR ${third})`,
      `(${first.slice(0, 2)}* OR ${third})`,
    )
  },
  function without(random) {
    const [first, second] = [random.pick(WORDS), random.pick(WORDS)]
    return search(`-(${first} OR ${second})`, `-${first}`, `-(${first} ${second})`, `-"${first} ${second}"`)
  },
  function fullTexts(random) {
    const [first, second] = [random.pick(CONTENT_WORDS), random.pick(CONTENT_WORDS)]
    return search(`${first} ${second}`, first, `${first.slice(0, 4)}*`)
  },
  (random) => search(...fieldSearches(random, 'actor', ACTORS), 'actor:*'),
  (random) => search(...fieldSearches(random, 'category', CATEGORIES), 'category:*'),
  (random) => search(...fieldSearches(random, 'industry', INDUSTRIES), 'industry:*'),
  (random) => search(...fieldSearches(random, 'country', COUNTRIES), 'country:*'),
  (random) => search(`-country:${COUNTRIES.join()}`, `-country:${random.pick(COUNTRIES)}`),
  () => search('-country:*', '-country:US,DE', '-country:US'),
  () => search('country:germany', 'country:ger*', 'country:*'),
  () => search('severity:critical', 'severity:>=high', 'severity:>=medium', 'severity:*'),
  () => search('severity:low', 'severity:<high', '-severity:critical'),
  (random) =>
    search(`victim:"${random.pick(VICTIMS)}"`, 'victim:acme,contoso', 'victim:ac*,con*', 'victim:*'),
  (random) => search(`domain:${random.pick(DOMAINS)}`, 'domain:acme.example,contoso.example', 'domain:*'),
  () => search('id:thr_12', 'id:thr_1*', 'id:thr_*'),
  () => search('is:starred', 'is:starred,read', '(is:starred OR is:read OR has:note)'),
  () => search('-is:read,starred', '-is:read', '-(is:read has:note)'),
  () => search('has:note', 'has:note,analysis'),
  (random) =>
    search(
      `on:${random.pick(['2026-10-03', '2026-10-30'])}`,
      'on:2026-10',
      'on:2026',
      'on:1990..today',
      '-before:1700',
    ),
  () => search('after:3d', 'after:30d', 'after:90d', 'after:1900'),
  () => search('before:2026-05', 'before:2026-10-15', 'before:2998'),
  () => search('-after:2026-05', '-after:2026-10', '-after:2998'),
]

function fieldSearches(random: Random, name: string, values: readonly string[]): string[] {
  const order = random.some(values).map((value) => `"${value}"`)
  return order.map((_, at) => `${name}:${order.slice(0, at + 1).join()}`)
}

function search(...texts: readonly string[]): Ladder {
  return [...texts.map((q) => ({ q })), NO_CONDITION]
}

function dayAgo(nowMs: number, days: number): string {
  return new Date(nowMs - days * DAY_MS).toISOString().slice(0, 10)
}
