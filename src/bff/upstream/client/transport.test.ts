import { brotliCompressSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { createLog } from '#bff/http/log.ts'
import { type StandInReply, startStandInUpstream } from '#test/support/stand-in-upstream.ts'
import { createVirtualClock, personOf } from '#test/support/start-governed.ts'
import { takeDatabase } from '#test/support/with-database.ts'
import type { Timeouts } from './transport.ts'
import { createUpstream } from './upstream-client.ts'

const LIST = '/api/v1/threats'
const QUICK: Timeouts = { connectMs: 300, headersMs: 300, idleMs: 300, totalMs: 900 }

async function ask(reply: StandInReply, timeouts?: Timeouts) {
  const standIn = await startStandInUpstream()
  standIn.play(LIST, reply)
  const upstream = createUpstream({
    url: standIn.url,
    keys: () => ({ apiKey: 'the-key' }),
    database: await takeDatabase('bff'),
    clock: createVirtualClock(),
    log: createLog(() => {}),
    ...(timeouts && { timeouts }),
  })
  return { standIn, answer: upstream.call('listThreats', {}, personOf('s-1')) }
}

const json = Buffer.from(JSON.stringify({ data: ['ä'] }))

test.each<[string, StandInReply]>([
  ['plain', { raw: json }],
  ['with gzip', { raw: gzipSync(json), headers: { 'content-encoding': 'gzip' } }],
  ['with brotli', { raw: brotliCompressSync(json), headers: { 'content-encoding': 'BR' } }],
  ['with identity', { raw: json, headers: { 'content-encoding': 'identity' } }],
  ['after a byte order mark', { raw: Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), json]) }],
  [
    'as another kind of JSON',
    { raw: json, headers: { 'content-type': 'application/hal+json; charset=utf-8' } },
  ],
  ['as text', { raw: json, headers: { 'content-type': 'text/plain; charset=utf-8' } }],
  ['without a type', { act: (response) => response.writeHead(200).end(json) }],
])('reads JSON %s', async (_, reply) => {
  const { answer } = await ask(reply)
  expect(await answer).toEqual({ data: ['ä'] })
})

test.each<[string, StandInReply]>([
  ['HTML', { raw: json, headers: { 'content-type': 'text/html; charset=utf-8' } }],
  ['markup that says it is text', { raw: ' <!doctype html>', headers: { 'content-type': 'text/plain' } }],
  ['markup without a type', { act: (response) => response.writeHead(200).end('<html>') }],
])('takes %s for a page of something in between', async (_, reply) => {
  await expect((await ask(reply)).answer).rejects.toMatchObject({ kind: 'web_page' })
})

test('reads on past bytes that are no UTF-8', async () => {
  const { answer } = await ask({ raw: Buffer.from([0x22, 0xff, 0x61, 0x22]) })
  expect(await answer).toBe('\ufffda')
})

const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '), { level: 9 })

test.each<[string, StandInReply]>([
  ['nothing', { raw: '' }],
  ['half of a document', { raw: '{"data":[' }],
  ['a bomb of gzip', { raw: bomb, headers: { 'content-encoding': 'gzip' } }],
  ['nine megabytes', { raw: `"${'a'.repeat(9 * 1024 * 1024)}"` }],
  ['half of a gzip', { raw: gzipSync(json).subarray(0, 20), headers: { 'content-encoding': 'gzip' } }],
  ['no gzip at all', { raw: json, headers: { 'content-encoding': 'gzip' } }],
  ['an unknown encoding', { raw: json, headers: { 'content-encoding': 'zstd' } }],
  ['two encodings', { raw: gzipSync(gzipSync(json)), headers: { 'content-encoding': 'gzip, gzip' } }],
  ['65 levels', { raw: `${'['.repeat(65)}${']'.repeat(65)}` }],
  ['a million levels', { raw: '['.repeat(1_000_000) }],
  [
    'fewer bytes than it says',
    {
      act: (response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '99' }).write('{')
        setTimeout(() => response.destroy(), 20)
      },
    },
  ],
  ['a broken status line', { act: (response) => response.socket?.end('HTTP/9.9 hello\r\n\r\n') }],
  [
    'headers without end',
    { act: (response) => response.socket?.end(`HTTP/1.1 200 OK\r\nx: ${'a'.repeat(100_000)}\r\n\r\n`) },
  ],
])('cannot read %s', async (_, reply) => {
  const { answer } = await ask(reply)
  await expect(answer).rejects.toMatchObject({ kind: 'unreadable' })
})

test('reads 64 levels, and brackets in a text as text', async () => {
  const nested = `${'['.repeat(64)}${']'.repeat(64)}`
  await expect((await ask({ raw: nested })).answer).resolves.toBeDefined()
  await expect((await ask({ json: `\\"${'['.repeat(99)}` })).answer).resolves.toBeDefined()
})

test('stops unpacking a compression bomb at the size limit', async () => {
  const { answer } = await ask({ raw: bomb, headers: { 'content-encoding': 'gzip' } })
  const before = process.memoryUsage().arrayBuffers
  await expect(answer).rejects.toMatchObject({ kind: 'unreadable' })
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20 * 1024 * 1024)
})

test('reports a port without a listener as unavailable', async () => {
  const upstream = createUpstream({
    url: 'http://127.0.0.1:1',
    keys: () => ({ apiKey: 'the-key' }),
    database: await takeDatabase('bff'),
    clock: createVirtualClock(),
    log: createLog(() => {}),
  })
  await expect(upstream.call('listThreats', {}, personOf('s-1'))).rejects.toMatchObject({
    kind: 'unavailable',
  })
})

test('cannot reach a server that hangs up', async () => {
  const { answer } = await ask({ act: (response) => response.destroy() })
  await expect(answer).rejects.toMatchObject({ kind: 'unavailable' })
})

const HEAD = { 'content-type': 'application/json' }

test.each<[string, StandInReply]>([
  ['says nothing', { act: () => {} }],
  ['stops after the head', { act: (response) => response.writeHead(200, HEAD).flushHeaders() }],
  [
    'gives a byte now and then',
    {
      act: (response) => {
        response.writeHead(200, HEAD)
        const drip = setInterval(() => response.write(' '), 100)
        response.on('close', () => clearInterval(drip))
      },
    },
  ],
])('gives up on a server that %s, and hangs up', async (_, reply) => {
  const { standIn, answer } = await ask(reply, QUICK)
  await expect(answer).rejects.toMatchObject({ kind: 'timeout' })
  await expect.poll(() => standIn.countConnections()).toBe(0)
})
