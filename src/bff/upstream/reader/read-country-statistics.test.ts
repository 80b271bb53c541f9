import { describe, expect, test } from 'vitest'
import { readCountedNames } from './counted-names.ts'
import { readCountryStatistics, readTrend } from './read-country-statistics.ts'

const NOW_MS = Date.parse('2026-03-01T10:00:00Z')
const read = (requested: string, body: unknown) => readCountryStatistics(requested, body, NOW_MS)

describe('names with counts', () => {
  test.each([
    [
      'texts',
      ['A', 'B', 'A'],
      [
        { name: 'A', count: null },
        { name: 'B', count: null },
      ],
    ],
    [
      'pairs',
      [
        ['A', 3],
        ['B', '2'],
        ['C', 1, 0],
      ],
      [
        { name: 'A', count: 3 },
        { name: 'B', count: 2 },
      ],
    ],
    [
      'one object, of its only word and number',
      [{ who: 'A', when: '2026-01-01', often: 3 }],
      [{ name: 'A', count: 3 }],
    ],
    ['digits, where there is no word', [{ who: '888', often: 3 }], [{ name: '888', count: 3 }]],
    ['a count in digits by its name', [{ name: 'A', count: '3', rank: 1 }], [{ name: 'A', count: 3 }]],
    [
      'no count where two numbers could be it',
      [{ name: 'A', rank: 1, score: 9 }],
      [{ name: 'A', count: null }],
    ],
    ['no number where a text should be', [1, null, { count: 3 }, [3, 'A']], null],
    [
      'the first of a name that comes twice',
      [
        ['A', 3],
        ['A', 9],
      ],
      [{ name: 'A', count: 3 }],
    ],
    [
      'a map',
      { A: 3, B: '2' },
      [
        { name: 'A', count: 3 },
        { name: 'B', count: 2 },
      ],
    ],
    ['no map of anything but counts', { A: 3, B: 'x' }, null],
    ['nothing', {}, null],
    ['a text', 'A', null],
  ])('are read from %s', (_, value, names) => {
    expect(readCountedNames(value)).toEqual(names)
  })

  test.each(['total', 'count', 'unique', 'distinct', 'sum', 'average', 'value', 'active', 'New'])(
    'are not read from an object with a figure named %s',
    (name) => {
      expect(readCountedNames({ A: 3, [name]: 3 })).toBeNull()
    },
  )

  test('are a thousand at most', () => {
    expect(readCountedNames(Array.from({ length: 1_001 }, (_, at) => `a${at}`))).toHaveLength(1_000)
  })
})

describe('a trend', () => {
  const first = { date: '2026-02-27', count: 1 }
  const second = { date: '2026-02-28', count: 2 }
  const third = { date: '2026-03-01', count: 3 }

  test.each([
    ['objects, oldest first', [third, first, second], [first, second, third]],
    [
      'pairs',
      [
        ['2026-02-28', 2],
        ['2026-02-27', '1'],
        ['2026-03-01', 3, 4],
      ],
      [first, second],
    ],
    ['a map', { '2026-02-28': 2, '2026-02-27T10:00:00Z': 1 }, [first, second]],
    ['the only time and number of objects', [{ when: '2026-02-27', often: 1, by: 'us' }], [first]],
    ['objects, without those that are no day', [first, { date: 'soon', count: 2 }, 7, null], [first]],
    ['no map with anything else in it', { '2026-02-27': 1, total: 1 }, null],
    ['no day twice', [first, { ...first, count: 9 }], null],
    ['no negative count', [{ ...first, count: -1 }], null],
    ['nothing', [], null],
    ['a text', '2026-02-27', null],
  ])('is read from %s', (_, value, trend) => {
    expect(readTrend(value, NOW_MS)).toEqual(trend)
  })

  test('is of the 30 days that end today where it is 30 bare numbers, and of none else', () => {
    const counts = Array.from({ length: 30 }, (_, at) => at)
    const trend = readTrend(counts, NOW_MS)
    expect(trend).toHaveLength(30)
    expect([trend?.at(0), trend?.at(-1)]).toEqual([
      { date: '2026-01-31', count: 0 },
      { date: '2026-03-01', count: 29 },
    ])
    expect(readTrend(counts.slice(1), NOW_MS)).toBeNull()
    expect(readTrend([...counts, 30], NOW_MS)).toBeNull()
    expect(readTrend([...counts.slice(1), 'x'], NOW_MS)).toBeNull()
    expect(readTrend([...counts, 'x'], NOW_MS)).toBeNull()
  })

  test('has 400 days at most', () => {
    const days = (count: number) =>
      Array.from({ length: count }, (_, at) => [new Date(at * 86_400_000).toISOString(), at])
    expect(readTrend(days(400), NOW_MS)?.length).toBe(400)
    expect(readTrend(days(401), NOW_MS)).toBeNull()
  })
})

