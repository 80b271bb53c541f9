import { expect, test } from 'vitest'
import { parseQuery } from '#matcher/query/parse-query.ts'
import { aThreat, aThreatList } from '#test/fixtures/threat-fixtures.ts'
import { exampleSearches } from './search-help.tsx'

test('whatever names criminals give themselves, examples are searches without a fault', () => {
  const untrusted = 'a") OR id:*\u202e -"b'
  const facet = [{ value: untrusted, count: 1 }]
  const list = aThreatList([aThreat('a-1', { actors: [untrusted] })], {
    facets: { category: facet, country: [], actor: facet, industry: facet, severity: [] },
  })
  for (const given of [undefined, list]) {
    const read = exampleSearches(given).map(({ text }) => parseQuery(text))
    expect(read.flatMap(({ faults, hints }) => [...faults, ...hints])).toEqual([])
    expect(read.map(({ tree }) => tree?.kind)).toEqual(['and', 'and', 'and', 'and', 'or', 'and'])
  }
})
