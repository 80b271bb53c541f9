import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { parseSettings } from './settings.ts'

test('runs everything on this machine when nothing is set', () => {
  const settings = parseSettings({})
  expect(settings).toMatchObject({
    host: '127.0.0.1',
    port: 4173,
    publicUrl: 'http://localhost:4173',
    upstream: undefined,
    service: { databaseUrl: undefined, address: { host: '127.0.0.1', port: 4174 } },
    hasDemo: true,
  })
})

test('reads an empty setting as one that is not set', () => {
  expect(parseSettings({ PORT: '', UPSTREAM_URL: '' })).toMatchObject({ port: 4173, upstream: undefined })
})

test('takes a vendor in the place of the service', () => {
  const settings = parseSettings({ UPSTREAM_URL: 'https://api.vendor.example/', UPSTREAM_API_KEY: 'key-1' })
  expect(settings.upstream).toEqual({
    url: 'https://api.vendor.example',
    apiKey: 'key-1',
    earlierApiKey: undefined,
  })
})

test('lets a vendor be played on this machine over http', () => {
  expect(parseSettings({ UPSTREAM_URL: 'http://127.0.0.1:9000' }).upstream?.url).toBe('http://127.0.0.1:9000')
})

test.each([
  ['PORT', { PORT: '70000' }],
  ['PORT', { PORT: '80; rm' }],
  ['SERVICE_PORT', { SERVICE_PORT: '4173' }],
  ['HOST', { HOST: 'a b' }],
  ['PUBLIC_URL', { PUBLIC_URL: 'http://lantern.example' }],
  ['PUBLIC_URL', { PUBLIC_URL: 'https://lantern.example/sub' }],
  ['PUBLIC_URL', { HOST: '0.0.0.0' }],
  ['UPSTREAM_URL', { UPSTREAM_URL: 'http://api.vendor.example' }],
  ['UPSTREAM_URL', { UPSTREAM_URL: 'https://api.vendor.example/api' }],
  ['UPSTREAM_URL', { UPSTREAM_URL: 'https://user:hunter2@api.vendor.example' }],
  ['UPSTREAM_URL', { UPSTREAM_URL: 'https://localhost.evil.example?x' }],
  ['UPSTREAM_API_KEY', { UPSTREAM_API_KEY: 'hunter2\r\nx-evil: 1' }],
  ['DATABASE_URL', { DATABASE_URL: 'mysql://root:hunter2@db/lantern' }],
  ['ADMIN_EMAIL', { ADMIN_EMAIL: 'hunter2' }],
  ['ADMIN_PASSWORD', { ADMIN_PASSWORD: 'hunter2' }],
  ['SECRET', { SECRET: 'hunter2' }],
  ['DEMO', { DEMO: 'maybe' }],
])('refuses a bad %s in one line that does not repeat it', (name, environment) => {
  const read = () => parseSettings(environment)
  expect(read).toThrow(new RegExp(`^${name}.* must be .+$`))
  expect(read).not.toThrow(/hunter2/)
})

test('finds a mapping of fields from where it was started', () => {
  expect(parseSettings({ FIELD_MAPPING: 'mapping.json' }).fieldMapping).toBe(resolve('mapping.json'))
  expect(parseSettings({}).fieldMapping).toBeUndefined()
})
