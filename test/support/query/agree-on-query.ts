import fc from 'fast-check'
import { expect } from 'vitest'
import { createDictionaries, mergeRows, rowTime, toRows } from '#bff/store/index/index-rows.ts'
import { facetsOf, readPage, selectRows, UNBOUNDED } from '#bff/store/index/select-rows.ts'
import { countFieldTexts, searchedText, termsOf, toQueryRecord } from '#bff/store/index/threat-terms.ts'
import { countUndecided } from '#bff/store/require-said.ts'
import { createDayBounds } from '#bff/time/start-of-day.ts'
import { matchesQuery, mayMatch } from '#matcher/query/matches-query.ts'
import { parseQuery } from '#matcher/query/parse-query.ts'
import { printQuery } from '#matcher/query/print-query.ts'
import {
  RANDOM_NOW_MS,
  type RandomRecord,
  randomContext,
  randomQuery,
  randomRecords,
} from './random-queries.ts'

/** The index as it comes to be: some records first, the others taken over later. */
function indexOf(records: readonly RandomRecord[]) {
  const dictionaries = createDictionaries()
  const facts = records.map((one) => ({
    id: one.id,
    at: rowTime(one.at, one.publishedAt === null),
    terms: termsOf(one).map(({ term }) => term),
    searchedText: searchedText(one),
    fieldTexts: countFieldTexts(one),
  }))
  const half = Math.floor(facts.length / 2)
  return mergeRows(toRows(dictionaries, facts.slice(0, half)), toRows(dictionaries, facts.slice(half)))
}

/** Random queries over random records: the index finds what a look at each record finds, and so does the printed query. */
export function agreeOnQueries(runs: { seed: number; numRuns: number }): void {
  const { momentsOf } = createDayBounds('UTC', RANDOM_NOW_MS)
  let found = 0
  let left = 0
  const agrees = fc.property(randomRecords, randomQuery, (records, text) => {
    const { tree, faults } = parseQuery(text)
    fc.pre(faults.length === 0)
    const context = randomContext(records, momentsOf)
    const find = (query: typeof tree) =>
      records.filter((one) => matchesQuery(query, toQueryRecord(one), context)).map(({ id }) => id)
    const expected = find(tree)
    const rows = indexOf(records)
    const selector = { filter: {}, query: tree && { tree, context }, bounds: UNBOUNDED }
    const selection = selectRows(rows, selector)
    expect(Array.from(selection.matched, (row) => rows.ids[row]).toSorted(), text).toEqual(expected)
    const isUndecided = (one: RandomRecord) => mayMatch(tree, toQueryRecord(one), context)
    expect(countUndecided(rows, selector) ?? 0, text).toBe(records.filter(isUndecided).length)
    const page = readPage(rows, selector, { after: null, limit: 100 })
    expect(page.ids.toSorted(), text).toEqual(expected)
    const counted = facetsOf(rows, selection).country.reduce((sum, { count }) => sum + count, 0)
    const codes = records.filter(({ id }) => expected.includes(id)).map(({ countries }) => countries)
    expect(counted).toBe(codes.flatMap((some) => [...new Set(some.flatMap(({ code }) => code ?? []))]).length)

    const printed = printQuery(tree)
    const again = parseQuery(printed)
    expect(again.faults, printed).toEqual([])
    expect(printQuery(again.tree), text).toBe(printed)
    expect(find(again.tree), `${text} as ${printed}`).toEqual(expected)
    found += expected.length
    left += records.length - expected.length
  })
  fc.assert(agrees, runs)
  expect(found).toBeGreaterThan(runs.numRuns / 2)
  expect(left).toBeGreaterThan(runs.numRuns / 2)
}
