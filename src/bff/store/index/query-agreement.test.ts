import { test } from 'vitest'
import { agreeOnQueries } from '#test/support/query/agree-on-query.ts'

test('finds for every query what a look at each record finds', () => {
  agreeOnQueries({ seed: 2026, numRuns: 400 })
})
