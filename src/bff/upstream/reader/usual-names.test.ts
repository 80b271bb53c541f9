import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { styles } from '#test/support/vendor-shapes/shapes.ts'
import { expandNames } from './field-names.ts'
import { readActorList } from './read-actor-list.ts'
import { readAlertProfile, readAlertProfiles } from './read-alert-profiles.ts'
import { readCountryStatistics } from './read-country-statistics.ts'
import { readMetrics } from './read-metrics.ts'
import { readThreatList } from './read-threat-list.ts'
import { readThreatRecord } from './read-threat-record.ts'
import usualNames from './usual-names.json' with { type: 'json' }

type Members = Readonly<Record<string, unknown>>
/** What a reader makes of a record whose member has a name, and what that is. */
type Reads = readonly [read: (name: string) => unknown, expected: unknown]

const DAY = '2026-03-10'
const MIDNIGHT = `${DAY}T00:00:00.000Z`
const ADDRESS = 'http://ashfall.onion/post/1'
const WEBHOOK = 'https://x.example/abcd'
const NOW_MS = Date.parse('2026-03-01T10:00:00Z')
const STEPS = { analysis: { recommendations: ['Patch'] } }
// Two more of each kind, so that nothing is taken for being the only one.
const RIVALS = { w1: 'Rival', w2: 'Other', n1: 7, n2: 8, t1: '2020-01-01', t2: '2020-01-02' }

const threat = (members: Members) => readThreatRecord('v1', 'thr_1', { id: 'thr_1', ...members })
const threats = (members: Members) => readThreatList('v1', { others: [{ id: 'not this' }], ...members })
const actor = (members: Members) => readActorList([{ ...RIVALS, ...members }])?.actors[0]
const actors = (members: Members) => readActorList({ others: [{ name: 'not this' }], ...members })?.actors
const country = (members: Members) => readCountryStatistics('PE', members, NOW_MS)
const profile = (members: Members) => readAlertProfile({ id: 'alp_1', ...members })
const topActors = (members: Members) => country({ top_actors: [{ ...RIVALS, ...members }] })?.topActors
const trend = (members: Members) => country({ trend: [{ ...RIVALS, ...members }] })?.trend
const listed = [{ id: 'thr_1' }]

