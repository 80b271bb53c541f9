import { describe, expect, test } from 'vitest'
import { Fields } from './fields.ts'
import { readCount, readLabel, readNames, readNumber, readText } from './read-value.ts'

function fieldsOf(members: object): Fields {
  const fields = Fields.of(members)
  if (!fields) throw new Error('An object has fields')
  return fields
}

test.each([[null], ['text'], [7], [['a']]])('%j is no record', (value) => {
  expect(Fields.of(value)).toBeNull()
})

describe('taking', () => {
  test('finds a member in any spelling, by the likelier name first', () => {
    const fields = fieldsOf({ 'Threat-Actor': 'A', group: 'B' })
    expect(fields.take(['threatactor', 'group'], readText)).toBe('A')
    expect(fields.take(['threatactor', 'group'], readText)).toBe('B')
    expect(fields.take(['threatactor', 'group'], readText)).toBeNull()
  })

  test('tries the next name if a value cannot be read, and keeps that value', () => {
    const fields = fieldsOf({ count: 'many', total: 5 })
    expect(fields.take(['count', 'total'], readCount)).toBe(5)
    expect(fields.rest()).toEqual([{ path: 'count', value: 'many' }])
  })

  test('of two spellings of one name takes the first, and shows the other', () => {
    const fields = fieldsOf({ riskLevel: 'low', risk_level: 'high' })
    expect(fields.take(['risklevel'], readText)).toBe('low')
    expect(fields.rest()).toEqual([{ path: 'risk_level', value: 'high' }])
  })
})

test('peeking takes no value, and skips values that were taken', () => {
  const fields = fieldsOf({ count: 'many', total: 5, sum: 6 })
  expect(fields.peek(['count', 'total', 'sum'], readCount)).toBe(5)
  expect(fields.peek(['count'], readCount)).toBeNull()
  expect(fields.isTouched).toBe(false)
  fields.take(['total'], readCount)
  expect(fields.peek(['count', 'total', 'sum'], readCount)).toBe(6)
})

describe('the only value of its kind', () => {
  test('is taken, whatever its name', () => {
    const fields = fieldsOf({ f1: 'A', f2: 5 })
    expect(fields.takeOnly(readNumber)).toBe(5)
    expect(fields.rest()).toEqual([{ path: 'f1', value: 'A' }])
  })

  test('is none where there are two, also two spellings of one name', () => {
    expect(fieldsOf({ f1: 4, f2: 5 }).takeOnly(readNumber)).toBeNull()
    expect(fieldsOf({ f_1: 4, f1: 5 }).takeOnly(readNumber)).toBeNull()
  })

  test('is one that was not taken before', () => {
    const fields = fieldsOf({ count: 4, f2: 5 })
    fields.take(['count'], readCount)
    expect(fields.takeOnly(readNumber)).toBe(5)
    expect(fields.takeOnly(readNumber)).toBeNull()
  })

  test('may be in an inner object, and has both names', () => {
    const fields = fieldsOf({ stats: { f2: 5 }, f_1: 'A' })
    fields.hoist()
    const names: string[] = []
    const value = fields.takeOnly((inner, name) => {
      names.push(name)
      return readNumber(inner)
    })
    expect(value).toBe(5)
    expect(names).toEqual(['stats', 'f1', 'statsf2'])
  })

  test('is known by its folded name where another spelling of it came first', () => {
    const names: string[] = []
    fieldsOf({ f1: 'A', F_1: 5 }).takeOnly((value, name) => {
      names.push(name)
      return readNumber(value)
    })
    expect(names).toEqual(['f1', 'f1'])
  })
})

