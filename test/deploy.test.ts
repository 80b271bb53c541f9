import { readFile } from 'node:fs/promises'
import { parseEnv } from 'node:util'
import { expect, test } from 'vitest'
import { ENDPOINTS } from '#contract/bff/endpoints.ts'
import { parseSettings } from '#settings.ts'

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

test.each(['nginx.conf', 'Caddyfile', 'Containerfile', 'compose.yaml'])(
  '%s asks Lantern at the port where it listens',
  async (name) => {
    const text = await read(name)
    expect(text).toContain(String(port))
    const asked = [...text.matchAll(/(?:127\.0\.0\.1|172\.30\.41\.3):(\d+)/g)].map(([, found]) =>
      Number(found),
    )
    expect(asked.filter((found) => found !== port)).toEqual([])
  },
)

test('the image holds what a release brought, runs as nobody in particular and keeps its data in one volume', async () => {
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
  const [, longest] =
    /CLOSE_TIMEOUT_MS = (\d+)_000/.exec(await readFile('src/start/run-until-stopped.ts', 'utf8')) ?? []
  expect(seconds).toBeGreaterThan(Number(longest))
  expect(unit).toMatch(/^KillMode=mixed$/m)
  expect(unit).toMatch(/^CapabilityBoundingSet=$/m)
  expect(unit).toMatch(/^User=(?!root)\w+$/m)
})
