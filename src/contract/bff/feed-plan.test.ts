import { expect, test } from 'vitest'
import { filterRefusal, planFeed } from './feed-plan.ts'
import type { SetState, Source } from './source.ts'

const NO_BUDGETS = { reason: null, budgets: { minute: null, day: null }, blockedUntil: null }
const setOf = (status: SetState['status']): SetState => ({ ...NO_BUDGETS, status })
const V1_ONLY = { v1: setOf('permitted'), earlier: setOf('forbidden') }
const UNKNOWN = { v1: setOf('unknown'), earlier: setOf('unknown') }

type Facts = Pick<Source, 'key' | 'sets' | 'window'>
const sourceOf = (window: Partial<Source['window']>, facts: Partial<Facts> = {}): Facts => ({
  key: 'valid',
  sets: V1_ONLY,
  window: { status: 'empty', from: null, to: null, threats: 0, lastReadAt: null, trouble: null, ...window },
  ...facts,
})
const EMPTY = sourceOf({})
const HELD = { from: '2026-02-08T00:00:00.000Z', to: '2026-03-10T12:00:00.000Z' }
const COMPLETE = sourceOf({ ...HELD, status: 'complete' })
const FILLING = sourceOf({ ...HELD, status: 'filling', from: '2026-03-09T00:00:00.000Z' })

test('asks the first permitted set that serves every filter', () => {
  expect(planFeed({ category: ['DDoS'] }, {}).set).toBe('v1')
  expect(planFeed({ q: 'lock' }, {}).set).toBe('earlier')
  expect(planFeed({ q: 'lock' }, { earlier: 'plan' }).set).toBeNull()
})

test('asks for moments the sets that have a filter by time, which v1 has of beginnings alone', () => {
  const until = '2026-03-10T12:00:00Z'
  expect(planFeed({ since: until }, {}).set).toBe('v1')
  expect(planFeed({ since: '2026-03-09T12:00:00Z', until }, {}).set).toBe('earlier')
  expect(planFeed({ until }, { earlier: 'plan' })).toMatchObject({
    set: null,
    refused: [{ filter: 'until' }],
  })
  expect(filterRefusal('actor', { since: '2026-02-09T00:00:00Z' }, COMPLETE)).toBeNull()
  expect(filterRefusal('actor', { since: '2026-02-01T00:00:00Z' }, COMPLETE)).not.toBeNull()
})

test('blames only the filters that no permitted set serves', () => {
  const filter = { category: ['DDoS'], from: '2026-01-01', q: 'lock', actor: ['Ashfall'] }
  const blamed = (closed: Parameters<typeof planFeed>[1]) =>
    planFeed(filter, closed).refused?.map((refusal) => refusal.filter)

  expect(blamed({})).toEqual(['actor'])
  expect(blamed({ earlier: 'plan' })).toEqual(['actor', 'q'])
  expect(filterRefusal('category', { actor: ['Ashfall'] }, EMPTY)).toBeNull()
})

test('refuses inside the window no filter, with any number of values', () => {
  const filter = { actor: ['LockBit', 'Ashfall'], q: 'lock', to: '2026-03-01' }
  expect(filterRefusal('actor', filter, COMPLETE)).toBeNull()
  expect(filterRefusal('actor', { ...filter, from: '2026-02-08' }, COMPLETE)).toBeNull()
})

test('answers for all of its days while it is filling', () => {
  expect(filterRefusal('actor', { from: '2026-02-10' }, FILLING)).toBeNull()
  expect(filterRefusal('actor', { from: '2026-01-10' }, FILLING)).not.toBeNull()
})

test('says what cannot be asked of older threats', () => {
  expect(filterRefusal('actor', { from: '2026-02-07' }, COMPLETE)).toBe(
    'Older than what is stored here. Neither API filters by this.',
  )
  expect(filterRefusal('category', { from: '2026-02-07' }, COMPLETE)).toBeNull()
})

test('answers for the last days as far as the window reaches', () => {
  expect(filterRefusal('actor', { within: '30d' }, COMPLETE)).toBeNull()
  expect(planFeed({ within: '7d' }, {}).set).toBe('v1')
  // Days that are named take their place.
  expect(filterRefusal('actor', { within: '7d', from: '2026-01-10' }, COMPLETE)).not.toBeNull()
})

test('says why a set cannot be asked, and not that no set could', () => {
  const unknown = (key: Source['key']) => sourceOf({}, { key, sets: UNKNOWN })
  const neither = { v1: setOf('forbidden'), earlier: setOf('forbidden') }
  const oneKeyRefused = { v1: setOf('permitted'), earlier: setOf('unknown') }

  expect(filterRefusal('q', {}, EMPTY)).toMatch(/the plan of the API key does not include it\.$/)
  expect(filterRefusal('q', { set: 'v1' }, EMPTY)).toMatch(/it is not in use here\.$/)
  expect(filterRefusal('q', {}, sourceOf({}, { key: 'invalid', sets: oneKeyRefused }))).toMatch(
    /its API key was refused\.$/,
  )
  expect(filterRefusal('actor', {}, unknown('invalid'))).toMatch(/^The API refused the key:/)
  expect(filterRefusal('actor', {}, unknown('missing'))).toMatch(/^No API key is set:/)
  expect(filterRefusal('actor', {}, sourceOf({}, { sets: neither }))).toMatch(
    /^The plan of the API key permits neither/,
  )
})

test('has the rules of the route sets without a window, and where one is insisted on', () => {
  const reason = 'Neither API filters by this.'
  expect(filterRefusal('actor', {}, EMPTY)).toBe(reason)
  expect(filterRefusal('actor', { set: 'v1' }, COMPLETE)).toBe(reason)
})
