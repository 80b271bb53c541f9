import { expect, test } from 'vitest'
import { createDictionaries, type IndexRows, rowTime, toRows } from './index-rows.ts'
import {
  countUndated,
  facetsOf,
  findValues,
  type KeysetCursor,
  pageOf,
  readPage,
  selectRows,
  UNBOUNDED,
} from './select-rows.ts'

/** Rows of so many actors: the first in one record, the next in two, and so on. */
function rowsOf(actors: readonly string[]) {
  const dictionaries = createDictionaries()
  const rows = toRows(
    dictionaries,
    actors.flatMap((actor, at) =>
      Array.from({ length: at + 1 }, (_, more) => ({
        id: `t${at}.${more}`,
        at,
        terms: [`actor:${actor.toLowerCase()}`, 'severity:high'],
        searchedText: '',
      })),
    ),
  )
  const byTerm = new Map(actors.map((actor) => [`actor:${actor.toLowerCase()}`, actor]))
  for (const term of dictionaries.terms.words) dictionaries.termValues.push(byTerm.get(term) ?? 'High')
  return rows
}

const all = { filter: {}, bounds: UNBOUNDED }

test('a facet has the hundred most frequent values as they are written, and none that no row has', () => {
  const actors = Array.from({ length: 101 }, (_, at) => `Actor ${at}`)
  const rows = rowsOf(actors)
  const { actor, severity, country } = facetsOf(rows, selectRows(rows, all))
  expect(actor).toHaveLength(100)
  expect([actor.at(0), actor.at(-1)]).toEqual([
    { value: 'Actor 100', count: 101 },
    { value: 'Actor 1', count: 2 },
  ])
  expect([severity, country]).toEqual([[{ value: 'High', count: (101 * 102) / 2 }], []])
  const narrowed = selectRows(rows, { ...all, bounds: { start: 3, end: 4 } })
  expect(facetsOf(rows, narrowed).actor).toEqual([{ value: 'Actor 3', count: 4 }])
})

test('sorts values with the same count by name', () => {
  const rows = rowsOf(['Zeta'])
  const dictionaries = createDictionaries()
  const terms = ['actor:beta', 'actor:alpha', 'actor:gamma']
  const equal = toRows(dictionaries, [{ id: 'a', at: 0, terms, searchedText: '' }])
  expect(facetsOf(equal, selectRows(equal, all)).actor.map(({ value }) => value)).toEqual([
    'actor:alpha',
    'actor:beta',
    'actor:gamma',
  ])
  expect(facetsOf(rows, selectRows(rows, all)).actor).toEqual([{ value: 'Zeta', count: 1 }])
})

test('finds values by a part in any spelling, but not by the name of their field', () => {
  const rows = rowsOf(['LockBit', 'Black Lock', 'Play', 'Actor'])
  const find = (text: string) =>
    findValues(rows, selectRows(rows, all), { name: 'actor', text }).values.map(({ value }) => value)
  expect(find(' LÖCK ')).toEqual(['Black Lock', 'LockBit'])
  expect(find('')).toEqual(['Actor', 'Play', 'Black Lock', 'LockBit'])
  expect(find('actor')).toEqual(['Actor'])
  expect(find('high')).toEqual([])
  expect(find('r')).toEqual(['Actor'])
  const narrowed = selectRows(rows, { ...all, bounds: { start: 1, end: 2 } })
  expect(findValues(rows, narrowed, { name: 'actor', text: '' }).values).toEqual([
    { value: 'Black Lock', count: 2 },
  ])
})

test('finds at most 300 values, and reports how many more exist', () => {
  const dictionaries = createDictionaries()
  const terms = Array.from({ length: 305 }, (_, at) => `actor:a${at}`)
  const rows = toRows(dictionaries, [
    { id: 'a', at: 0, terms, searchedText: '' },
    { id: 'b', at: 0, terms: ['actor:b'], searchedText: '' },
  ])
  const { values, more } = findValues(rows, selectRows(rows, all), { name: 'actor', text: 'a' })
  expect([values.length, more]).toEqual([300, 5])
})

