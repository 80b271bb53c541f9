import { expect, test } from 'vitest'
import { addRange } from '#bff/store/history/history-ranges.ts'
import { searchedText } from '#bff/store/index/threat-terms.ts'
import { placeThreats, storeThreats } from '#bff/store/records/store-threats.ts'
import { writeSyncState, writeTrouble } from '#bff/store/sync/sync-state.ts'
import { systemClock } from '#bff/time/clock.ts'
import { feedBounds } from '#bff/time/time-range.ts'
import type { Threat } from '#contract/bff/threat.ts'
import { type ThreatListQuery, threatListQuerySchema } from '#contract/bff/threat-list.ts'
import { HOUR_MS } from '#contract/duration.ts'
import type { OpenDatabase } from '#database/open-database.ts'
import { parseSearch } from '#matcher/search-query.ts'
import { matchesSearch } from '#test/support/matches-search.ts'
import { makeSyncState } from '#test/support/store/make-sync-state.ts'
import { USUAL_HISTORY } from '#test/support/usual-settings.ts'
import { withDatabase } from '#test/support/with-database.ts'
import { UNBOUNDED } from './index/select-rows.ts'
import { createThreatStore } from './threat-store.ts'

const NOW_MS = Math.floor(Date.now() / HOUR_MS) * HOUR_MS
const SOURCE = 'a source'
const CATEGORIES = ['Ransomware', 'Data Breach', 'DDoS', null]
const COUNTRIES = ['DE', 'FR', 'JP', 'BR']
const ACTORS = ['LockBit', 'lockbit', 'Ashfall', 'Żółw', '株式会社']
const INDUSTRIES = ['Finance', 'Health Care', 'Energy']
const SEVERITIES = ['critical', 'high', 'low', null]
const TEXTS = [
  'lock bit leaks',
  'bit lock',
  'Straße in 東京都',
  'ÀÉÎ café_100%',
  'Northwind Foods',
  '"quoted" \\ back',
]

function makeThreats(count: number): Threat[] {
  let seed = 7
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((seed / 2_147_483_648) * below)
  }
  const pick = <T>(values: readonly T[]): T[] => {
    const value = values[random(values.length)]
    return value === undefined ? [] : [value]
  }
  return Array.from({ length: count }, (_, at) => ({
    id: `thr_${at}`,
    set: 'v1',
    title: pick(TEXTS).at(0) ?? null,
    excerpt: pick(TEXTS).at(0) ?? null,
    category: pick(CATEGORIES).at(0) ?? null,
    severity: pick(SEVERITIES).at(0) ?? null,
    actors: [...new Set([...pick(ACTORS), ...pick(ACTORS)])],
    countries: [...new Set([...pick(COUNTRIES), ...pick(COUNTRIES)])].map((code) => ({ code, name: code })),
    industries: pick(INDUSTRIES),
    organizations: pick(TEXTS),
    domains: [],
    publishedAt: new Date(NOW_MS - at * 3 * HOUR_MS).toISOString(),
    redacted: [],
  }))
}

const COMPLETE = makeSyncState(new Date(NOW_MS).toISOString(), { source: SOURCE })
const FILLING = { status: 'filling', fill: { cursor: null }, catchUp: null, beyond: 'notRead' } as const

async function open(database: OpenDatabase, { sync = {}, threats = makeThreats(200) } = {}) {
  await storeThreats(database, placeThreats(threats, COMPLETE.storedTo))
  await writeSyncState(database, { ...COMPLETE, ...sync })
  const store = createThreatStore({ limits: USUAL_HISTORY, database, clock: systemClock, source: SOURCE })
  const list = (query: Partial<ThreatListQuery>, after: { at: string; id: string } | null = null) => {
    const parsed = threatListQuerySchema.parse(query)
    return store.list(parsed, feedBounds(parsed, NOW_MS), after)
  }
  return { store, list, threats }
}

