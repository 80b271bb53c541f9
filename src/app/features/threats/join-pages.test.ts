import { expect, test } from 'vitest'
import { aThreat, aThreatList } from '#test/fixtures/threat-fixtures.ts'
import { countNew, joinPages } from './join-pages.ts'

const [a, b, c, d] = [aThreat('a'), aThreat('b'), aThreat('c'), aThreat('d')]

test('shows a threat that two pages hold once, where and as it came last', () => {
  const renamed = { ...a, title: 'renamed' }
  expect(joinPages([aThreatList([a, b]), aThreatList([b, c])]).map(({ id }) => id)).toEqual(['a', 'b', 'c'])
  expect(joinPages([aThreatList([a, b]), aThreatList([c, renamed, d])])).toEqual([b, c, renamed, d])
})

test('counts what arrived above the shown rows', () => {
  expect(countNew([b, c], aThreatList([a, b]))).toBe(1)
})

test('counts a record that arrived late with an older date', () => {
  expect(countNew([a, c], aThreatList([a, b, c]))).toBe(1)
})

test('does not take an older row for a new one after a row has gone', () => {
  expect(countNew([a, b, c], aThreatList([b, c, d]))).toBe(0)
})

test('takes no older page for news after all rows have gone', () => {
  const older = [c, d].map((threat) => ({ ...threat, publishedAt: '2026-11-19T08:30:00.000Z' }))
  expect(countNew([a, b], aThreatList(older))).toBe(0)
})

test('counts a whole page when nothing of it is known', () => {
  expect(countNew([d], aThreatList([a, b, c]))).toBe(3)
})