test('selects dated records from the start to before the end of a range, undated ones separately', () => {
  const fact = (id: string, at: number, isUndated = false) => ({
    id,
    at: rowTime(at, isUndated),
    terms: [],
    searchedText: '',
  })
  const facts = [fact('a', 1), fact('b', 2), fact('c', 3), fact('u', 9, true)]
  const rows = toRows(createDictionaries(), facts)
  const within = (start: number | null, end: number | null) =>
    Array.from(selectRows(rows, { filter: {}, bounds: { start, end } }).matched, (row) => rows.ids[row]).join(
      '',
    )
  const datedFrom = Date.UTC(1500, 0)
  expect([within(2, 3), within(1, 3), within(4, 9), within(3, 2)]).toEqual(['b', 'ba', '', ''])
  expect([within(null, null), within(null, 3), within(2, null)]).toEqual(['cbau', 'ba', 'cb'])
  expect([within(null, datedFrom), within(null, datedFrom + 1), within(datedFrom, null)]).toEqual([
    'u',
    '',
    'cba',
  ])
})

test('selects and counts only accepted rows', () => {
  const terms = ['actor:a', 'severity:high']
  const facts = ['a', 'b', 'c'].map((id, at) => ({ id, at, terms, searchedText: '' }))
  const rows = toRows(createDictionaries(), facts)
  const accepts =
    ({ ids }: IndexRows) =>
    (row: number) =>
      ids[row] !== 'b'
  const { matched, termCounts } = selectRows(rows, { ...all, accepts })
  expect(Array.from(matched, (row) => rows.ids[row])).toEqual(['c', 'a'])
  expect(Array.from(termCounts)).toEqual([2, 2])
  const another = selectRows(rows, { ...all, accepts, filter: { actor: ['b'] } })
  expect(facetsOf(rows, another)).toMatchObject({ actor: [{ count: 2 }], severity: [] })
})

test('counts the rows of a selection that have no date', () => {
  const dictionaries = createDictionaries()
  const fact = (id: string, at: number, isUndated: boolean, terms: string[] = []) => ({
    id,
    at: rowTime(at, isUndated),
    terms,
    searchedText: '',
  })
  const rows = toRows(dictionaries, [
    fact('a', 5, false, ['actor:a']),
    fact('b', 9, true, ['actor:a']),
    fact('c', 4, true),
  ])
  expect(countUndated(rows, selectRows(rows, all))).toBe(2)
  expect(countUndated(rows, selectRows(rows, { ...all, filter: { actor: ['a'] } }))).toBe(1)
  expect(countUndated(rows, selectRows(rows, { ...all, bounds: { start: 0, end: null } }))).toBe(0)
})

test('pages have no gap, repetition or empty last page, with counted rows or without', () => {
  const rows = rowsOf(['A', 'B', 'C'])
  const counted = selectRows(rows, all)
  const walk = (read: (after: KeysetCursor | null) => ReturnType<typeof pageOf>) => {
    const pages: string[][] = []
    let after: KeysetCursor | null = null
    do {
      const page = read(after)
      pages.push(page.ids)
      after = page.next
    } while (after !== null && pages.length < 9)
    return pages
  }
  const pages = [
    ['t2.2', 't2.1'],
    ['t2.0', 't1.1'],
    ['t1.0', 't0.0'],
  ]
  expect(walk((after) => pageOf(rows, counted, { after, limit: 2 }))).toEqual(pages)
  expect(walk((after) => readPage(rows, all, { after, limit: 2 }))).toEqual(pages)
  const between = { after: { at: new Date(2).toISOString(), id: 't2.15' }, limit: 1 }
  expect(pageOf(rows, counted, between).ids).toEqual(['t2.1'])
  expect(readPage(rows, all, between).ids).toEqual(['t2.1'])
})
