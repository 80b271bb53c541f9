import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { createTestData } from '../../../test/support/ask-data.ts'
import { type StandInReply, startStandInUpstream } from '../../../test/support/stand-in-upstream.ts'
import { v1Detail, v1List, v1Record } from '../../../test/support/upstream-records.ts'
import { ApiKey } from './api-key.ts'

const CANARY = 'lk_live_Zq7!xR3~canary+key/9f2b=77aa'

/** The key, its encodings, and every twelve bytes of it. */
function tracesOf(key: string): string[] {
  const bytes = Buffer.from(key)
  const whole = [
    encodeURIComponent(key),
    bytes.toString('base64'),
    bytes.toString('base64url'),
    bytes.toString('hex'),
    [...key].reverse().join(''),
  ]
  const pieces = Array.from({ length: key.length - 11 }, (_, at) => key.slice(at, at + 12))
  return [...whole, ...pieces]
}

function findTraces(text: string): string[] {
  return tracesOf(CANARY).filter((trace) => text.includes(trace))
}

test.each([
  ['printed', (key: ApiKey) => inspect({ key }, { depth: 9, showHidden: true })],
  ['joined to a text', (key: ApiKey) => `${key}`],
  ['serialised', (key: ApiKey) => JSON.stringify({ key })],
  ['spread', (key: ApiKey) => JSON.stringify({ ...key })],
])('a key that is %s shows nothing of itself', (_, show) => {
  expect(findTraces(show(new ApiKey(CANARY)))).toEqual([])
})

const echo = { error: `The key ${CANARY} is not known` }

test.each<[string, StandInReply]>([
  ['a good answer', { json: v1List([v1Record()]) }],
  ['an answer that repeats it', { json: v1List([v1Record({ title: CANARY })]) }],
  [
    'an answer that repeats it in base64',
    { json: v1List([v1Record({ title: Buffer.from(CANARY).toString('base64') })]) },
  ],
  ['a 400 that repeats it', { status: 400, json: echo }],
  ['a 401 that repeats it', { status: 401, json: echo }],
  ['a 403 that repeats a piece', { status: 403, json: { error: `${CANARY.slice(3, 20)}… has no plan` } }],
  ['a 404 that repeats it', { status: 404, json: echo }],
  ['a 429 that repeats it', { status: 429, json: echo }],
  ['a 500 that repeats it', { status: 500, json: echo }],
  ['a redirect to itself', { status: 302, headers: { location: `/?key=${CANARY}` } }],
  ['a type that repeats it', { headers: { 'content-type': `text/html; key="${CANARY}"` }, raw: CANARY }],
  ['broken HTTP', { act: (response) => response.socket?.end(`HTTP/1.1 ${CANARY}\r\n\r\n`) }],
  ['a hang-up', { act: (response) => response.destroy() }],
])('the key stays inside after %s', async (_, reply) => {
  const standIn = await startStandInUpstream()
  standIn.play('/api/v1/threats', reply)
  standIn.play('/api/v1/threats/thr_1', reply.json === echo ? reply : { json: { data: v1Detail() } })
  const { ask, logged } = await createTestData({ upstream: { url: standIn.url, apiKey: CANARY } })

  const answers = [
    await ask('/bff/threats?set=v1'),
    await ask('/bff/threats/thr_1?set=v1'),
    await ask('/bff/threats/thr_1/related?set=v1'),
    await ask('/bff/source'),
  ]
  const texts = await Promise.all(answers.map((answer) => answer.text()))
  const headers = answers.map((answer) => JSON.stringify([...answer.headers]))
  expect(standIn.calls[0]?.headers.authorization).toBe(`Bearer ${CANARY}`)
  expect(findTraces([...texts, ...headers, ...logged].join('\n'))).toEqual([])
})
