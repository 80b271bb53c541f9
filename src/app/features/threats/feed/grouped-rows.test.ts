import { expect, test } from 'vitest'
import { aThreat, aThreatList } from '#test/fixtures/threat-fixtures.ts'
import { lineUp } from './grouped-rows.tsx'
import { isGroupHead } from './threat-table.tsx'

const groups = ['DE', 'FR', 'US', ''].map((key) => ({ key, label: `Label ${key}`, count: 7 }))
const none = { groups, more: 0, closed: new Set<string>(), hasMore: false, isBetween: false }
const closedAre = (...keys: string[]) => ({ closed: new Set(keys) })

function listOf(...keys: string[]) {
  const threats = keys.map((_, at) => aThreat(`t${at}`))
  return { threats, pages: [aThreatList(threats, { groupKeys: keys })] }
}

function draw(given: Parameters<typeof lineUp>[0]): string[] {
  return lineUp(given).map((line) =>
    isGroupHead(line) ? `${line.isClosed ? '+' : '-'}${line.key} ${line.count} @${line.above}` : line.id,
  )
}

test('each group has its head above its threats, once', () => {
  expect(draw({ ...none, ...listOf('DE', 'DE', 'US', '') })).toEqual([
    '-DE 7 @0',
    't0',
    't1',
    '-US 7 @2',
    't2',
    '- 7 @3',
    't3',
  ])
})

test('a closed group keeps its position, also as the first or last group', () => {
  expect(draw({ ...none, ...listOf('FR'), ...closedAre('DE', 'US') })).toEqual([
    '+DE 7 @0',
    '-FR 7 @0',
    't0',
    '+US 7 @1',
  ])
  expect(draw({ ...none, ...listOf(), ...closedAre('DE', 'FR', 'US', '') })).toHaveLength(4)
})

test('a threat that a later page repeats appears only there, in its group', () => {
  const [a, b, c] = [aThreat('a'), aThreat('b'), aThreat('c')]
  const pages = [
    aThreatList([aThreat('a'), b], { groupKeys: ['DE', 'FR'] }),
    aThreatList([a, c], { groupKeys: ['US', 'US'] }),
  ]
  expect(draw({ ...none, threats: [b, a, c], pages })).toEqual(['-FR 7 @0', 'b', '-US 7 @1', 'a', 'c'])
})

test('groups after the last one are unknown while more threats can load', () => {
  const given = { ...none, ...listOf('DE'), ...closedAre('FR') }
  expect(draw({ ...given, hasMore: true })).toEqual(['-DE 7 @0', 't0'])
  expect(draw({ ...given, hasMore: false })).toEqual(['-DE 7 @0', 't0', '+FR 7 @1'])
})

test('before the next answer a closed group is empty, and an opened group keeps its heading', () => {
  const given = { ...none, ...listOf('DE', 'US'), isBetween: true }
  expect(draw({ ...given, ...closedAre('US') })).toEqual(['-DE 7 @0', 't0', '-FR 7 @1', '+US 7 @1', '- 7 @1'])
})

test('without counts, and with groups that came later, heads are those of the threats', () => {
  expect(draw({ ...none, ...listOf('DE', 'DE', 'XX'), groups: [] })).toEqual([
    '-DE null @0',
    't0',
    't1',
    '-XX null @2',
    't2',
  ])
  expect(draw({ ...none, ...listOf('DE', 'XX', 'US'), ...closedAre('FR') })).toEqual([
    '-DE 7 @0',
    't0',
    '-XX null @1',
    't1',
    '+FR 7 @2',
    '-US 7 @2',
    't2',
  ])
})

test('a group that comes again has a line of its own', () => {
  const ids = lineUp({ ...none, ...listOf('DE', 'FR', 'DE') }).map(({ id }) => id)
  expect(new Set(ids).size).toBe(6)
})

test('a closed group without a count comes last when some groups have no count', () => {
  const given = { ...none, ...listOf('DE'), ...closedAre('XX'), groups: groups.slice(0, 1) }
  expect(draw({ ...given, more: 3 })).toEqual(['-DE 7 @0', 't0', '+XX null @1'])
  expect(draw({ ...given, more: 3, hasMore: true })).toEqual(['-DE 7 @0', 't0'])
  expect(draw(given)).toEqual(['-DE 7 @0', 't0'])
})
