import { readFile } from 'node:fs/promises'
import { parseEnv } from 'node:util'
import { expect, test } from 'vitest'
import { ENTRIES_MAX_BYTES } from '#bff/pages/lists/list-routes.ts'
import { ENDPOINTS } from '#contract/bff/endpoints.ts'
import { parseSettings } from '#settings/settings.ts'

const read = (name: string) => readFile(`deploy/${name}`, 'utf8')
const { port } = parseSettings({})

test('the example of settings starts Lantern behind a proxy, with its data outside of the release', async () => {
  const settings = parseSettings(parseEnv(await read('lantern.env')))
  expect(settings).toMatchObject({ publicUrl: 'https://lantern.example', port, dataDir: '/var/lib/lantern' })
  expect(settings.trustedProxies.check('127.0.0.1')).toBe(true)
  expect(settings.hasDemo).toBe(false)
  expect(settings.unknown).toEqual([])
})

test('nginx passes host and visitor on, and holds no live event back', async () => {
  const conf = await read('nginx.conf')
  expect(conf).toContain('proxy_set_header Host $http_host;')
  expect(conf).toContain('proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;')
  const stream = /location = (?<path>\S+) \{(?<block>[^}]*)\}/.exec(conf)?.groups
  expect(Object.keys(ENDPOINTS)).toContain(`GET ${stream?.path}`)
  expect(stream?.path).toBe('/bff/live')
  expect(stream?.block).toContain('proxy_buffering off;')
  // Set in a location, a header would take all of the server's away from it.
  expect(conf.match(/location[^}]*proxy_set_header/)).toBeNull()
})

test('nginx passes on a list of the most entries, and Caddy sets no limit', async () => {
  expect(await read('nginx.conf')).toMatch(
    new RegExp(`^ {2}client_max_body_size ${ENTRIES_MAX_BYTES / 1024 / 1024}m;$`, 'm'),
  )
  expect(await read('Caddyfile')).not.toContain('request_body')
})

test('nginx keeps all nodes, limits its waits, and repeats no change', async () => {
  const conf = await read('nginx.conf')
  const servers = conf.match(/^ *server \d.*$/gm) ?? []
  expect(servers.filter((line) => !line.includes('max_fails=0'))).toEqual([])
  expect(conf).toMatch(/^ {2}proxy_connect_timeout 1s;$/m)
  expect(conf).toMatch(/^ {2}proxy_read_timeout 2500ms;$/m)
  const [, change = ''] = /location @change \{([^}]*)\}/.exec(conf) ?? []
  expect(change).toMatch(/^ *proxy_next_upstream error;$/m)
  const [, slow = ''] = /location ~ (\^\/\(\?:sign-in\|\S+) \{[^}]*proxy_read_timeout 15s;/.exec(conf) ?? []
  const isSlow = (path: string) => new RegExp(slow).test(path)
  expect(['/sign-in', '/threats', '/'].map(isSlow)).toEqual([true, false, false])
  // Those that wait for nobody but Lantern's own database.
  const quick = Object.keys(ENDPOINTS).filter((endpoint) => !isSlow(endpoint.replace(/^\S+ /, '')))
  expect(quick).toEqual(expect.arrayContaining(['GET /bff/threats', 'GET /bff/overview', 'POST /bff/triage']))
  for (const part of ['alerts', 'actors', 'countries', 'metrics', 'exports', 'sign-in', 'evidence'])
    expect(
      quick.filter((endpoint) => endpoint.includes(`/${part}`)),
      part,
    ).toEqual([])
  for (const endpoint of ['GET /bff/threats/:id', 'PUT /bff/keys/:set']) expect(quick).not.toContain(endpoint)
})

test.each(['nginx.conf', 'Caddyfile', 'Containerfile', 'compose.yaml'])(
  '%s uses the port on which Lantern listens',
  async (name) => {
    const text = await read(name)
    expect(text).toContain(String(port))
    const asked = [...text.matchAll(/(?:127\.0\.0\.1|172\.30\.41\.3):(\d+)/g)].map(([, found]) =>
      Number(found),
    )
    expect(asked.filter((found) => found !== port)).toEqual([])
  },
)

test('the image contains a release, runs without root and stores its data in one volume', async () => {
  const file = await read('Containerfile')
  expect(file.match(/^USER (?<user>\d+)/m)?.groups?.user).toMatch(/^[1-9]\d{3,}$/)
  const copied = [...file.matchAll(/^COPY (.+) \S+$/gm)].flatMap(([, names]) => names?.split(' ') ?? [])
  expect(copied).toEqual(expect.arrayContaining(['package.json', 'node_modules', 'bin', 'dist', 'src']))
  expect(copied.filter((name) => /^\.|\*/.test(name))).toEqual([])
  const volumes = [...file.matchAll(/^VOLUME (\S+)$/gm)].map(([, volume]) => volume)
  expect(volumes).toEqual([/DATA_DIR=(\S+)/.exec(file)?.[1]])
  expect(file).toMatch(/HEALTHCHECK(?:.*\n)+?.*\/readyz/)
})

