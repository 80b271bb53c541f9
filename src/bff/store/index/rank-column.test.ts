import { expect, test } from 'vitest'
import { DAY_MS } from '#contract/duration.ts'
import { arrangedPage, countGroups, type ListCursor } from './arrange-rows.ts'
import { createDictionaries, type IndexRows, toRows } from './index-rows.ts'
import {
  NO_RANK,
  type RankColumn,
  rankDays,
  rankNumbers,
  rankTerms,
  rankTimes,
  rankVictims,
  victimKey,
} from './rank-column.ts'
import { selectRows, UNBOUNDED } from './select-rows.ts'

const MARCH_MS = Date.UTC(2026, 2, 1)

type Some = { terms?: string[]; victim?: string; day?: number }

/** A row for each, newest first. */
function rowsOf(...some: Some[]): IndexRows {
  const rows = toRows(
    createDictionaries(),
    some.map(({ terms = [], victim, day }, at) => ({
      id: `t${at}`,
      at: MARCH_MS + (day ?? some.length - at) * DAY_MS,
      terms,
      searchedText: victim ?? '',
      ...(victim !== undefined && { fieldTexts: { victims: 1, domains: 0, industries: 0, places: 0 } }),
    })),
  )
  rows.dictionaries.termValues.push(...rows.dictionaries.terms.words.map((term) => `As written: ${term}`))
  return rows
}

function groupsOf(rows: IndexRows, column: RankColumn) {
  const selection = selectRows(rows, { filter: {}, bounds: UNBOUNDED })
  return countGroups(rows, selection, { group: { column, order: 'asc' }, limit: 10 }).groups
}

test('names groups as the first record spells them, and countries by name', async () => {
  const rows = rowsOf(
    { terms: ['country:DE', 'actor:b'], victim: 'northwind' },
    { terms: ['country:QQ', 'actor:a'], victim: 'acme' },
    {},
  )
  const labels = (column: RankColumn) => groupsOf(rows, column).map(({ key, label }) => [key, label])
  expect(labels(rankTerms(rows, 'actor'))).toEqual([
    ['a', 'As written: actor:a'],
    ['b', 'As written: actor:b'],
    ['', ''],
  ])
  expect(labels(rankTerms(rows, 'country'))).toEqual([
    ['DE', 'Germany'],
    ['QQ', 'QQ'],
    ['', ''],
  ])
  // Only the records themselves have it as people write it.
  expect(labels(await rankVictims(rows))).toEqual([
    ['acme', null],
    ['northwind', null],
    ['', ''],
  ])
  expect(labels(rankDays(rows, 'UTC'))).toEqual(
    ['2026-03-02', '2026-03-03', '2026-03-04'].map((day) => [day, day]),
  )
})

test.each<[string, (rows: IndexRows) => RankColumn | Promise<RankColumn>, string[], string]>([
  ['a term', (rows) => rankTerms(rows, 'actor'), ['b', 'd'], 'c'],
  ['a victim', rankVictims, ['b', 'd'], 'c'],
  ['a day', (rows) => rankDays(rows, 'UTC'), ['2026-03-02', '2026-03-04'], '2026-03-03'],
  [
    'a time',
    rankTimes,
    [String(MARCH_MS + DAY_MS), String(MARCH_MS + 3 * DAY_MS)],
    String(MARCH_MS + 2 * DAY_MS),
  ],
  [
    'a number',
    (rows) => rankNumbers(Float64Array.from(rows.ids, (id) => ({ t0: 9, t1: 5 })[id] ?? 0)),
    ['5', '9'],
    '7',
  ],
])(
  'a key that no row has any more ranks between its neighbours: %s',
  async (_, rank, [first = '', second = ''], between) => {
    const column = await rank(
      rowsOf({ terms: ['actor:d'], victim: 'd', day: 3 }, { terms: ['actor:b'], victim: 'b', day: 1 }),
    )
    expect(column.count).toBe(2)
    expect([first, between, second].map((key) => column.rankOf(key))).toEqual([0, 0.5, 1])
    expect([column.rankOf(''), column.keyOf(NO_RANK), column.labelOf(NO_RANK) ?? '']).toEqual([
      NO_RANK,
      '',
      '',
    ])
    expect([column.keyOf(0), column.keyOf(1)]).toEqual([first, second])
    expect(Array.from(column.ranks)).toEqual([1, 0])
  },
)

