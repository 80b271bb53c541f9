import fc from 'fast-check'
import { expect, test } from 'vitest'
import { propertyRuns } from '#test/support/property-runs.ts'
import { Dictionary } from './dictionary.ts'
import { createDictionaries, isOvergrown, mergeRows, placedAt, rowTime, toRows } from './index-rows.ts'
import { atOnce } from './slices.ts'

test('many unused words are a reason to load the index again', () => {
  const rows = toRows(createDictionaries(), [])
  const { dictionaries } = rows
  const { tokens } = dictionaries
  const addUntil = (count: number) => {
    while (tokens.words.length < count) tokens.add(`word${tokens.words.length}`)
  }
  addUntil(5_000)
  dictionaries.tokensAtLoad = 5_000
  expect(isOvergrown(rows)).toBe(false)
  addUntil(110_000)
  expect(isOvergrown(rows)).toBe(false)
  addUntil(110_001)
  expect(isOvergrown(rows)).toBe(true)
})

test('many replaced versions of records are a reason to load the index again', () => {
  const dictionaries = createDictionaries()
  const fact = { id: 'a', at: 1, terms: [], searchedText: 'a' }
  let rows = toRows(dictionaries, [fact])
  for (let version = 1; version < 10_002; version++)
    rows = atOnce(mergeRows(rows, toRows(dictionaries, [fact])))
  expect(isOvergrown(rows)).toBe(false)
  expect(isOvergrown(atOnce(mergeRows(rows, toRows(dictionaries, [fact]))))).toBe(true)
})

test('applies newer records, and drops records before a time, dated or not', () => {
  const dictionaries = createDictionaries()
  const fact = (id: string, at: number, isUndated = false) => ({
    id,
    at: rowTime(at, isUndated),
    terms: [],
    searchedText: id,
  })
  const old = toRows(dictionaries, [
    fact('a', 5),
    fact('b', 4),
    fact('c', 3),
    fact('d', 5, true),
    fact('e', 3, true),
  ])
  const newer = toRows(dictionaries, [fact('b', 6), fact('f', 3), fact('g', 4)])
  expect(atOnce(mergeRows(old, newer)).ids).toEqual(['b', 'a', 'g', 'f', 'c', 'd', 'e'])
  expect(atOnce(mergeRows(old, newer, 4)).ids).toEqual(['b', 'a', 'g', 'd'])
})

test('a record without a date keeps its position among its like, after all dated records', () => {
  const placed = Date.parse('2026-03-10T12:00:00Z')
  expect(rowTime(placed, true)).toBeLessThan(Date.UTC(1500, 0))
  expect([placedAt(rowTime(placed, true)), placedAt(rowTime(placed, false))]).toEqual([placed, placed])
  expect(placedAt(Date.UTC(1500, 0))).toBe(Date.UTC(1500, 0))
})

test('a dictionary knows the words that begin with a text, also those that come later', () => {
  const words = new Dictionary(['', 'lock', 'bit', 'locker', 'block'])
  expect(words.startingWith('lock')).toEqual([1, 3])
  expect(words.startingWith('x')).toEqual([])
  expect([words.add('locks'), words.add('xy'), words.add('bit')]).toEqual([5, 6, 2])
  expect(words.startingWith('lock')).toEqual([1, 3, 5])
  expect(words.startingWith('xy')).toEqual([6])
  expect(words.startingWith('')).toEqual([0])
})

test('a dictionary has a number for each word, and another for each other', () => {
  const texts = fc.array(fc.string({ unit: 'binary', maxLength: 3 }), { maxLength: 200, size: 'max' })
  const agrees = fc.property(texts, texts, (some, others) => {
    const words = new Dictionary()
    const numbers = new Map<string, number>()
    for (const text of some) {
      const number = words.addPart(`.${text}.`, 1, text.length + 1)
      expect(number).toBe(numbers.get(text) ?? numbers.size)
      numbers.set(text, number)
    }
    expect(words.words).toEqual([...numbers.keys()])
    for (const text of others) expect(words.get(text)).toBe(numbers.get(text))
  })
  fc.assert(agrees, propertyRuns(100))
  const many = new Dictionary()
  for (let number = 0; number < 5_000; number++) expect(many.add(`word${number}`)).toBe(number)
  for (let number = 0; number < 5_000; number++) expect(many.get(`word${number}`)).toBe(number)
})
