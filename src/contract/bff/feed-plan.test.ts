import { expect, test } from 'vitest'
import { filterRefusal, planFeed } from './feed-plan.ts'

const EMPTY = { status: 'empty', from: null, to: null } as const
const COMPLETE = {
  status: 'complete',
  from: '2026-02-08T00:00:00.000Z',
  to: '2026-03-10T12:00:00.000Z',
} as const
const FILLING = { ...COMPLETE, status: 'filling', from: '2026-03-09T00:00:00.000Z' } as const

test('asks the first permitted set that serves every filter', () => {
  expect(planFeed({ category: ['DDoS'] }, ['v1', 'earlier']).set).toBe('v1')
  expect(planFeed({ q: 'lock' }, ['v1', 'earlier']).set).toBe('earlier')
  expect(planFeed({ q: 'lock' }, ['v1']).set).toBeNull()
})

test('asks for moments the sets that have a filter by time, which v1 has of beginnings alone', () => {
  const until = '2026-03-10T12:00:00Z'
  expect(planFeed({ since: until }, ['v1', 'earlier']).set).toBe('v1')
  expect(planFeed({ since: '2026-03-09T12:00:00Z', until }, ['v1', 'earlier']).set).toBe('earlier')
  expect(planFeed({ until }, ['v1'])).toMatchObject({ set: null, refused: [{ filter: 'until' }] })
  expect(filterRefusal('actor', { since: '2026-02-09T00:00:00Z' }, ['v1'], COMPLETE)).toBeNull()
  expect(filterRefusal('actor', { since: '2026-02-01T00:00:00Z' }, ['v1'], COMPLETE)).not.toBeNull()
})

test('blames only the filters that no permitted set serves', () => {
  const filter = { category: ['DDoS'], from: '2026-01-01', q: 'lock', actor: ['Ashfall'] }
  const blamed = (permitted: Parameters<typeof planFeed>[1]) =>
    planFeed(filter, permitted).refused?.map((refusal) => refusal.filter)

  expect(blamed(['v1', 'earlier'])).toEqual(['actor'])
  expect(blamed(['v1'])).toEqual(['actor', 'q'])
  expect(filterRefusal('category', { actor: ['Ashfall'] }, ['v1'], EMPTY)).toBeNull()
})

test('refuses inside the window no filter, with any number of values', () => {
  const filter = { actor: ['LockBit', 'Ashfall'], q: 'lock', to: '2026-03-01' }
  expect(filterRefusal('actor', filter, ['v1'], COMPLETE)).toBeNull()
  expect(filterRefusal('actor', { ...filter, from: '2026-02-08' }, ['v1'], COMPLETE)).toBeNull()
})

test('answers for all of its days while it is filling', () => {
  expect(filterRefusal('actor', { from: '2026-02-10' }, ['v1'], FILLING)).toBeNull()
  expect(filterRefusal('actor', { from: '2026-01-10' }, ['v1'], FILLING)).not.toBeNull()
})

test('says what cannot be asked of older threats', () => {
  expect(filterRefusal('actor', { from: '2026-02-07' }, ['v1'], COMPLETE)).toBe(
    'Older than the window: Neither route set of the API filters by this.',
  )
  expect(filterRefusal('category', { from: '2026-02-07' }, ['v1'], COMPLETE)).toBeNull()
})

test('has the rules of the route sets without a window, and where one is insisted on', () => {
  const reason = 'Neither route set of the API filters by this.'
  expect(filterRefusal('actor', {}, ['v1'], EMPTY)).toBe(reason)
  expect(filterRefusal('actor', { set: 'v1' }, ['v1'], COMPLETE)).toBe(reason)
})