test.each([
  ['asc', 'day', ['a', 'c', 'd']],
  ['desc', null, ['d', 'c', 'a']],
] as const)(
  'a list whose last group was deleted continues with the next one: %s',
  (order, sortName, expected) => {
    const actors = ['b', 'd', 'a', 'c']
    const rows = rowsOf(...actors.map((actor) => ({ terms: [`actor:${actor}`] })))
    const left = rowsOf(
      ...actors.filter((actor) => actor !== 'b').map((actor) => ({ terms: [`actor:${actor}`] })),
    )
    const pageOf = (some: IndexRows, after: ListCursor | null) => {
      const group = { column: rankTerms(some, 'actor'), order }
      const sort = sortName && ({ column: rankDays(some, 'UTC'), order: 'asc' } as const)
      const selection = selectRows(some, { filter: {}, bounds: UNBOUNDED })
      return arrangedPage(some, selection, { order: { group, sort, closed: [] }, after, limit: 1 })
    }
    const keys: (string | undefined)[] = []
    let after: ListCursor | null = null
    do {
      const page: ReturnType<typeof pageOf> = pageOf(keys.includes('b') ? left : rows, after)
      keys.push(page.groupKeys?.[0])
      expect(keys.length).toBeLessThanOrEqual(4)
      after = page.next
    } while (after)
    expect(keys.filter((key) => key !== 'b')).toEqual(expected)
    expect(keys).toHaveLength(4)
  },
)

test('severities rank from the least grave, with those that are on no scale before them', () => {
  const levels = ['critical', 'strange', 'low', 'high', 'medium']
  const rows = rowsOf(...levels.map((level) => ({ terms: [`severity:${level}`] })))
  const { keyOf } = rankTerms(rows, 'severity')
  expect([0, 1, 2, 3, 4].map(keyOf)).toEqual(['strange', 'low', 'medium', 'high', 'critical'])
})

test('names of victims are the same up to 200 characters, cut between characters', async () => {
  const long = `${'word '.repeat(39)}last`
  const rows = rowsOf({ victim: `${long}😀a` }, { victim: `${long}😀b` }, { victim: long })
  const { ranks, keyOf } = await rankVictims(rows)
  expect(Array.from(ranks)).toEqual([1, 1, 0])
  expect([keyOf(0), keyOf(1)]).toEqual([long, `${long}\ufffd`])
  expect(victimKey(['--', `${long} Ba`, 'Acme'])).toBe(long)
  expect(victimKey(['--'])).toBe('')
})

test('names that come later take their places among those that were sorted before', async () => {
  const dictionaries = createDictionaries()
  const rowsWith = (names: readonly string[]) =>
    toRows(
      dictionaries,
      names.map((name, at) => ({
        id: `t${at}`,
        at: names.length - at,
        terms: [],
        searchedText: name,
        fieldTexts: { victims: 1, domains: 0, industries: 0, places: 0 },
      })),
    )
  const name = (at: number) => `n${String((at * 7_919) % 10_007).padStart(5, '0')}`
  const some = Array.from({ length: 9_000 }, (_, at) => name(at))
  const before = await rankVictims(rowsWith(some))
  const all = [...some, ...Array.from({ length: 1_007 }, (_, at) => name(9_000 + at))]
  const after = await rankVictims(rowsWith(all))
  const sorted = (names: readonly string[]) => names.toSorted((a, b) => (a < b ? -1 : 1))
  expect(Array.from({ length: before.count }, (_, rank) => before.keyOf(rank))).toEqual(sorted(some))
  expect(Array.from({ length: after.count }, (_, rank) => after.keyOf(rank))).toEqual(sorted(all))
  expect(Array.from(after.ranks, (rank) => after.keyOf(rank))).toEqual(all)
})
