import { expect, test } from 'vitest'
import { ProblemError } from '#bff/http/problem-error.ts'
import { staleReasonOf, toProblem } from './to-problem.ts'
import { UpstreamError, type UpstreamErrorKind } from './upstream-error.ts'

const AT = Date.parse('2026-11-21T14:03:20Z')

function problemOf(kind: UpstreamErrorKind, retryAtMs: number | null = AT) {
  const problem = toProblem(new UpstreamError({ set: 'v1', kind, reason: 'a test', retryAtMs }))
  return problem instanceof ProblemError ? problem.problem : null
}

test.each(['saving_calls', 'share_used'] as const)(
  'says of %s that it is Lantern who saves, and until when',
  (kind) => {
    expect(problemOf(kind)).toMatchObject({
      code: 'rate_limited',
      title: 'Lantern saves the calls that are left',
    })
    expect(problemOf(kind)?.detail).toContain('until 14:03 UTC')
    expect(problemOf(kind, null)?.detail).not.toMatch(/until|\{/)
  },
)

test('a used share reports until when calls are kept for others, also with older data', () => {
  const error = new UpstreamError({ set: 'v1', kind: 'share_used', reason: 'a test', retryAtMs: AT })
  expect(staleReasonOf(error)).toMatch(/kept for others until 14:03 UTC\.$/)
})

test.each(['rate_limited', 'daily_limit_reached'] as const)(
  'says of %s that the vendor permits no more',
  (kind) => {
    expect(problemOf(kind)?.detail).toMatch(/^The calls that the vendor permits/)
  },
)
