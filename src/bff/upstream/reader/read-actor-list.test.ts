import { describe, expect, test } from 'vitest'
import { readActorList } from './read-actor-list.ts'

const readOne = (entry: unknown) => readActorList([entry])?.actors[0]

test('a bad entry costs only itself, and is counted', () => {
  const list = readActorList([
    null,
    7,
    {},
    { name: '' },
    { mentions: 3 },
    ['LockBit'],
    'Play',
    { name: 'LockBit' },
  ])
  expect(list?.actors.map(({ name }) => name)).toEqual(['Play', 'LockBit'])
  expect(list?.unreadable).toBe(6)
})

test('a list of texts is one of names, of which nothing else is known', () => {
  expect(readOne('LockBit')).toEqual({
    name: 'LockBit',
    mentions: null,
    latestObservedAt: null,
    categories: [],
    otherFields: [],
  })
})

test('at most a thousand are read', () => {
  expect(readActorList(Array(1_001).fill('LockBit'))).toMatchObject({
    actors: { length: 1_000 },
    unreadable: 0,
  })
})

test.each([[null], ['LockBit'], [{}], [{ actors: 'LockBit' }], [{ error: 'no' }]])(
  'no list in %j',
  (body) => {
    expect(readActorList(body)).toBeNull()
  },
)

describe('a map of actors', () => {
  test('may hold what else is known of each', () => {
    const actors = { LockBit: { mentions: 3, country: 'RU' }, Play: { mentions: 2, name: 'not this' } }
    expect(readActorList({ data: { Threat_Actors: actors } })?.actors).toMatchObject([
      { name: 'LockBit', mentions: 3, otherFields: [{ path: 'country', value: 'RU' }] },
      { name: 'Play', mentions: 2 },
    ])
  })

  test('may hold their counts', () => {
    expect(readActorList({ groups: { LockBit: 3, Play: '2' } })?.actors).toMatchObject([
      { name: 'LockBit', mentions: 3 },
      { name: 'Play', mentions: 2 },
    ])
  })

  test.each([
    ['another name', { others: { LockBit: 3 } }],
    ['nothing in it', { actors: {} }],
    ['more than counts in it', { actors: { LockBit: { mentions: 3 }, total: 1 } }],
  ])('is none with %s', (_, body) => {
    expect(readActorList(body)).toBeNull()
  })
})

describe('a name under another member name', () => {
  test('is the text of an object, where a plain text comes first', () => {
    expect(readOne({ actor: { name: 'LockBit' } })?.name).toBe('LockBit')
    expect(readOne({ name: { en: 'x' }, title: 'LockBit' })?.name).toBe('LockBit')
  })

  test.each(['actor_id', 'slug', 'status', 'country', 'origin', 'description', 'summary', 'cat', 'alias'])(
    'is the only word, but for %s',
    (name) => {
      const word = name === 'cat' ? 'my_category' : name
      expect(readOne({ f1: 'LockBit', [word]: 'another' })?.name).toBe('LockBit')
      expect(readOne({ [word]: 'another' })).toBeUndefined()
    },
  )

  test('is none of two words', () => {
    expect(readOne({ f1: 'LockBit', f2: 'Play' })).toBeUndefined()
  })
})

describe('mentions under another member name', () => {
  test.each([
    'actor_id',
    'rank',
    'position',
    'index',
    'year',
    'score',
    'level',
    'version',
    'page',
    'victims',
    'countries',
    'age',
  ])('are the only number, but for %s', (name) => {
    expect(readOne({ name: 'LockBit', f1: 12, [name]: 7 })?.mentions).toBe(12)
    expect(readOne({ name: 'LockBit', [name]: 7 })?.mentions).toBeNull()
  })

  test.each(['identity', 'damages', 'aged'])('may be named %s', (name) => {
    expect(readOne({ name: 'LockBit', [name]: 7 })?.mentions).toBe(7)
  })

  test('are none of two numbers', () => {
    expect(readOne({ name: 'LockBit', f1: 12, f2: 13 })?.mentions).toBeNull()
  })
})

describe('a latest observation under another member name', () => {
  const DAY = '2026-03-10T00:00:00.000Z'
  test.each(['first_x', 'earliest', 'created', 'born', 'since', 'started', 'joined', 'from'])(
    'is the only time, but for %s',
    (name) => {
      expect(readOne({ name: 'LockBit', f1: '2026-03-10', [name]: '2020-01-01' })?.latestObservedAt).toBe(DAY)
      expect(readOne({ name: 'LockBit', [name]: '2020-01-01' })?.latestObservedAt).toBeNull()
    },
  )

  test.each(['x_seen', 'x_observed', 'x_activity', 'x_date', 'x_time', 'x_last', 'x_latest', 'x_at'])(
    'may be a number where it is named %s',
    (name) => {
      expect(readOne({ name: 'LockBit', mentions: 1, [name]: 1_773_100_800 })?.latestObservedAt).toBe(DAY)
      expect(readOne({ name: 'LockBit', mentions: 1, [name]: '1773100800' })?.latestObservedAt).toBe(DAY)
    },
  )

  test('is no number without such a name', () => {
    expect(readOne({ name: 'LockBit', mentions: 1, f1: 1_773_100_800 })?.latestObservedAt).toBeNull()
    expect(readOne({ name: 'LockBit', mentions: 1, f1: '1773100800' })?.latestObservedAt).toBeNull()
    expect(readOne({ name: 'LockBit', mentions: 1, f1: 1_773_100_800.5 })?.latestObservedAt).toBeNull()
    expect(readOne({ name: 'LockBit', mentions: 1, attack: 1_773_100_800 })?.latestObservedAt).toBeNull()
  })
})
