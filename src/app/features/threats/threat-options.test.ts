import { expect, test } from 'vitest'
import { aThreat, aThreatList } from '#test/fixtures/threat-fixtures.ts'
import { joinPages } from './threat-options.ts'

const [a, b, c, d] = [aThreat('a'), aThreat('b'), aThreat('c'), aThreat('d')]

test('shows a threat that two pages hold once, where and as it came last', () => {
  const renamed = { ...a, title: 'renamed' }
  expect(joinPages([aThreatList([a, b]), aThreatList([b, c])]).map(({ id }) => id)).toEqual(['a', 'b', 'c'])
  expect(joinPages([aThreatList([a, b]), aThreatList([c, renamed, d])])).toEqual([b, c, renamed, d])
})
