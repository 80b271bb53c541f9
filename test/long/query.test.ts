import { test } from 'vitest'
import { agreeOnQueries } from '#test/support/query/agree-on-query.ts'

test('the index finds for 10,000 random queries what a look at each record finds', () => {
  agreeOnQueries({ seed: Date.now(), numRuns: 10_000 })
}, 300_000)
