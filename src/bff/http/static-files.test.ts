import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestBff, readProblem } from '#test/support/ask-bff.ts'
import { withDatabase } from '#test/support/with-database.ts'

const PAGE = '<!doctype html><head><script src="/assets/app-4f3a.js"></script></head>'
const FIRST_FILES = [
  { route: 'threats', files: ['/assets/app-4f3a.js', '/assets/threats-1a.js'] },
  {
    route: 'threats.$id',
    files: ['/assets/app-4f3a.js', '/assets/threats._id-2b.js', '/assets/short-1c2b.js'],
  },
  { route: 'threats.index', files: ['/assets/threats.index-3c.js'] },
]
const SCRIPT = `export const text = '${'lantern '.repeat(200)}'`
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lantern-static-'))
  await mkdir(join(folder, 'app/assets'), { recursive: true })
  await writeFile(join(folder, 'secret.txt'), 'outside')
  await writeFile(join(folder, 'app/index.html'), PAGE)
  await writeFile(join(folder, 'app/first-files.json'), JSON.stringify(FIRST_FILES))
  await writeFile(join(folder, 'app/theme.js'), 'document.title')
  await writeFile(join(folder, 'app/assets/app-4f3a.js'), SCRIPT)
  await writeFile(join(folder, 'app/assets/app-4f3a.js.br'), 'made by the build')
  await writeFile(join(folder, 'app/assets/app-4f3a.js.map'), '{}')
  await writeFile(join(folder, 'app/assets/short-1c2b.js'), 'export {}')
  await writeFile(join(folder, 'app/assets/short-1c2b.js.br'), 'made by the build')
})

afterAll(() => rm(folder, { recursive: true }))

function withApp(run: (bff: Awaited<ReturnType<typeof createTestBff>>) => Promise<void>) {
  return withDatabase('bff', async (database) => {
    await run(await createTestBff(database, { staticFolder: join(folder, 'app') }))
  })
}

test(
  'every page address returns the app, with a strict policy and never from a cache',
  withApp(async ({ ask }) => {
    for (const path of [
      '/',
      '/threats',
      '/threats?country=DE',
      '/actors/some%20name',
      '/threats/',
      '/alerts/deliveries',
      '/index.html',
    ]) {
      const response = await ask(path, { headers: { 'x-lantern': '' } })
      expect(response.status, path).toBe(200)
      expect(await response.text(), path).toContain('<script src="/assets/app-4f3a.js">')
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(response.headers.get('cache-control')).toBe('no-store')
    }
    const { headers } = await ask('/')
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; font-src 'self'; " +
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
        "require-trusted-types-for 'script'; trusted-types 'none'; report-to csp",
    )
    expect(Object.fromEntries(headers)).toMatchObject({
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': expect.stringContaining('camera=()'),
      'referrer-policy': 'no-referrer',
      'reporting-endpoints': 'csp="/bff/csp-report"',
      'x-content-type-options': 'nosniff',
      'x-dns-prefetch-control': 'off',
    })
  }),
)