const TABLES: Readonly<Record<string, Reads | Readonly<Record<string, Reads>>>> = {
  envelope: [(name) => threats({ others: 0, [name]: { threats: listed, more: [{}] } }), { received: 1 }],
  besideEnvelope: [
    (name) => readMetrics({ [name]: 'x', data: { usage: { today: 3 } } }),
    { requestsToday: 3, otherFields: [] },
  ],
  counted: {
    name: [(name) => topActors({ count: 3, [name]: 'the first' }), [{ name: 'the first', count: 3 }]],
    count: [(name) => topActors({ name: 'the first', [name]: 3 }), [{ name: 'the first', count: 3 }]],
    figures: [(name) => country({ threats: 1, top_actors: { [name]: 3 } })?.topActors, []],
  },
  trend: {
    date: [(name) => trend({ count: 3, [name]: DAY }), [{ date: DAY, count: 3 }]],
    count: [(name) => trend({ date: DAY, [name]: 3 }), [{ date: DAY, count: 3 }]],
  },
  actorList: {
    list: [(name) => actors({ [name]: ['LockBit'] }), [{ name: 'LockBit' }]],
    map: [(name) => readActorList({ [name]: { LockBit: 12 } })?.actors, [{ name: 'LockBit', mentions: 12 }]],
  },
  actor: {
    name: [(name) => actor({ [name]: 'LockBit' }), { name: 'LockBit' }],
    mentions: [(name) => actor({ name: 'LockBit', [name]: 12 }), { mentions: 12 }],
    latestObservedAt: [(name) => actor({ name: 'LockBit', [name]: DAY }), { latestObservedAt: MIDNIGHT }],
    categories: [(name) => actor({ name: 'LockBit', [name]: ['DDoS'] }), { categories: ['DDoS'] }],
  },
  countryEnvelope: [
    (name) => country({ [name]: { code: 'PE', threats: 12, inner: { victims: 3 } } }),
    { code: 'PE', threats: 12, victims: 3 },
  ],
  country: {
    code: [(name) => country({ threats: 1, [name]: 'DE' }), null],
    name: [(name) => country({ threats: 1, [name]: 'Perú' }), { name: 'Perú' }],
    threats: [(name) => country({ [name]: 12 }), { threats: 12, otherFields: [] }],
    actors: [(name) => country({ [name]: 12 }), { actors: 12, otherFields: [] }],
    victims: [(name) => country({ [name]: 12 }), { victims: 12, otherFields: [] }],
    topActors: [(name) => country({ [name]: ['first'] }), { topActors: [{ name: 'first', count: null }] }],
    topIndustries: [
      (name) => country({ [name]: ['first'] }),
      { topIndustries: [{ name: 'first', count: null }] },
    ],
    trend: [
      (name) => country({ w1: { '2020-01-01': 1 }, w2: { '2020-01-01': 2 }, [name]: { [DAY]: 12 } }),
      { trend: [{ date: DAY, count: 12 }] },
    ],
    summary: [(name) => country({ [name]: 'Calm.' }), { summary: 'Calm.' }],
  },
  threatList: {
    list: [(name) => threats({ [name]: listed }), { threats: listed }],
    meta: [(name) => threats({ data: listed, [name]: { total: 700 } }), { total: 700 }],
    total: [(name) => threats({ data: listed, meta: { [name]: 700 } }), { total: 700 }],
    cursor: [(name) => threats({ data: listed, meta: { [name]: 'zz' } }), { cursor: 'zz' }],
    hasMore: [(name) => threats({ data: listed, meta: { [name]: true } }), { hasMore: true }],
  },
  threatEnvelope: [
    (name) => readThreatRecord('v1', 'thr_1', { [name]: { id: 'thr_1' }, previous: { id: 'thr_0' } }),
    { id: 'thr_1' },
  ],
  aboutOthers: [
    (name) => threat({ [name]: { name: 'Dread', type: 'forum' } }),
    { title: null, category: null },
  ],
  threat: {
    id: [(name) => readThreatRecord('v1', 'thr_1', { [name]: 'thr_1' }), { id: 'thr_1' }],
    title: [(name) => threat({ [name]: 'a text' }), { title: 'a text', otherFields: [] }],
    excerpt: [(name) => threat({ [name]: 'a text' }), { excerpt: 'a text', otherFields: [] }],
    category: [(name) => threat({ [name]: 'a text' }), { category: 'a text', otherFields: [] }],
    severity: [(name) => threat({ [name]: 'a text' }), { severity: 'a text', otherFields: [] }],
    actors: [(name) => threat({ [name]: ['one', 'two'] }), { actors: ['one', 'two'], otherFields: [] }],
    victims: [
      (name) => threat({ [name]: { countries: ['Peru'], industries: ['Food'], domains: ['n.example'] } }),
      { countries: [{ code: 'PE', name: 'Peru' }], industries: ['Food'], domains: ['n.example'] },
    ],
    countries: [
      (name) => threat({ [name]: ['Germany', 'Peru'] }),
      { countries: [{ code: 'DE' }, { code: 'PE' }] },
    ],
    countryCode: [(name) => threat({ [name]: 'PE' }), { countries: [{ code: 'PE' }] }],
    industries: [(name) => threat({ [name]: ['one'] }), { industries: ['one'], otherFields: [] }],
    organizations: [(name) => threat({ [name]: ['one'] }), { organizations: ['one'], otherFields: [] }],
    domains: [(name) => threat({ [name]: ['one'] }), { domains: ['one'], otherFields: [] }],
    publishedAt: [(name) => threat({ [name]: DAY }), { publishedAt: MIDNIGHT }],
    content: [(name) => threat({ [name]: 'a text' }), { content: 'a text', otherFields: [] }],
    sourceUrl: [(name) => threat({ [name]: ADDRESS }), { sourceUrl: ADDRESS, otherFields: [] }],
    sources: [
      (name) => [ADDRESS, [ADDRESS]].map((value) => threat({ [name]: value })),
      Array(2).fill({ sourceUrl: ADDRESS, otherFields: [] }),
    ],
    analysis: [(name) => threat({ [name]: { summary: 'Short.' } }), { analysis: { summary: 'Short.' } }],
    evidence: [(name) => threat({ [name]: [ADDRESS] }), { evidence: [{ type: null, url: ADDRESS }] }],
  },
  analysis: {
    riskLevel: [
      (name) => threat({ analysis: { [name]: 'High' } }),
      { severity: null, analysis: { riskLevel: 'High' } },
    ],
    summary: [
      (name) => threat({ analysis: { [name]: 'Short.' } }),
      { excerpt: null, analysis: { summary: 'Short.' } },
    ],
    impact: [(name) => threat({ analysis: { [name]: 'Large.' } }), { analysis: { impact: 'Large.' } }],
    recommendations: [(name) => threat({ analysis: { [name]: ['Patch'] } }), STEPS],
  },
  besideAnalysis: {
    summary: [(name) => threat({ [name]: 'Short.' }), { analysis: { summary: 'Short.', text: null } }],
    impact: [(name) => threat({ [name]: 'Large.' }), { analysis: { impact: 'Large.', text: null } }],
    recommendations: [(name) => threat({ [name]: 'Patch' }), STEPS],
  },
  step: { text: [(name) => threat({ next_steps: [{ [name]: 'Patch' }] }), STEPS] },
  evidence: {
    url: [(name) => threat({ evidence: [{ type: 'png', [name]: 'x' }] }), { evidence: [{ url: 'x' }] }],
    type: [(name) => threat({ evidence: [{ url: 'x', [name]: 'png' }] }), { evidence: [{ type: 'png' }] }],
  },
  threatCountry: {
    code: [
      (name) => threat({ countries: [{ name: 'Perú', [name]: 'PE' }] }),
      { countries: [{ code: 'PE' }] },
    ],
    name: [
      (name) => threat({ countries: [{ code: 'PE', [name]: 'Perú' }] }),
      { countries: [{ name: 'Perú' }] },
    ],
  },
  victim: { name: [(name) => threat({ victims: { [name]: 'N', size: 'small' } }), { organizations: ['N'] }] },
  alertProfileList: [
    (name) => readAlertProfiles({ others: [{ id: 'not this' }], [name]: [{ id: 'alp_1' }] }),
    { profiles: [{ id: 'alp_1' }] },
  ],
  alertProfileEnvelope: [(name) => readAlertProfile({ [name]: { id: 'alp_1' } }), { id: 'alp_1' }],
  alertProfile: {
    id: [(name) => readAlertProfile({ [name]: 'alp_1' }), { id: 'alp_1' }],
    name: [(name) => profile({ [name]: 'a text' }), { name: 'a text' }],
    keywords: [(name) => profile({ [name]: ['one'] }), { keywords: ['one'] }],
    categories: [(name) => profile({ [name]: ['one'] }), { categories: ['one'] }],
    destinations: [
      (name) => profile({ slack: 'not this', [name]: { email: 'ada@x.example' } }),
      { destinations: { email: ['a…@x.example'], slack: null } },
    ],
    email: [(name) => profile({ [name]: 'ada@x.example' }), { destinations: { email: ['a…@x.example'] } }],
    slack: [(name) => profile({ [name]: WEBHOOK }), { destinations: { slack: 'x.example/…' } }],
    teams: [(name) => profile({ [name]: WEBHOOK }), { destinations: { teams: 'x.example/…' } }],
    triggeredCount: [(name) => profile({ [name]: 12 }), { triggeredCount: 12 }],
    createdAt: [(name) => profile({ [name]: DAY }), { createdAt: MIDNIGHT }],
    updatedAt: [(name) => profile({ [name]: DAY }), { updatedAt: MIDNIGHT }],
  },
  metricsEnvelope: [(name) => readMetrics({ [name]: { usage: { today: 3 } } }), { requestsToday: 3 }],
  metrics: {
    totalThreats: [(name) => readMetrics({ [name]: 12 }), { totalThreats: 12 }],
    alertsTriggered: [(name) => readMetrics({ [name]: 12 }), { alertsTriggered: 12 }],
    alertProfiles: [(name) => readMetrics({ [name]: 12 }), { alertProfiles: 12 }],
    categories: [
      (name) => readMetrics({ [name]: { DDoS: 3 } }),
      { categories: [{ name: 'DDoS', count: 3 }] },
    ],
    countriesMonitored: [(name) => readMetrics({ [name]: 12 }), { countriesMonitored: 12 }],
    lastThreatAt: [(name) => readMetrics({ [name]: DAY }), { lastThreatAt: MIDNIGHT }],
    requestsToday: [(name) => readMetrics({ [name]: 12 }), { requestsToday: 12 }],
    requestsThisMonth: [(name) => readMetrics({ [name]: 12 }), { requestsThisMonth: 12 }],
  },
}

