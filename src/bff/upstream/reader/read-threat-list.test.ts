import { describe, expect, test } from 'vitest'
import { threatIdSchema, threatSchema } from '#contract/bff/threat.ts'
import { AWKWARD_IDS } from '#test/support/awkward-ids.ts'
import { earlierList, earlierRecord, v1List, v1Record } from '#test/support/upstream-records.ts'
import { vendorIdOf } from './read-threat-id.ts'
import { readThreatList } from './read-threat-list.ts'

/** The only threat of a list with this record in it. */
function readOne(record: unknown) {
  const [threat] = readThreatList('v1', { data: [record] })?.threats ?? []
  return threat && threatSchema.parse(threat)
}

test('reads a record of v1', () => {
  const page = readThreatList('v1', v1List([v1Record()], { total: 7, cursor: 'next' }))
  expect(page).toMatchObject({ received: 1, unreadable: [], total: 7, cursor: 'next', hasMore: null })
  expect(page?.threats).toEqual([
    {
      id: 'thr_1',
      set: 'v1',
      title: 'Northwind Foods - 80 GB',
      excerpt: 'Ashfall names Northwind Foods on its site.',
      category: 'Ransomware',
      severity: 'high',
      actors: ['Ashfall'],
      countries: [{ code: 'DE', name: 'Germany' }],
      industries: ['Food'],
      organizations: ['Northwind Foods'],
      domains: ['northwind.example'],
      publishedAt: '2026-03-10T08:00:00.000Z',
      redacted: [],
      listSays: { analysis: true },
    },
  ])
})

test.each(['', '  ', '\u200b', '\u3164 \u2060'])('has no title and no actor of %j', (blank) => {
  const names = [blank, 'Ashfall']
  expect(readOne(v1Record({ title: blank, threat_actors: names }))).toMatchObject({
    title: null,
    actors: ['Ashfall'],
  })
})

test('reads a record of the earlier set', () => {
  const page = readThreatList('earlier', earlierList([earlierRecord()], { total: 9, has_more: true }))
  expect(page).toMatchObject({ received: 1, total: 9, cursor: null, hasMore: true })
  expect(page?.threats).toEqual([
    {
      id: 'thr_1',
      set: 'earlier',
      title: 'Northwind Foods - 80 GB',
      excerpt: 'Ashfall names Northwind Foods on its site.',
      category: 'Ransomware',
      severity: 'high',
      actors: ['Ashfall'],
      countries: [{ code: 'DE', name: 'Germany' }],
      industries: [],
      organizations: [],
      domains: [],
      publishedAt: '2026-03-10T08:00:00.000Z',
      redacted: [],
    },
  ])
})

describe('finds the list', () => {
  test.each([
    ['bare', [v1Record()]],
    ['under another name', { results: [v1Record()] }],
    ['one envelope deeper', { data: { threats: [v1Record()] } }],
  ])('%s', (_, body) => {
    expect(readThreatList('v1', body)?.threats).toHaveLength(1)
  })

  test.each([null, 'text', 7, {}, { error: 'no' }, { data: null }, { data: { error: 'no' } }, { data: 'x' }])(
    'but not in %j',
    (body) => {
      expect(readThreatList('v1', body)).toBeNull()
    },
  )

  test('and distinguishes an empty list from no list', () => {
    expect(readThreatList('v1', { data: [] })).toMatchObject({ threats: [], received: 0, total: null })
  })
})

