import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { ApiKey } from '#bff/upstream/client/api-key.ts'
import { exchange } from '#bff/upstream/client/exchange.ts'
import { TransportError, type TransportResponse } from '#bff/upstream/client/transport.ts'
import { Random } from '#test/support/random.ts'
import { createVirtualClock, personOf } from '#test/support/start-governed.ts'
import { admitCall } from './admit-call.ts'
import { type BudgetState, budgetStateSchema, UNKNOWN_BUDGET } from './budget-state.ts'
import { recordOutcome } from './record-outcome.ts'

const ANSWERS = 10_000
const DAY_AND_MARGIN_MS = 86_400_000 + 10_000
const KEY = new ApiKey('hostile-answers-key')
const NUMBERS = [
  '0',
  '-1',
  '5',
  '100',
  '1e12',
  'NaN',
  'soon',
  '',
  '99999999999999999999',
  '1772000000000',
  '٣',
]
const STATUSES = [200, 200, 200, 204, 206, 301, 307, 400, 403, 404, 418, 429, 429, 500, 503, 599]
const BODIES = [
  '',
  'null',
  '[]',
  '{}',
  '{"data":',
  '<h1>portal</h1>',
  '\u0000',
  '{"error":"\\ud800"}',
  '1e999',
]

test('after any answer a call ends, its state can be stored, and no budget stays closed', async () => {
  const random = new Random(3)
  const clock = createVirtualClock()
  const request = { name: 'listThreats', params: {}, path: '/api/v1/threats', body: null } as const
  let state: BudgetState = UNKNOWN_BUDGET
  for (let callId = 1; callId <= ANSWERS; callId += 1) {
    const { answer, budgetOutcome, facts } = await exchange(request, {
      key: KEY,
      clock,
      send: async () => answerOf(random),
    })
    expect('body' in answer || answer.error.name === 'UpstreamError').toBe(true)
    const nowMs = clock.nowMs()
    state = recordOutcome(state, {
      callId,
      outcome: budgetOutcome,
      facts,
      nowMs,
      usedToday: random.below(2_000),
    })
    expect(budgetStateSchema.parse(JSON.parse(JSON.stringify(state)))).toEqual(state)
    expect(verdictAt(state, nowMs + DAY_AND_MARGIN_MS)).toMatchObject({ kind: 'go' })
    clock.wait(random.below(100_000))
  }
})

/** The verdict for a lone person with nothing spent. */
function verdictAt(state: BudgetState, nowMs: number) {
  const unused = { used: 0, usedBySession: 0, sinceReported: 0, oldestMs: null }
  const usage = { minute: unused, day: unused }
  return admitCall(
    state,
    usage,
    { route: 'listThreats', caller: personOf('s-1'), leastShare: 0, usualHours: new Map() },
    nowMs,
  )
}

function answerOf(random: Random): TransportResponse {
  if (random.chance(0.05))
    throw new TransportError(random.pick(['unavailable', 'timeout', 'unreadable']), 'x')
  const headers = new Map<string, string>()
  for (const name of ['limit', 'remaining', 'reset'])
    if (random.chance(0.7)) headers.set(`x-ratelimit-${name}`, random.pick(NUMBERS))
  for (const name of ['retry-after', 'date', 'x-trial-expires'])
    if (random.chance(0.3)) headers.set(name, random.pick([...NUMBERS, 'Tue, 10 Mar 2026 12:00:00 GMT']))
  headers.set('content-type', random.pick(['application/json', 'application/json', 'text/html', '']))
  const coding = random.pick(['', '', '', 'gzip', 'br', 'gzip, gzip', 'constructor'])
  headers.set('content-encoding', coding)

  const text = random.chance(0.3)
    ? JSON.stringify({
        error: random.pick(NUMBERS),
        retry_after: random.pick([...NUMBERS, 37, -1, {}, null]),
      })
    : random.pick([...BODIES, '['.repeat(100), `"${'x'.repeat(70_000)}"`])
  const bytes = coding === 'gzip' && random.chance(0.5) ? gzipSync(text) : Buffer.from(text)
  const body = Readable.from(random.chance(0.1) ? breakOff(bytes) : [bytes])
  return { status: random.pick(STATUSES), header: (name) => headers.get(name.toLowerCase()), body }
}

function* breakOff(bytes: Buffer) {
  yield bytes.subarray(0, bytes.length / 2)
  throw new Error('socket hang up')
}