const isReads = (table: object): table is Reads => Array.isArray(table)

/** Each member of `usual-names.json` with its names. */
const MEMBERS = Object.entries(usualNames).flatMap(([table, names]) =>
  Array.isArray(names)
    ? [{ member: table, names, reads: TABLES[table] }]
    : Object.entries<string[]>(names).map(([name, listed]) => {
        const reads = TABLES[table] ?? {}
        return { member: `${table}.${name}`, names: listed, reads: isReads(reads) ? reads : reads[name] }
      }),
)

test.each(MEMBERS)('$member is read under each of its usual names', ({ names, reads }) => {
  if (!reads || !isReads(reads)) throw new Error('Nothing reads the member')
  const [read, expected] = reads
  for (const name of names.flatMap(spellingsOf)) {
    const found = read(name)
    if (expected !== null && typeof expected === 'object') expect(found, name).toMatchObject(expected)
    else expect(found, name).toBe(expected)
  }
})

// To lose or to misspell a name that vendors use is to lose a vendor's figures. Whoever adds one writes the new digest.
test('no usual name is lost', () => {
  const names = MEMBERS.flatMap(({ member, names }) => expandNames(names).map((name) => `${member} ${name}`))
  expect(names).toHaveLength(966)
  expect(createHash('sha256').update(names.toSorted().join()).digest('hex').slice(0, 16)).toBe(
    '6d0c6d70abc78461',
  )
})

