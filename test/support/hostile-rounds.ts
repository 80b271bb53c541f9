import * as z from 'zod/mini'
import { problemSchema } from '#contract/bff/problem.ts'
import { sourceSchema } from '#contract/bff/source.ts'
import { relatedThreatsSchema, threatAnswerSchema } from '#contract/bff/threat-list.ts'
import type { Random } from './random.ts'
import type { StandInReply } from './stand-in-upstream.ts'
import { earlierDetail, earlierList, earlierRecord, v1Detail, v1List, v1Record } from './upstream-records.ts'

/** The requests to Lantern while its vendor is hostile, with the shape of each answer. */
const QUESTIONS = [
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

export type HostileRound = {
  /** What the vendor answers at each of its paths. */
  replies: readonly (readonly [path: string, reply: StandInReply])[]
  path: string
  /** Null if the answer has the shape that it owes, a problem's where it failed; else what is wrong with it. */
  fault(response: Response): Promise<string | null>
}

/** One round of a vendor whose documents, bytes, headers and statuses are wrong somewhere. */
export function makeHostileRound(random: Random, vendorUrl: string): HostileRound {
  const documents: readonly (readonly [string, unknown])[] = [
    ['/api/v1/threats', v1List([v1Record(), v1Record({ id: 'thr_2' })], { cursor: 'next' })],
    ['/api/v1/threats/thr_1', { data: v1Detail() }],
    ['/api/feed', earlierList([earlierRecord(), earlierRecord({ id: 'thr_2' })])],
    ['/api/feed/thr_1', earlierDetail({ evidence: [{ type: 'a', url: `${vendorUrl}/a.png` }] })],
  ]
  const [path, schema] = random.pick(QUESTIONS)
  return {
    replies: documents.map(([path, document]) => [path, mutateReply(random, document)] as const),
    path,
    async fault(response) {
      const json: unknown = await response.json()
      const { error } = response.ok ? schema.safeParse(json) : problemSchema.safeParse(json)
      return error ? `${path} ${response.status}: ${z.prettifyError(error)}` : null
    },
  }
}

/** What a vendor itself says as it refuses. Without such words a status is not taken for the vendor's own. */
const REFUSAL = { error: 'Forbidden', message: 'Your plan does not include this', retry_after: 30 }

function mutateReply(random: Random, answer: unknown): StandInReply {
  const status = random.pick(STATUSES)
  const body = status >= 400 && random.chance(1 / 2) ? REFUSAL : answer
  const mutated = Array.from({ length: random.below(4) }).reduce<unknown>(
    (value) => mutate(random, value),
    body,
  )
  const text = JSON.stringify(mutated)
  return {
    status,
    headers: random.chance(1 / 8) ? random.pick(HEADERS) : {},
    raw: status === 204 ? '' : random.chance(1 / 12) ? garble(random, text) : text,
  }
}

/** One value somewhere in a document is poisoned, dropped, doubled or given another name. */
function mutate(random: Random, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || random.chance(1 / 6)) return random.pick(POISON)
  if (Array.isArray(value)) {
    const at = random.below(value.length + 1)
    return random.chance(1 / 5) ? [...value, ...value] : value.toSpliced(at, 1, mutate(random, value[at]))
  }
  const entries = Object.entries(value)
  const at = random.below(entries.length)
  const [name, inner] = entries[at] ?? ['added', null]
  const changed: [string, unknown] = random.chance(1 / 8)
    ? [random.pick(['__proto__', 'x', 'data']), inner]
    : [name, mutate(random, inner)]
  return Object.fromEntries(
    random.chance(1 / 10) ? entries.toSpliced(at, 1) : [...entries.toSpliced(at, 1), changed],
  )
}

function garble(random: Random, text: string): Uint8Array {
  const bytes = Buffer.from(text)
  if (random.chance(1 / 2)) return bytes.subarray(0, random.below(bytes.byteLength))
  for (let count = random.below(9); count >= 0; count -= 1)
    bytes[random.below(bytes.byteLength)] = random.below(256)
  return bytes
}