describe('finds the facts of the list', () => {
  const items = [v1Record()]
  const pagination = { total: 700, nextCursor: 'zz', hasMore: true }
  test.each([
    ['beside it', { items, pagination }],
    ['in its envelope', { data: { items, pagination } }],
    ['in its envelope, without a name', { data: { items, ...pagination } }],
    ['outside its envelope', { data: { items }, pagination }],
    ['outside its envelope, without a name', { Data: { Items: items }, ...pagination }],
    ['in an envelope of another name', { response: { Threats: items, Paging: pagination } }],
    ['in two places', { items, meta: { requestId: 'r' }, ...pagination }],
  ])('%s', (_, body) => {
    expect(readThreatList('v1', body)).toMatchObject({
      threats: [{ id: 'thr_1' }],
      total: 700,
      cursor: 'zz',
      hasMore: true,
    })
  })

  test('and prefers the facts nearest to the records', () => {
    const body = { data: { items, pagination: { total: 700 } }, meta: { total: 1, cursor: 'outer' } }
    expect(readThreatList('v1', body)).toMatchObject({ total: 700, cursor: 'outer' })
  })
})

describe('a bad record costs only itself', () => {
  test.each([null, 'text', [[]], {}, { id: null }, { id: '' }, { id: {} }, { id: 2 ** 60 }])('%j', (bad) => {
    const page = readThreatList('v1', v1List([bad, v1Record()]))
    expect(page).toMatchObject({ received: 2, unreadable: { length: 1 }, threats: [{ id: 'thr_1' }] })
  })
})

describe('an unreadable record', () => {
  const unreadableOf = (records: readonly unknown[]) => readThreatList('v1', records)?.unreadable ?? []

  test('is reported by its position, its fault and the time of its neighbour', () => {
    const undated = { id: 'a', published_at: 'soon' }
    const newer = { id: 'b', published_at: '2026-03-10' }
    const older = { id: 'c', published_at: '2026-03-09' }
    const records = [{ title: 'Northwind' }, undated, newer, 'text', undated, {}, older, null]
    expect(unreadableOf(records)).toMatchObject([
      { at: 0, near: '2026-03-10T00:00:00.000Z', reason: 'no id' },
      { at: 3, near: '2026-03-10T00:00:00.000Z', reason: 'not an object' },
      { at: 5, near: '2026-03-10T00:00:00.000Z', reason: 'no id' },
      { at: 7, near: '2026-03-09T00:00:00.000Z', reason: 'not an object' },
    ])
    expect(unreadableOf([undated, null])).toMatchObject([{ at: 1, near: null }])
  })

  test('is known again by its mark, on any page, and is short enough for a cursor', () => {
    const [one, another] = unreadableOf([{ title: 'Northwind' }, { title: 'Contoso' }])
    expect(unreadableOf([v1Record(), { title: 'Northwind' }])[0]?.mark).toBe(one?.mark)
    expect(another?.mark).not.toBe(one?.mark)
    expect(one?.mark).toMatch(/^[\w-]{16}$/)
  })
})

describe('a bad field costs only itself', () => {
  test.each([
    [{ title: { a: 1 } }, { title: null, category: 'Ransomware' }],
    [{ title: ['a'] }, { title: null }],
    [{ title: '  ' }, { title: null }],
    [{ risk_level: 5 }, { severity: '5' }],
    [{ risk_level: 'Catastrophic' }, { severity: 'Catastrophic' }],
    [{ threat_actors: null }, { actors: [] }],
    [{ threat_actors: [null, {}, 'A', 'A', { name: 'B' }] }, { actors: ['A', 'B'] }],
    [{ threat_actors: { A: 3, B: 1 } }, { actors: ['A', 'B'] }],
    [{ victims: 'Northwind' }, { organizations: ['Northwind'], countries: [] }],
    [{ victims: null }, { organizations: [] }],
    [{ published_at: 'yesterday' }, { publishedAt: null }],
  ])('%j', (changes, expected) => {
    expect(readOne({ ...v1Record(), ...changes })).toMatchObject(expected)
  })
})

