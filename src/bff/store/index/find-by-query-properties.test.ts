import fc from 'fast-check'
import { expect, test } from 'vitest'
import { momentsOfDays } from '#bff/time/start-of-day.ts'
import { parseQuery } from '#matcher/query/parse-query.ts'
import { printQuery } from '#matcher/query/print-query.ts'
import type { QueryNode } from '#matcher/query/query-tree.ts'
import {
  RANDOM_NOW_MS,
  type RandomRecord,
  randomContext,
  randomQuery,
  randomRecords,
} from '#test/support/query/random-queries.ts'
import { findByQuery } from './find-by-query.ts'
import { createDictionaries, mergeRows, rowTime, toRows } from './index-rows.ts'
import { readPage, UNBOUNDED } from './select-rows.ts'
import { atOnce } from './slices.ts'
import { countFieldTexts, searchedText, termsOf } from './threat-terms.ts'

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
  return atOnce(
    mergeRows(toRows(dictionaries, facts.slice(0, half)), toRows(dictionaries, facts.slice(half))),
  )
}

test('queries are consistent: negation, widening and single records agree', () => {
  let found = 0
  const holds = fc.property(randomRecords, randomQuery, randomQuery, (records, one, other) => {
    const [a, b] = [parseQuery(one), parseQuery(other)]
    fc.pre(a.faults.length + b.faults.length === 0 && a.tree !== null && b.tree !== null)
    const [wide, more] = [a.tree, b.tree]
    if (!wide || !more) return
    const context = randomContext(records, (days) => momentsOfDays(days, 'UTC', RANDOM_NOW_MS))
    const rows = indexOf(records)
    const idsOf = (node: QueryNode, index = rows) => {
      const set = findByQuery(index, node, context)
      return index.ids.filter((_, row) => set.has(row)).toSorted()
    }
    const span = { from: 0, to: 0 }
    const ids = idsOf(wide)
    found += ids.length
    expect([...ids, ...idsOf({ kind: 'not', ...span, part: wide })].toSorted(), one).toEqual(
      rows.ids.toSorted(),
    )
    expect(new Set(ids)).toEqual(new Set([...ids, ...idsOf({ kind: 'and', ...span, parts: [wide, more] })]))
    const either = new Set(idsOf({ kind: 'or', ...span, parts: [wide, more] }))
    expect(ids.filter((id) => !either.has(id))).toEqual([])
    // Alert profiles match single records.
    expect(
      records.filter((record) => idsOf(wide, indexOf([record])).length > 0).map(({ id }) => id),
      one,
    ).toEqual(ids)
    const selector = { filter: {}, query: { tree: wide, context }, bounds: UNBOUNDED }
    expect(readPage(rows, selector, { after: null, limit: 100 }).ids.toSorted()).toEqual(ids)
    const again = parseQuery(printQuery(wide)).tree
    expect(again && idsOf(again), one).toEqual(ids)
  })
  fc.assert(holds, { seed: 1, numRuns: 300 })
  expect(found).toBeGreaterThan(150)
})
