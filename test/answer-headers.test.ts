import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { composeTable } from './docs/compose-table.ts'
import { startStandInUpstream } from './support/stand-in-upstream.ts'
import { startSignedIn } from './support/start-signed-in.ts'
import { takeDatabase } from './support/with-database.ts'

const HASHED = '/assets/app-4f3a.js'
const FILES = ['/index.html', '/theme.js', '/icon.svg', '/robots.txt', HASHED]
const VALUES: Readonly<Record<string, string>> = { set: 'v1', name: 'severity', code: 'DE', index: '0' }

async function makeApp(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'lantern-headers-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await mkdir(join(folder, 'assets'))
  for (const file of FILES) await writeFile(join(folder, file), '<!doctype html>')
  return folder
}

async function startWhole() {
  const standIn = await startStandInUpstream()
  return startSignedIn(await takeDatabase('bff'), {
    upstream: { url: standIn.url, apiKey: 'key-of-the-tests', kind: 'vendor' },
    staticFolder: await makeApp(),
  })
}

/** What a server says to bytes that are no HTTP, or not for it. */
async function sendRaw(port: number, bytes: string): Promise<Response> {
  const socket = createConnection(port, '127.0.0.1')
  socket.end(bytes)
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  await once(socket, 'close')
  const [head = ''] = text.split('\r\n\r\n')
  const [statusLine = '', ...lines] = head.split('\r\n')
  const headers = lines.map((line): [string, string] => {
    const at = line.indexOf(': ')
    return [line.slice(0, at), line.slice(at + 2)]
  })
  return new Response(null, { status: Number(statusLine.split(' ')[1]), headers })
}

test('only hashed files may be cached, no answer may be framed, and none leaks a referrer', {
  timeout: 90_000,
}, async () => {
  const { ask, port } = await startWhole()
  const faults: string[] = []
  let answers = 0
  const look = async (name: string, answer: Promise<Response>) => {
    const { status, headers, body } = await answer
    await body?.cancel()
    answers += 1
    const isHashed = name.endsWith(HASHED) && status === 200
    const kept = isHashed ? 'public, max-age=31536000, immutable' : 'no-store'
    for (const [header, value] of [
      ['cache-control', kept],
      ['referrer-policy', name.startsWith('GET /sign-in') ? 'same-origin' : 'no-referrer'],
      ['x-content-type-options', 'nosniff'],
    ] as const) {
      if (headers.get(header) !== value) faults.push(`${name} ${status}: ${header} ${headers.get(header)}`)
    }
    if (!headers.get('content-security-policy')?.includes("frame-ancestors 'none'")) {
      faults.push(`${name} ${status}: may be framed`)
    }
  }

  const table = await composeTable()
  expect(table.length).toBeGreaterThan(50)
  const out = { cookie: '' }
  const forged = { origin: 'https://evil.example' }
  for (const { method, path } of table.toSorted((a) => (a.path.includes('sign-out') ? 1 : -1))) {
    const address = path.replace(/:(\w+)/g, (_, name: string) => VALUES[name] ?? 'nothing-known')
    const body = method === 'GET' ? {} : { body: {} }
    await look(`${method} ${path} signed out`, ask(address, { method, ...body, headers: out }))
    await look(`${method} ${path} forged`, ask(address, { method, ...body, headers: forged }))
    await look(`${method} ${path} unknown name`, ask(`${address}?nonsense=1`, { method, ...body }))
    await look(`PATCH ${path}`, ask(address, { method: 'PATCH' }))
    await look(`${method} ${path}`, ask(address, { method, ...body }))
  }
  for (const path of [...FILES, '/', '/threats', '/assets/gone.js', '/gone.js']) {
    await look(`GET ${path}`, ask(path))
    await look(`HEAD ${path}`, ask(path, { method: 'HEAD' }))
    await look(`POST ${path}`, ask(path, { method: 'POST' }))
  }
  for (const path of [
    '/sign-in',
    '/healthz',
    '/readyz',
    '/bff/gone',
    '/feeds/gone.atom',
    '/.well-known/gone',
  ]) {
    await look(`GET ${path}`, ask(path))
  }
  await look('a report', ask('/bff/csp-report', { method: 'POST' }))
  const host = `host: localhost:${port}\r\n`
  for (const [name, bytes] of Object.entries({
    'no HTTP': 'hello\r\n\r\n',
    'another host': 'GET / HTTP/1.1\r\nhost: evil.example\r\n\r\n',
    'two hosts': `GET / HTTP/1.1\r\n${host}${host}\r\n`,
    TRACE: `TRACE / HTTP/1.1\r\n${host}connection: close\r\n\r\n`,
    'another target': `GET //evil.example/ HTTP/1.1\r\n${host}\r\n`,
    'a head without end': `GET / HTTP/1.1\r\n${host}x: ${'y'.repeat(40_000)}\r\n\r\n`,
  })) {
    const answer = await sendRaw(port, bytes)
    expect(answer.status, name).toBeGreaterThanOrEqual(400)
    await look(name, Promise.resolve(answer))
  }
  expect(answers).toBeGreaterThan(300)
  expect(faults).toEqual([])
})