/** Matches by hand: any value of a filter, all filters, values compared without letter case. */
function matches(threat: Threat, query: Partial<ThreatListQuery>): boolean {
  const holds = (wanted: readonly string[] | undefined, own: readonly (string | null)[]) =>
    !wanted?.length || wanted.some((value) => own.some((one) => one?.toLowerCase() === value.toLowerCase()))
  const time = Date.parse(threat.publishedAt ?? '')
  const { start, end } = feedBounds(threatListQuerySchema.parse(query), NOW_MS)
  return (
    holds(query.category, [threat.category]) &&
    holds(
      query.country,
      threat.countries.map(({ code }) => code),
    ) &&
    holds(query.actor, threat.actors) &&
    holds(query.industry, threat.industries) &&
    holds(query.severity, [threat.severity]) &&
    (start === null || time >= start) &&
    (end === null || time < end) &&
    matchesSearch(searchedText(threat), parseSearch(query.q ?? ''))
  )
}

const dayAgo = (days: number) => new Date(NOW_MS - days * 24 * HOUR_MS).toISOString().slice(0, 10)
const QUESTIONS: Partial<ThreatListQuery>[] = [
  {},
  { category: ['Ransomware'] },
  { category: ['ransomware', 'DDoS'], country: ['de', 'FR'] },
  { actor: ['LOCKBIT'], severity: ['high', 'critical'], industry: ['Health Care'] },
  { actor: ['株式会社'] },
  { actor: ['nobody'] },
  { from: dayAgo(10), to: dayAgo(3), timeZone: 'Asia/Kathmandu' },
  { to: dayAgo(3), country: ['JP'] },
  {
    since: new Date(NOW_MS - 24 * HOUR_MS).toISOString(),
    until: new Date(NOW_MS - 3 * HOUR_MS).toISOString(),
  },
  ...[
    'lock',
    '"lock bit"',
    '"bit lock"',
    'LOCK leaks',
    'strasse',
    '東京',
    '京東',
    'cafe',
    '100',
    '%',
    '_',
    'foods lock',
    '"foods lock',
    '"leaks lock"',
  ].map((q) => ({ q })),
  { q: '"lock bit"', category: ['Ransomware', 'Data Breach'], country: ['DE'], severity: ['high'] },
]

test(
  'finds the same threats as the matcher for every query, page by page',
  withDatabase('bff', async (database) => {
    const { list, threats } = await open(database)
    for (const filter of QUESTIONS) {
      const expected = threats.filter((threat) => matches(threat, filter))
      const found: Threat[] = []
      let after: { at: string; id: string } | null = null
      do {
        const page = await list(filter, after)
        expect(page?.answer.total, JSON.stringify(filter)).toBe(expected.length)
        found.push(...(page?.answer.threats ?? []))
        after = page?.next ?? null
      } while (after)
      expect(found, JSON.stringify(filter)).toEqual(expected)
    }
  }),
)

test(
  'answers for times before the stored ones with what is stored of them',
  withDatabase('bff', async (database) => {
    const { list } = await open(database)
    const { answer } = await list({ from: dayAgo(400), category: ['Ransomware'] })
    expect(answer.total).toBe((await list({ category: ['Ransomware'] })).answer.total)
    expect(answer.freshness.coverage?.status).toBe('part')
    expect((await list({ to: dayAgo(390) })).answer).toMatchObject({
      total: 0,
      freshness: { coverage: { status: 'none', from: null } },
    })
  }),
)

test(
  'answers with empty lists while nothing is stored, and keeps what another key could read from this one',
  withDatabase('bff', async (database) => {
    const { store, list } = await open(database, { sync: { source: 'another' } })
    expect((await list({})).answer).toMatchObject({
      threats: [],
      total: 0,
      isTotalExact: false,
      freshness: { isStale: true, coverage: { status: 'none' } },
    })
    const query = threatListQuerySchema.parse({})
    expect((await store.groups('actor', query, UNBOUNDED)).answer).toEqual({
      groups: [],
      more: 0,
      isExact: false,
    })
    expect((await store.snapshot(query, UNBOUNDED)).count).toBe(0)
    expect(await store.newest({}, 5)).toEqual([])
    expect(await store.storedRange()).toBeNull()
    expect(await store.find('thr_1', null)).toBeNull()
    expect((await store.state()).status).toBe('empty')
  }),
)

test(
  'counts a total as exact only once the window is filled',
  withDatabase('bff', async (database) => {
    const { store, list } = await open(database, { sync: FILLING })
    expect((await list({})).answer).toMatchObject({ total: 200, isTotalExact: false })
    await writeSyncState(database, COMPLETE)
    store.forget()
    expect((await list({})).answer).toMatchObject({ total: 200, isTotalExact: true })
  }),
)