test(
  'the page of each address names the scripts that it begins with, each once',
  withApp(async ({ ask }) => {
    const scriptsOf = async (path: string) =>
      [
        ...(await (await ask(path)).text()).matchAll(
          /(?:modulepreload" fetchpriority="low" crossorigin href|src)="([^"]+)"/g,
        ),
      ].map(([, file]) => file)
    const app = '/assets/app-4f3a.js'
    expect(await scriptsOf('/threats/a%2Fb?set=v1')).toEqual([
      app,
      '/assets/threats-1a.js',
      '/assets/threats._id-2b.js',
      '/assets/short-1c2b.js',
    ])
    expect(await scriptsOf('/threats')).toEqual([app, '/assets/threats-1a.js', '/assets/threats.index-3c.js'])
    expect(await scriptsOf('/settings')).toEqual([app])
  }),
)

test(
  'what the build has compressed is sent so, however short it is',
  withApp(async ({ ask }) => {
    const fetchAs = (path: string) => ask(path, { headers: { 'accept-encoding': 'br' } })
    const short = await fetchAs('/assets/short-1c2b.js')
    expect(await short.text()).toBe('made by the build')
    expect(short.headers.get('content-encoding')).toBe('br')
    expect(short.headers.get('vary')).toContain('accept-encoding')
    expect((await fetchAs('/theme.js')).headers.get('content-encoding')).toBeNull()
    expect(await (await ask('/assets/short-1c2b.js')).text()).toBe('export {}')
  }),
)

test(
  'browsers cache hashed assets for a year, in an encoding that they accept',
  withApp(async ({ ask }) => {
    const path = '/assets/app-4f3a.js'
    const fetchAs = (coding: string) => ask(path, { headers: { 'accept-encoding': coding } })
    const brotli = await fetchAs('gzip, deflate, br, zstd')
    const gzip = await fetchAs('gzip')
    const identity = await fetchAs('identity')

    expect(brotli.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(brotli.headers.get('content-encoding')).toBe('br')
    expect(await brotli.text()).toBe('made by the build')
    expect(gzip.headers.get('content-encoding')).toBe('gzip')
    expect(gunzipSync(await gzip.arrayBuffer()).toString()).toBe(SCRIPT)
    expect(identity.headers.get('content-encoding')).toBeNull()
    expect(await identity.text()).toBe(SCRIPT)
    for (const { headers } of [brotli, gzip, identity]) expect(headers.get('vary')).toBe('accept-encoding')
  }),
)

test(
  'answers 304 to a browser that has the file',
  withApp(async ({ ask }) => {
    const first = await ask('/theme.js')
    const again = await ask('/theme.js', { headers: { 'if-none-match': first.headers.get('etag') ?? '' } })
    const other = await ask('/theme.js', { headers: { 'if-none-match': 'W/"other"' } })

    expect([again.status, await again.text()]).toEqual([304, ''])
    expect(again.headers.get('cache-control')).toBe('no-store')
    expect(other.status).toBe(200)
  }),
)

test(
  'HEAD returns the headers of GET without the body',
  withApp(async ({ ask }) => {
    const response = await ask('/assets/app-4f3a.js', { method: 'HEAD' })

    expect(response.headers.get('content-length')).toBe(String(SCRIPT.length))
    expect(await response.text()).toBe('')
  }),
)

test(
  'the address of a record returns the page for any id, also to other programs',
  withApp(async ({ ask }) => {
    for (const id of [
      'a.b',
      'v1.2.css',
      '~..',
      '%2e%2e%2fx.js',
      'a%2Fb.txt',
      '%00',
      '%ED%A0%80',
      '%zz',
      '..%2F..%2Fx.js',
    ])
      expect((await ask(`/threats/${id}`)).status, id).toBe(200)
  }),
)

test(
  'answers a problem, and never the page, to paths that are neither file nor page',
  withApp(async ({ ask }) => {
    const paths = [
      '/missing.js',
      '/taxii2/',
      '/mcp',
      '/api/v1/threats',
      '/anything.json',
      '/bffoon',
      '/threats//',
      '/threats/one/more',
      '/threats.css',
      '/.env',
      '/assets/missing',
      '/assets/app-4f3a.js.map',
      '/assets/app-4f3a.js.br',
      '/../secret.txt',
      '/assets/../../secret.txt',
      '/%2e%2e/secret.txt',
      '/..%2fsecret.txt',
      '/assets/..%2f..%2fsecret.txt',
    ]
    for (const path of paths) {
      for (const mode of ['cors', 'navigate']) {
        const { code, status } = await readProblem(await ask(path, { headers: { 'sec-fetch-mode': mode } }))
        expect([code, status], path).toEqual(['not_found', 404])
      }
    }
  }),
)

const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }

test(
  'a wrong address returns an HTML page to browsers, and a problem to programs',
  withApp(async ({ ask }) => {
    for (const path of ['/threts', '/threats/one/more', '/bffoon', '/actors//']) {
      const response = await ask(path, { headers: BROWSER })
      expect([response.status, response.headers.get('content-type')], path).toEqual([
        404,
        'text/html; charset=utf-8',
      ])
      const { headers } = response
      expect(headers.get('content-security-policy')).toMatch(/script-src 'self'; style-src 'self' 'sha256-/)
      expect(headers.get('content-security-policy')).toContain("form-action 'none'")
      expect(headers.get('cache-control')).toBe('no-store')
      const text = await response.text()
      expect(text).toContain('<title>Page not found · Lantern</title>')
      expect(text).toContain('href="/"')
      expect(text).not.toContain(path.slice(1))
    }
    const head = await ask('/threts', { method: 'HEAD', headers: BROWSER })
    expect([head.status, await head.text()]).toEqual([404, ''])

    for (const accept of ['*/*', 'application/json', 'application/json, text/html;q=0.9', ''])
      expect((await readProblem(await ask('/threts', { headers: { accept } }))).status, accept).toBe(404)
    const machines = [
      '/api',
      '/api/v2/x',
      '/taxii2/',
      '/mcp',
      '/assets/x',
      '/anything.json',
      '/.env',
      '/feeds/',
    ]
    for (const path of machines)
      expect((await readProblem(await ask(path, { headers: BROWSER }))).status, path).toBe(404)
    for (const path of ['/mcp', '/api/v1/threats', '/threts'])
      expect((await readProblem(await ask(path, { body: {}, headers: BROWSER }))).status, path).toBe(404)
    expect((await readProblem(await ask('/threats', { body: {} }))).status).toBe(405)
  }),
)

test(
  'a page opens whatever capitals its address has, as it does in the app',
  withApp(async ({ ask }) => {
    for (const path of ['/Threats', '/ALERTS/Deliveries/', '/Actors/8base.io', '/actors/a%2Fb/'])
      expect((await ask(path, { headers: BROWSER })).status, path).toBe(200)
  }),
)

test(
  'returns the page for a record whose id contains a dot',
  withApp(async ({ ask, signIn }) => {
    const navigate = { 'sec-fetch-mode': 'navigate' }
    await signIn()

    expect(await (await ask('/threats/2024.01', { headers: navigate })).text()).toContain('<!doctype html>')
    expect((await ask('/assets/missing.js', { headers: navigate })).status).toBe(404)
  }),
)

test(
  'answers 404 if the app is not built',
  withDatabase('bff', async (database) => {
    const { ask } = await createTestBff(database, { staticFolder: join(folder, 'nowhere') })

    expect((await ask('/')).status).toBe(404)
  }),
)
