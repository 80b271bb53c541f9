import { afterAll, beforeAll, expect, test } from 'vitest'
import { problemSchema } from '#contract/bff/problem.ts'
import { sourceSchema } from '#contract/bff/source.ts'
import { relatedThreatsSchema, threatAnswerSchema, threatListSchema } from '#contract/bff/threat-list.ts'
import { createTestData } from '../../test/support/ask-data.ts'
import { type StandInReply, startStandInUpstream } from '../../test/support/stand-in-upstream.ts'
import {
  earlierDetail,
  earlierList,
  earlierRecord,
  v1Detail,
  v1List,
  v1Record,
} from '../../test/support/upstream-records.ts'
import { TIMEOUTS, type Timeouts } from './upstream/transport.ts'

const MUTATIONS = 2_000
const SEED = 20_260_310
/** Too short for a failed call to be repeated, which pauses and meets the same answer. */
const NO_REPEAT: Timeouts = { ...TIMEOUTS, totalMs: 3_500 }

const ROUTES = [
  ['/bff/threats?set=v1', threatListSchema],
  ['/bff/threats?set=earlier&q=x', threatListSchema],
  ['/bff/threats/thr_1', threatAnswerSchema],
  ['/bff/threats/thr_1/related', relatedThreatsSchema],
  ['/bff/source', sourceSchema],
] as const

/** What an upstream can put in the place of any value. */
const POISON: readonly unknown[] = [
  null,
  true,
  -1,
  2 ** 60,
  1e308,
  '',
  ' ',
  'NaN',
  '\ud800',
  '\0',
  '\u202e\u200b',
  '<img src=x onerror=alert(1)>',
  '2026-02-30T99:99:99Z',
  '+275760-09-13T00:00:00Z',
  'constructor',
  '__proto__',
  'a'.repeat(70_000),
  '[redacted]',
  [],
  {},
  [[[[]]]],
  [null, 7, { name: null }, ['x']],
  { name: { name: 'x' } },
  { length: 5, toString: null },
  Array.from({ length: 300 }, (_, index) => index),
]

const HEADERS: readonly Record<string, string>[] = [
  { 'content-type': 'text/html' },
  { 'content-encoding': 'gzip' },
  { 'content-encoding': 'nonsense' },
  { 'x-ratelimit-limit': '-5', 'x-ratelimit-remaining': 'NaN' },
  { 'x-ratelimit-limit': '99999999999999999999', 'x-ratelimit-reset': '99999999999999999999' },
  { 'x-ratelimit-reset': 'Infinity', 'x-ratelimit-remaining': '1' },
  { 'x-trial-expires': '8640000000000001', date: 'yesterday' },
  { 'x-trial-expires': '-1', 'retry-after': '1e999' },
]
const STATUSES = [200, 200, 200, 200, 200, 200, 201, 204, 206, 302, 400, 403, 404, 418, 429, 500, 599]

const random = createRandom(SEED)
const strays: unknown[] = []
const noteStray = (error: unknown) => strays.push(error)

beforeAll(() => {
  process.on('unhandledRejection', noteStray)
})
afterAll(() => {
  process.off('unhandledRejection', noteStray)
})

test(`${MUTATIONS} hostile answers are told in our own shapes, and harm nothing`, {
  timeout: 120_000,
}, async () => {
  const standIn = await startStandInUpstream()
  const { ask, wait } = await createTestData({ upstream: { url: standIn.url }, timeouts: NO_REPEAT })
  const bodies: readonly [string, unknown][] = [
    ['/api/v1/threats', v1List([v1Record(), v1Record({ id: 'thr_2' })], { cursor: 'next' })],
    ['/api/v1/threats/thr_1', { data: v1Detail() }],
    ['/api/feed', earlierList([earlierRecord(), earlierRecord({ id: 'thr_2' })])],
    ['/api/feed/thr_1', earlierDetail({ evidence: [{ type: 'a', url: `${standIn.url}/a.png` }] })],
  ]
  const statuses = new Set<number>()

  for (let round = 0; round < MUTATIONS; round += 1) {
    for (const [path, body] of bodies) standIn.play(path, mutateReply(body))
    const [path, schema] = pick(ROUTES)
    const response = await ask(path)
    const json: unknown = await response.json()
    statuses.add(response.status)
    const { error } = response.ok ? schema.safeParse(json) : problemSchema.safeParse(json)
    expect(error, `round ${round}: ${path} ${response.status}`).toBeUndefined()
    wait(90_000_000)
  }

  expect(strays).toEqual([])
  expect([...statuses].toSorted()).toEqual(expect.arrayContaining([200, 403, 404, 422, 429, 502]))
})

function mutateReply(body: unknown): StandInReply {
  const status = pick(STATUSES)
  const mutated = Array.from({ length: random(4) }).reduce<unknown>((value) => mutate(value), body)
  const text = JSON.stringify(mutated)
  return {
    status,
    headers: random(8) === 0 ? pick(HEADERS) : {},
    raw: status === 204 ? '' : random(12) === 0 ? garble(text) : text,
  }
}

/** One value somewhere in a document is poisoned, dropped, doubled or given another name. */
function mutate(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || random(6) === 0) return pick(POISON)
  if (Array.isArray(value)) {
    const at = random(value.length + 1)
    return random(5) === 0 ? [...value, ...value] : value.toSpliced(at, 1, mutate(value[at]))
  }
  const entries = Object.entries(value)
  const at = random(entries.length)
  const [name, inner] = entries[at] ?? ['added', null]
  const changed: [string, unknown] =
    random(8) === 0 ? [pick(['__proto__', 'x', 'data']), inner] : [name, mutate(inner)]
  return Object.fromEntries(
    random(10) === 0 ? entries.toSpliced(at, 1) : [...entries.toSpliced(at, 1), changed],
  )
}

function garble(text: string): Uint8Array {
  const bytes = Buffer.from(text)
  if (random(2) === 0) return bytes.subarray(0, random(bytes.byteLength))
  for (let count = random(9); count >= 0; count -= 1) bytes[random(bytes.byteLength)] = random(256)
  return bytes
}

function pick<T>(values: readonly T[]): T {
  const value = values[random(values.length)]
  if (value === undefined) throw new Error('nothing to pick from')
  return value
}

/** The same numbers for the same seed: from 0 up to, not including, `below`. */
function createRandom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 48_271) % 2_147_483_647
    return below === 0 ? 0 : state % below
  }
}