test(
  'counts a total as exact only where no month of its time is still to be read',
  withDatabase('bff', async (database) => {
    const { storedFrom } = COMPLETE
    const { store, list } = await open(database, { sync: { beyond: 'planWindow' } })
    const readUpTo = async (days: number) => {
      const range = { from: `${dayAgo(days)}T00:00:00.000Z`, to: storedFrom, readAt: storedFrom }
      await addRange(database, { ...range, set: 'earlier', isOldest: false })
      store.forget()
    }
    const totalOf = async (query: Partial<ThreatListQuery>) => {
      const { isTotalExact, freshness } = (await list(query)).answer
      return [isTotalExact, freshness.coverage?.gaps.map(({ why }) => why)]
    }
    expect(await totalOf({})).toEqual([true, ['planWindow']])
    await readUpTo(100)
    expect(await totalOf({})).toEqual([false, ['notRead']])
    expect(await totalOf({ from: dayAgo(100) })).toEqual([true, []])
    await readUpTo(USUAL_HISTORY.days)
    expect(await totalOf({})).toEqual([true, ['historyLimit']])
    expect(await store.state()).toMatchObject({
      from: `${dayAgo(400)}T00:00:00.000Z`,
      beyond: 'historyLimit',
    })
  }),
)

test(
  'a total is exact only for records compared with the list, and reports that time',
  withDatabase('bff', async (database) => {
    const all = { from: `${dayAgo(20)}T00:00:00.000Z`, at: new Date(NOW_MS - 20 * HOUR_MS).toISOString() }
    const recent = { from: `${dayAgo(2)}T00:00:00.000Z`, at: new Date(NOW_MS - HOUR_MS / 2).toISOString() }
    const checks = { ...COMPLETE.checks, all, recent }
    const { list, store } = await open(database, { sync: { checks } })
    const answerFrom = async (from?: string) => (await list(from ? { from } : {})).answer
    const expected = (isTotalExact: boolean, checked: object) => ({ isTotalExact, freshness: { checked } })
    expect(await answerFrom(dayAgo(1))).toMatchObject(expected(true, recent))
    expect(await answerFrom(dayAgo(10))).toMatchObject(expected(true, all))
    expect(await answerFrom(dayAgo(25))).toMatchObject(expected(false, all))
    expect(await answerFrom()).toMatchObject(expected(false, all))
    expect((await store.storedRange(Date.parse(recent.from)))?.freshness.checked).toEqual(recent)

    await writeSyncState(database, { ...COMPLETE, checks: { ...checks, all: null, recent: null } })
    store.forget()
    expect((await answerFrom(dayAgo(1)))?.isTotalExact).toBe(false)
    expect((await answerFrom(dayAgo(1)))?.freshness.checked).toBeUndefined()
  }),
)

test(
  'says how far it reaches while it is filling, and why it is late',
  withDatabase('bff', async (database) => {
    const storedFrom = new Date(NOW_MS - 5 * 24 * HOUR_MS).toISOString()
    const trouble = 'The vendor cannot be reached or failed.'
    const { list, store } = await open(database, { sync: { ...FILLING, storedFrom, beyond: 'notRead' } })
    await writeTrouble(database, SOURCE, trouble)
    expect((await list({ from: dayAgo(20) })).answer.freshness).toMatchObject({
      isStale: true,
      staleReason: trouble,
      coverage: { status: 'part', from: storedFrom, gaps: [{ to: storedFrom, why: 'notRead' }] },
    })
    expect(await store.state()).toMatchObject({ status: 'filling', threats: 200, trouble })
  }),
)

test(
  'reports why no threats are stored, only for the same source',
  withDatabase('bff', async (database) => {
    await writeTrouble(database, SOURCE, 'The key was refused.')
    const state = (source: string) =>
      createThreatStore({ limits: USUAL_HISTORY, database, clock: systemClock, source: source }).state()
    expect(await state(SOURCE)).toMatchObject({ status: 'empty', trouble: 'The key was refused.' })
    expect(await state('another')).toMatchObject({ status: 'empty', trouble: null })
  }),
)
