import { expect, test } from 'vitest'
import { Random } from '#test/support/random.ts'
import { countVictims } from './count-victims.ts'
import { createDictionaries, mergeRows, rowTime, toRows } from './index-rows.ts'

const START = Date.parse('2026-06-01T00:00:00Z')
const END = Date.parse('2026-07-01T00:00:00Z')
const DAY_MS = 86_400_000

test('counts each organisation once beside each term, in the days asked for, as a plain count does', async () => {
  const random = new Random(11)
  const names = Array.from({ length: 40 }, (_, at) => `victim ${at}`)
  const facts = Array.from({ length: 50_000 }, (_, at) => ({
    id: `thr_${at}`,
    at: rowTime(START - 5 * DAY_MS + random.below(40 * DAY_MS), random.chance(0.01)),
    terms: [
      ...new Set([`actor:${random.below(9)}`, `actor:${random.below(9)}`, `country:${random.below(3)}`]),
    ],
    searchedText: '',
    victims: random.some(names).slice(0, random.below(3)),
  }))
  const dictionaries = createDictionaries()
  const first = toRows(dictionaries, facts.slice(0, 49_000))
  const changed = facts.slice(0, 500).map((one) => ({ ...one, victims: ['Renamed'] }))
  const rows = mergeRows(first, toRows(dictionaries, [...changed, ...facts.slice(49_000)]))

  const expected = new Map<string, Set<string>>()
  for (const { at, terms, victims } of [...changed, ...facts.slice(500)]) {
    if (at < START || at >= END || victims.length === 0) continue
    for (const term of terms.filter((one) => one.startsWith('actor:')))
      expected.set(term, (expected.get(term) ?? new Set()).union(new Set(victims)))
  }
  const counted = await countVictims(rows, 'actor', { start: START, end: END })
  expect(counted).toEqual(new Map([...expected].map(([term, { size }]) => [term, size])))
  expect(counted.size).toBe(9)
})