describe('reads other spellings', () => {
  test.each([
    [{ 'Threat-Actor': 'A' }, { actors: ['A'] }],
    [{ group: { name: 'A' } }, { actors: ['A'] }],
    [{ victims: { organisations: ['N'] } }, { organizations: ['N'] }],
    [{ category: { id: 3, name: 'DDoS' } }, { category: 'DDoS' }],
    [{ country: 'de' }, { countries: [{ code: 'DE', name: 'de' }] }],
    [{ country_code: 'FR' }, { countries: [{ code: 'FR', name: 'FR' }] }],
    [{ country: 'Deutschland', country_code: 'DE' }, { countries: [{ code: 'DE', name: 'Deutschland' }] }],
    [{ country: 'Atlantis' }, { countries: [{ code: null, name: 'Atlantis' }] }],
    [{ countries: [{ code: 'IT', name: 'Italy' }, 'IT'] }, { countries: [{ code: 'IT', name: 'Italy' }] }],
    [{ id: 41 }, { id: '41' }],
  ])('%j', (record, expected) => {
    expect(readOne({ id: 'thr_2', ...record })).toMatchObject(expected)
  })
})

describe('text that can be sent on', () => {
  test.each([
    ['a lone surrogate', 'a\ud800b', 'a\ufffdb'],
    ['a NUL', 'a\0b', 'ab'],
    ['nothing but NUL', '\0\0', null],
    ['far too much', 'a'.repeat(100_000), 'a'.repeat(65_536)],
    ['a pair that the cut parts', `${'a'.repeat(65_535)}😀`, `${'a'.repeat(65_535)}\ufffd`],
    [
      'markup and bidi, which is for the app to tame',
      '<img src=x onerror=1>\u202e',
      '<img src=x onerror=1>\u202e',
    ],
  ])('%s', (_, title, expected) => {
    expect(readOne({ id: 'thr_2', title })?.title).toBe(expected)
  })
})

test('reports members that a plan withholds, also within lists', () => {
  const victims = { organizations: ['[redacted]'], domains: ['a.example', '[redacted]'] }
  const record = v1Record({ title: '[redacted]', summary: '[redacted]' })
  expect(readOne({ ...record, victims })).toMatchObject({
    title: null,
    excerpt: null,
    organizations: [],
    domains: ['a.example'],
    redacted: ['title', 'excerpt', 'organizations', 'domains'],
  })
})

test('a record cannot reach into prototypes', () => {
  const record: unknown = JSON.parse(
    '{"id":"a","__proto__":{"title":"evil"},"constructor":{"name":"x"},"victims":{"__proto__":{"domains":["evil"]}}}',
  )
  expect(readOne(record)).toMatchObject({ title: null, domains: [] })
  expect(Object.hasOwn(Object.prototype, 'title')).toBe(false)
})

test('reads at most so many of a list', () => {
  const actors = Array.from({ length: 5_000 }, (_, index) => `actor ${index}`)
  expect(readOne(v1Record({ threat_actors: actors }))?.actors).toHaveLength(1_000)
  expect(readThreatList('v1', Array(10_001).fill({ id: 'a' }))?.threats).toHaveLength(10_000)
})

describe('an id is any text', () => {
  test.each(Object.entries(AWKWARD_IDS))('%s', (_, id) => {
    const page = readThreatList('v1', v1List([v1Record({ id })]))
    const [threat] = page?.threats ?? []
    expect(threat?.id).toSatisfy((text) => threatIdSchema.safeParse(text).success)
    const isWhole = id.isWellFormed() && !id.includes('\0')
    expect(threat && vendorIdOf(threat) === id).toBe(isWhole)
  })

  test('two ids that look equal to a database stay distinct', () => {
    const records = ['a\0', 'a\ud800', 'a\ud801', 'a\ufffd'].map((id) => v1Record({ id }))
    const ids = readThreatList('v1', v1List(records))?.threats.map(({ id }) => id)
    expect(new Set(ids).size).toBe(4)
  })

  test('an id that equals the hash of another does not replace it', () => {
    const long = readThreatList('v1', v1List([v1Record({ id: 'x'.repeat(600) })]))?.threats.at(0)
    const forged = readThreatList('v1', v1List([v1Record({ id: long?.id ?? '' })]))?.threats.at(0)
    expect(forged?.fullId).toBe(long?.id)
    expect(forged?.id).not.toBe(long?.id)
  })
})