test('containers get settings by names that Lantern knows, over a proxy that it believes', async () => {
  const compose = await read('compose.yaml')
  const [, block = ''] = /^ {4}environment:\n((?: {6}.*\n)+)/m.exec(compose) ?? []
  const lines = [...block.matchAll(/^ {6}([A-Z_]+): (.*)$/gm)].map(([, name = '', value = '']) => [
    name,
    value,
  ])
  const example = {
    PUBLIC_URL: 'https://lantern.example',
    SECRET: 'abcdefghijklmnopqrstuvwxyz012345',
    DEMO: 'off',
  }
  const given = lines.map(([name = '', value = '']) => [
    name,
    value.replace(/^\$\{.*/, '').replace(/\$\{.*?\}/, 'word'),
  ])
  const settings = parseSettings({ ...Object.fromEntries(given), ...example })
  expect(lines.map(([name]) => name)).toEqual(
    expect.arrayContaining([...Object.keys(example), 'DATABASE_URL']),
  )
  expect(settings.unknown).toEqual([])
  const [, nginx = ''] = /\n {2}nginx:(?:.*\n)+? +lantern: \{ ipv4_address: (\S+)/.exec(compose) ?? []
  expect(settings.trustedProxies.check(nginx)).toBe(true)
})

test('systemd gives Lantern the time that a stop takes at most, and no rights', async () => {
  const unit = await read('lantern.service')
  const seconds = Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])
  const [, drain] = /DRAIN_MS = (\d+)_000/.exec(await readFile('src/main.ts', 'utf8')) ?? []
  const [, close] =
    /CLOSE_TIMEOUT_MS = (\d+)_000/.exec(await readFile('src/start/run-until-stopped.ts', 'utf8')) ?? []
  expect(seconds).toBeGreaterThan(Number(drain) + Number(close))
  expect(await read('compose.yaml')).toContain(`stop_grace_period: ${seconds}s`)
  expect(unit).toMatch(/^KillMode=mixed$/m)
  expect(unit).toMatch(/^CapabilityBoundingSet=$/m)
  expect(unit).toMatch(/^User=(?!root)\w+$/m)
})

test('no proxy logs the address of a feed, or of a link that stops messages', async () => {
  const conf = await read('nginx.conf')
  // Of both servers: http leads to https, and would write down what it led there.
  const feeds = [...conf.matchAll(/location ~ \^\/\(\?:\(\?:bff\/\)\?feeds\|unsubscribe\)\/ \{([^}]*)\}/g)]
  expect(feeds).toHaveLength(2)
  for (const [, block] of feeds) {
    expect(block).toContain('access_log off;')
    expect(block).toContain('error_log /dev/null;')
  }
  // What nginx refuses before it has chosen a location, such as plain http at the port of https.
  expect(conf).toMatch(
    /^map \$request \$lantern_is_logged \{\n {2}~\(\?:feeds\|unsubscribe\)\/ 0;\n {2}default 1;\n\}$/m,
  )
  expect(conf.match(/^ {2}access_log \S+ combined if=\$lantern_is_logged;$/gm)).toHaveLength(2)
  expect(await read('Caddyfile')).toMatch(
    /request>uri regexp \(\(\?:feeds\|unsubscribe\)\/\)\[\^\?\]\* \$\{1\}…/,
  )
})

test('both proxies give a process equal time to answer, and more for the same requests', async () => {
  const [conf, caddy] = [await read('nginx.conf'), await read('Caddyfile')]
  const timesOf = (text: string, name: RegExp) => [...text.matchAll(name)].map(([, time]) => time)
  expect(timesOf(caddy, /^\t*response_header_timeout (\S+)$/gm)).toEqual(['15s', '2500ms'])
  // The third is of the stream of events, which Caddy does not limit.
  expect(timesOf(conf, /^ *proxy_read_timeout (\S+);$/gm)).toEqual(['2500ms', '15s', '60s'])
  expect(timesOf(conf, /^ *proxy_connect_timeout (\S+);$/gm)).toEqual(['1s'])
  expect(timesOf(caddy, /^\t*dial_timeout (\S+)$/gm)).toEqual(['1s', '1s'])
  const [, waiting] = /location ~ (\S+sign-in\S+) \{/.exec(conf) ?? []
  expect(waiting).toBeTruthy()
  expect(caddy).toContain(`@waiting path_regexp ${waiting}\n`)
})

test.each(['test.yml', 'release.yml'])(
  '%s runs the actions that were reviewed, by their commits',
  async (name) => {
    const workflow = await readFile(`.github/workflows/${name}`, 'utf8')
    const used = [...workflow.matchAll(/uses: (.*)$/gm)].map(([, action]) => action)
    expect(used.length).toBeGreaterThan(1)
    for (const action of used) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
  },
)