describe('the country that statistics are of', () => {
  test.each([
    [
      'as the answer calls it',
      'DE',
      { country: 'Deutschland', code: 'de', threats: 1 },
      ['DE', 'Deutschland'],
    ],
    ['as it was asked for', 'DE', { threats: 1 }, ['DE', 'DE']],
    ['by its name alone', 'Germany', { threats: 1 }, ['DE', 'Germany']],
    ['by the name in the answer', 'Wonderland', { country: 'Germany', threats: 1 }, ['DE', 'Germany']],
    ['by no code that is known', 'Atlantis', { country: 'Atlantis', threats: 1 }, [null, 'Atlantis']],
    ['by a code with blanks', 'Allemagne', { code: ' de ', threats: 1 }, ['DE', 'Allemagne']],
    ['without a code that is a number', 'DE', { code: 49, name: 'Germany', threats: 1 }, ['DE', 'Germany']],
    ['without a code that is none', 'DE', { code: 'DEU1', name: 'Germany', threats: 1 }, ['DE', 'Germany']],
  ])('is reported %s', (_, requested, body, [code, name]) => {
    expect(read(requested, body)).toMatchObject({ code, name, threats: 1 })
  })

  test.each([
    ['of another code', 'DE', { code: 'FR', threats: 1 }],
    ['of another name', 'DE', { country: 'France', threats: 1 }],
    ['without a figure', 'DE', { code: 'DE', name: 'Germany' }],
    ['that are none', 'DE', ['x']],
    ['that say only that there are none', 'DE', { error: 'no such country' }],
  ])('is another one, or none, in statistics %s', (_, requested, body) => {
    expect(read(requested, body)).toBeNull()
  })

  test('may be another spelling of the requested country', () => {
    expect(read('GB', { country: 'United Kingdom', threats: 1 })).toMatchObject({ code: 'GB' })
  })
})

test('an empty country has empty lists, and no figure that was not given', () => {
  expect(read('DE', { threats: 0, note: 'x' })).toEqual({
    code: 'DE',
    name: 'DE',
    threats: 0,
    actors: null,
    victims: null,
    summary: null,
    topActors: [],
    topIndustries: [],
    trend: [],
    otherFields: [{ path: 'note', value: 'x' }],
  })
})

test('figures are found in an object of the answer too', () => {
  expect(read('DE', { name: 'Germany', figures: { threats: 5, victims: 2 } })).toMatchObject({
    threats: 5,
    victims: 2,
    otherFields: [],
  })
})

test.each([
  ['by its name, beside another list of days', { curve: [['2026-02-27', 1]], daily: [['2026-02-28', 2]] }],
  ['by what it holds, where it is the only one', { curve: [['2026-02-28', 2]] }],
])('the trend of a country is found %s', (_, lists) => {
  expect(read('DE', { threats: 5, ...lists })?.trend).toEqual([{ date: '2026-02-28', count: 2 }])
})

test('the names in its lists are no figures of the country', () => {
  const body = { top_actors: { Threats: 9, Victims: 8 }, threats: 5 }
  expect(read('DE', body)).toMatchObject({
    threats: 5,
    victims: null,
    topActors: [{ count: 9 }, { count: 8 }],
  })
})
