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

test('trusts no proxy but those in the networks given', () => {
  const { trustedProxies } = parseSettings({ TRUSTED_PROXIES: '10.1.0.0/16, fd00::/8,192.0.2.7/32' })
  expect(['10.1.2.3', '192.0.2.7'].every((address) => trustedProxies.check(address))).toBe(true)
  expect(trustedProxies.check('fd00::1', 'ipv6')).toBe(true)
  expect(['10.2.0.1', '192.0.2.8', '127.0.0.1'].some((address) => trustedProxies.check(address))).toBe(false)
  expect(parseSettings({ TRUSTED_PROXIES: '' }).trustedProxies.rules).toEqual([])
})

test('fetches pictures from any public host, or only from those given', () => {
  expect(parseSettings({}).evidenceHosts).toBeUndefined()
  expect(parseSettings({ EVIDENCE_HOSTS: 'CDN.vendor.example, *.evidence.example' }).evidenceHosts).toEqual([
    'cdn.vendor.example',
    '*.evidence.example',
  ])
})

test.each([
  ['PORT', { PORT: '70000' }],
  ['PORT', { PORT: '80; rm' }],
  ['SERVICE_PORT', { SERVICE_PORT: '4173' }],
  ['HOST', { HOST: 'a b' }],
  ['PUBLIC_URL', { PUBLIC_URL: 'http://lantern.example' }],
  ['PUBLIC_URL', { PUBLIC_URL: 'https://lantern.example/sub' }],
  ['PUBLIC_URL', { HOST: '0.0.0.0' }],
  ...[
    'hunter2',
    '10.0.0.0',
    '10.0.0.0/33',
    '10.0.0.0/',
    '0.0.0.0/0',
    '::/0',
    'fd00::/129',
    '10.0.0.0/8,',
    '10.0.0.0/8/8',
  ].map((networks): [string, Record<string, string>] => ['TRUSTED_PROXIES', { TRUSTED_PROXIES: networks }]),
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
  ...['hunter2', '*', '*.com', 'https://cdn.example', 'cdn.example/a', 'cdn.example,', 'a.*.example'].map(
    (hosts): [string, Record<string, string>] => ['EVIDENCE_HOSTS', { EVIDENCE_HOSTS: hosts }],
  ),
  ['OIDC_ISSUER', { OIDC_ISSUER: 'http://login.example/hunter2' }],
  ['OIDC_ISSUER', { OIDC_CLIENT_SECRET: 'hunter2' }],
])('refuses a bad %s in one line that does not repeat it', (name, environment) => {
  const read = () => parseSettings(environment)
  expect(read).toThrow(new RegExp(`^${name}.* must be .+$`))
  expect(read).not.toThrow(/hunter2/)
})

test('finds a mapping of fields from where it was started', () => {
  expect(parseSettings({ FIELD_MAPPING: 'mapping.json' }).fieldMapping).toBe(resolve('mapping.json'))
  expect(parseSettings({}).fieldMapping).toBeUndefined()
})

test('takes single sign-on whole, at an address with a path, or not at all', () => {
  const environment = {
    OIDC_ISSUER: 'https://login.example/realms/team',
    OIDC_CLIENT_ID: 'lantern',
    OIDC_CLIENT_SECRET: 'hunter2',
  }
  expect(parseSettings(environment).singleSignOn).toEqual({
    issuer: 'https://login.example/realms/team',
    clientId: 'lantern',
    clientSecret: 'hunter2',
  })
  expect(parseSettings({}).singleSignOn).toBeUndefined()
})