/** `{latest,last}_{seen,}` in each style: `latest_seen`, `latest-seen`, `LatestSeen`, `latestSeen`, `latest`… */
function spellingsOf(name: string): string[] {
  const [, before = '', choices, after = ''] = /^([^{]*)\{([^}]*)\}(.*)$/.exec(name) ?? []
  if (choices !== undefined) return choices.split(',').flatMap((one) => spellingsOf(before + one + after))
  const words = name.split('_').filter(Boolean).join(' ')
  return Object.values(styles).map((style) => style(words))
}

test('the vendor of a threat loses nothing of several, or of what is no address', () => {
  const several = threat({ sources: [{ name: 'Dread', url: ADDRESS }, { name: 'Telegram' }] })
  expect(several?.sourceUrl).toBe(ADDRESS)
  expect(several?.otherFields.map(({ value }) => value)).toEqual(['Dread', ADDRESS, 'Telegram'])
  expect(threat({ source_links: [ADDRESS, 'http://b.onion'] })).toMatchObject({
    sourceUrl: ADDRESS,
    otherFields: [{ value: ADDRESS }, { value: 'http://b.onion' }],
  })
  expect(threat({ source: 'forum' })).toMatchObject({ sourceUrl: null, otherFields: [{ value: 'forum' }] })
  expect(threat({ source: { url: ADDRESS, name: 'Dread' } })).toMatchObject({
    sourceUrl: ADDRESS,
    otherFields: [{ path: 'source.name', value: 'Dread' }],
  })
})

test.each([[['DDoS']], [[{ name: 'DDoS' }]], [[{ id: 4, label: 'DDoS' }]], ['DDoS'], [{ DDoS: 4 }]])(
  'categories of an actor may be %j',
  (categories) => {
    expect(actor({ name: 'LockBit', categories })?.categories).toEqual(['DDoS'])
  },
)

test.each([[['Patch']], ['Patch'], [[{ action: 'Patch' }]], [[{ title: 'Patch' }]], [[{ text: 'Patch' }]]])(
  'what to do may be %j',
  (steps) => {
    expect(threat({ next_steps: steps })).toMatchObject(STEPS)
    expect(threat({ ai_analysis: { next_steps: steps } })).toMatchObject(STEPS)
  },
)
