import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { createTestData } from '#test/support/ask-data.ts'
import { findTraces } from '#test/support/find-traces.ts'
import { type StandInReply, startStandInUpstream } from '#test/support/stand-in-upstream.ts'
import { v1Detail, v1List, v1Record } from '#test/support/upstream-records.ts'
import { ApiKey } from './api-key.ts'

const CANARY = 'lk_live_Zq7!xR3~canary+key/9f2b=77aa'

test.each([
  ['printed', (key: ApiKey) => inspect({ key }, { depth: 9, showHidden: true })],
  ['joined to a text', (key: ApiKey) => `${key}`],
  ['serialised', (key: ApiKey) => JSON.stringify({ key })],
  ['spread', (key: ApiKey) => JSON.stringify({ ...key })],
])('a key that is %s shows nothing of itself', (_, show) => {
  expect(findTraces(CANARY, show(new ApiKey(CANARY)))).toEqual([])
})

const echo = { error: `The key ${CANARY} is not known` }

/** JSON in which every character of a text is written as its number, and every slash as `\\/`. */
function escaped(body: unknown): string {
  const plain = JSON.stringify(body)
  const numbered = [...CANARY].map((one) =>
    one === '/' ? '\\/' : `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return plain.replaceAll(CANARY, numbered.join(''))
}

test.each<[string, StandInReply]>([
  ['a good answer', { json: v1List([v1Record()]) }],
  ['an answer that repeats it', { json: v1List([v1Record({ title: CANARY })]) }],
  ['an answer that repeats it escaped', { raw: escaped({ data: [v1Record({ title: CANARY })] }) }],
  ['an answer that names a member by it', { json: { data: v1Detail(), [CANARY]: 1 } }],
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
])('does not reveal the key after %s', async (_, reply) => {
  const standIn = await startStandInUpstream()
  standIn.play('/api/v1/threats/thr_1', reply)
  const { ask, logged } = await createTestData({ upstream: { url: standIn.url, apiKey: CANARY } })

  const answers = [
    await ask('/bff/threats/thr_1?set=v1'),
    await ask('/bff/threats/thr_1/related?set=v1'),
    await ask('/bff/source'),
  ]
  const texts = await Promise.all(answers.map((answer) => answer.text()))
  const headers = answers.map((answer) => JSON.stringify([...answer.headers]))
  expect(standIn.calls[0]?.headers.authorization).toBe(`Bearer ${CANARY}`)
  expect(findTraces(CANARY, [...texts, ...headers, ...logged].join('\n'))).toEqual([])
})

const bytes = Buffer.from(CANARY)

test.each([
  ['as it is', CANARY],
  ['a piece', CANARY.slice(9, 21)],
  ['the end', `x${CANARY.slice(-12)}`],
  ['reversed', [...CANARY].reverse().join('')],
  ['a piece reversed', [...CANARY.slice(5, 20)].reverse().join('')],
  ['in upper case', CANARY.toUpperCase()],
  ['in hex', bytes.toString('hex')],
  ['in upper hex', `0X${bytes.toString('hex').toUpperCase()}`],
  ['in base64', bytes.toString('base64')],
  ['in base64url', bytes.toString('base64url')],
  ['in base64, after a word', Buffer.from(`Bearer ${CANARY}`).toString('base64')],
  ['in base64, after a letter', Buffer.from(`a${CANARY}`).toString('base64')],
  ['a piece in base64', Buffer.from(CANARY.slice(4, 20)).toString('base64')],
  ['in percent signs', encodeURIComponent(CANARY)],
])('the key is found in a text %s, at any position', (_, form) => {
  const key = new ApiKey(CANARY)
  for (let before = 0; before < 14; before += 1) {
    expect(key.isIn(`${'.'.repeat(before)}${form}.`)).toBe(true)
  }
})

test('ordinary text, and fewer characters than a piece, are not the key', () => {
  const key = new ApiKey(CANARY)
  expect(key.isIn(CANARY.slice(0, 11))).toBe(false)
  expect(key.isIn(JSON.stringify([v1List([v1Record()]), v1Detail()]))).toBe(false)
  expect(new ApiKey('the-key').isIn('the-key')).toBe(false)
})