describe('members of inner objects', () => {
  test('are found by their own name and by both, after the record itself', () => {
    const members = { stats: { hits: 9, name: 'inner' }, name: 'own' }
    const fields = fieldsOf(members)
    fields.hoist()
    expect(fields.take(['statshits'], readCount)).toBe(9)
    expect(fields.take(['name'], readText)).toBe('own')
    expect(fields.take(['name'], readText)).toBe('inner')
    expect(fields.rest()).toEqual([])
    expect(fieldsOf(members).take(['hits'], readCount)).toBeNull()
  })

  test('of a guarded object are found by both names alone', () => {
    const fields = fieldsOf({ source: { url: 'u', name: 'n' }, more: { name: 'm' } })
    fields.hoist((name) => name === 'source')
    expect(fields.take(['name'], readText)).toBe('m')
    expect(fields.take(['name', 'url'], readText)).toBeNull()
    expect(fields.take(['sourceurl'], readText)).toBe('u')
  })

  test('are found in each of several objects', () => {
    const fields = fieldsOf({ a: { n: 1 }, b: { n: 2 } })
    fields.hoist()
    expect([fields.take(['n'], readCount), fields.take(['n'], readCount)]).toEqual([1, 2])
  })

  test('are not taken once their object is taken whole', () => {
    const fields = fieldsOf({ categories: { A: 1, B: 2 } })
    fields.hoist()
    expect(fields.take(['categories'], readNames)).toEqual(['A', 'B'])
    expect(fields.take(['a'], readCount)).toBeNull()
    expect(fields.takeOnly((value, name) => (name === 'categoriesb' ? readCount(value) : null))).toBeNull()
    expect(fields.rest()).toEqual([])
  })

  test('once taken, prevent taking their object whole', () => {
    const fields = fieldsOf({ categories: { A: 1, B: 2 } })
    fields.hoist()
    expect(fields.take(['a'], readCount)).toBe(1)
    expect(fields.take(['categories'], readNames)).toBeNull()
    expect(fields.rest()).toEqual([{ path: 'categories.B', value: '2' }])
  })
})

describe('opening', () => {
  test('gives the first object of those names; what is not taken from it stays', () => {
    const fields = fieldsOf({ meta: 'none', paging: { total: 7, page: 1 } })
    expect(fields.open(['meta', 'paging'])?.take(['total'], readCount)).toBe(7)
    expect(fields.rest()).toEqual([
      { path: 'meta', value: 'none' },
      { path: 'paging.page', value: '1' },
    ])
  })

  test('gives none where there is none, or it was taken whole', () => {
    const fields = fieldsOf({ counts: { A: 1 } })
    expect(fields.open(['other'])).toBeNull()
    fields.take(['counts'], readNames)
    expect(fields.open(['counts'])).toBeNull()
  })

  test('gives the same object each time', () => {
    const fields = fieldsOf({ meta: { total: 7 } })
    fields.open(['meta'])?.take(['total'], readCount)
    expect(fields.open(['meta'])?.take(['total'], readCount)).toBeNull()
  })
})

describe('the rest', () => {
  test('is each value with content, with its path', () => {
    const fields = fieldsOf({ a: [1, [true]], b: { c: { d: 'x' } }, e: null, f: '', g: [], h: {} })
    expect(fields.rest()).toEqual([
      { path: 'a[0]', value: '1' },
      { path: 'a[1][0]', value: 'true' },
      { path: 'b.c.d', value: 'x' },
    ])
  })

  test('has a bounded number of values, at any depth', () => {
    const list = Array.from({ length: 150 }, (_, at) => at)
    expect(fieldsOf({ list, more: list }).rest()).toHaveLength(200)
    const opened = fieldsOf({ inner: { list, more: list }, after: 'x' })
    opened.hoist()
    expect(opened.rest()).toHaveLength(200)
    expect(fieldsOf({ list: Array(500).fill(null), after: 'x' }).rest()).toEqual([
      { path: 'after', value: 'x' },
    ])
  })

  test('has paths of bounded length and valid text', () => {
    const [first, second] = fieldsOf({ ['x'.repeat(300)]: 'y', 'a\0\ud800': 'z' }).rest()
    expect(first).toEqual({ path: 'x'.repeat(256), value: 'y' })
    expect(second).toEqual({ path: 'a\ufffd', value: 'z' })
  })
})

test('a record is touched once something was taken from it, or from an object in it', () => {
  const fields = fieldsOf({ a: 1, b: { c: 2 } })
  expect([fields.size, fields.isTouched]).toEqual([2, false])
  fields.open(['b'])
  expect(fields.isTouched).toBe(false)
  fields.open(['b'])?.take(['c'], readCount)
  expect(fields.isTouched).toBe(true)
})

test('reads at most 2,000 members, including those of inner objects', () => {
  const many = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 'x']))
  const fields = fieldsOf({ ...many(1_999), last: 'read', late: 'not read' })
  expect([fields.size, fields.take(['last'], readLabel), fields.take(['late'], readLabel)]).toEqual([
    2_000,
    'read',
    null,
  ])
  const nested = fieldsOf({
    one: many(1_999),
    two: { last: 'read', more: 'read' },
    three: { late: 'not read' },
  })
  nested.hoist()
  expect(['last', 'more', 'late'].map((name) => nested.take([name], readLabel))).toEqual([
    'read',
    'read',
    null,
  ])
  const full = fieldsOf({ one: many(2_000), two: { late: 'not read' } })
  full.hoist()
  expect([full.take(['k1999'], readLabel), full.take(['late'], readLabel)]).toEqual(['x', null])
})
