import { expect, test } from 'vitest'
import { describeFailure, staleReasonOf } from '#bff/upstream/client/to-problem.ts'
import { UpstreamError, type UpstreamErrorKind } from '#bff/upstream/client/upstream-error.ts'
import { MINUTE_MS } from '#contract/duration.ts'
import { type Backoffs, backOff, describeTrouble, NO_BACKOFF, troubleOf, withoutBackoff } from './backoff.ts'

const NOW_MS = Date.parse('2026-03-10T12:00:00Z')
const SECOND_MS = 1_000
const MOMENT = {
  budgets: { minute: null, day: null },
  usualHours: new Map<number, number>(),
  nowMs: NOW_MS,
  elapsedMs: 7 * SECOND_MS,
}

const fail = (kind: UpstreamErrorKind, retryAtMs: number | null = null) =>
  new UpstreamError({ kind, set: 'v1', reason: 'of the test', retryAtMs })

/** Returns how long the crawl for older records is paused after so many failures. */
function pauseOf(error: unknown, { failures = 1, hadCursor = false } = {}): number {
  const before: Backoffs = { ...NO_BACKOFF, older: { ...NO_BACKOFF.older, failures: failures - 1 } }
  const { older } = backOff('older', { error, hadCursor }, { ...MOMENT, backoffs: before })
  expect(older.failures).toBe(failures)
  return older.pausedUntilMs - MOMENT.elapsedMs
}

test.each<[string, unknown, { failures?: number; hadCursor?: boolean }, number]>([
  ['a first failure', fail('unavailable'), {}, 2 * SECOND_MS],
  ['a third', fail('unavailable'), { failures: 3 }, 8 * SECOND_MS],
  ['any later one', fail('unavailable'), { failures: 20 }, 5 * MINUTE_MS],
  ['a further page that fails', fail('unavailable'), { hadCursor: true }, 2 * SECOND_MS],
  ['a first page that is refused', fail('rejected'), {}, 2 * SECOND_MS],
  ['a further page that is refused', fail('rejected'), { hadCursor: true }, 16 * SECOND_MS],
  ['one that stays refused', fail('rejected'), { hadCursor: true, failures: 20 }, 60 * MINUTE_MS],
  ['a fault of our own', new Error('of the test'), { hadCursor: true }, 2 * SECOND_MS],
  ['an end that is told', fail('rate_limited', NOW_MS + 90 * SECOND_MS), { failures: 9 }, 90 * SECOND_MS],
  ['an end that is over', fail('rate_limited', NOW_MS - SECOND_MS), {}, SECOND_MS],
])('a crawl pauses after %s', (_, error, circumstances, ms) => {
  expect(pauseOf(error, circumstances)).toBe(ms)
})

test('a failure delays only its own crawl, until that makes progress', () => {
  const once = backOff(
    'newer',
    { error: fail('unavailable'), hadCursor: false },
    { ...MOMENT, backoffs: NO_BACKOFF },
  )
  const twice = backOff('older', { error: fail('rejected'), hadCursor: true }, { ...MOMENT, backoffs: once })
  expect(once.older).toEqual(NO_BACKOFF.older)
  expect(twice.newer).toEqual(once.newer)
  expect(troubleOf(twice)).toBe(once.newer.trouble)
  expect(troubleOf(withoutBackoff(twice, 'newer'))).toMatch(/older threats are missing/)
  expect(withoutBackoff(withoutBackoff(twice, 'newer'), 'older')).toEqual(NO_BACKOFF)
})

test('a wait for calls reports no trouble, and keeps earlier trouble', () => {
  expect(describeTrouble(fail('saving_calls'), null)).toBeNull()
  expect(describeTrouble(fail('rate_limited'), 'older')).toBeNull()
  const backoffs = backOff(
    'newer',
    { error: fail('unavailable'), hadCursor: false },
    { ...MOMENT, backoffs: NO_BACKOFF },
  )
  const after = backOff('newer', { error: fail('rate_limited'), hadCursor: false }, { ...MOMENT, backoffs })
  expect(after.newer).toMatchObject({ failures: 2, trouble: backoffs.newer.trouble })
  expect(backoffs.newer.trouble).not.toBeNull()
})

test('describes trouble for users: what failed, and what pages show meanwhile', () => {
  expect(describeTrouble(new Error('of the test'), null)).toMatch(
    /^Lantern could not keep .* tried again by itself\.$/,
  )
  expect(describeTrouble(fail('rejected'), null)).toMatch(/refuses the request for its list/)
  expect(describeTrouble(fail('rejected'), 'newer')).toMatch(/threats between the newest/)
  expect(describeTrouble(fail('rejected'), 'older')).toMatch(/older threats are missing/)

  const away = fail('unavailable')
  expect(describeTrouble(away, null)).toBe(staleReasonOf(away))
  expect(staleReasonOf(away)).not.toBe(describeFailure(away))
  const gone = fail('not_found')
  expect(staleReasonOf(gone)).toBeNull()
  expect(describeTrouble(gone, null)).toBe(describeFailure(gone))
})
