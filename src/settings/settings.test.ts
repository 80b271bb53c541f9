import { expect, test } from 'vitest'
import { parseSettings } from './settings.ts'

test('runs everything on this machine when nothing is set', () => {
  const settings = parseSettings({})
  expect(settings).toMatchObject({
    host: '127.0.0.1',
    port: 4173,
    publicUrl: 'http://localhost:4173',
    isLocalOnly: true,
    upstream: undefined,
    service: { databaseUrl: undefined, address: { host: '127.0.0.1', port: 4174 } },
    hasDemo: true,
  })
})

test('takes an address of its own for one that others reach', () => {
  expect(parseSettings({ PUBLIC_URL: 'https://lantern.example' }).isLocalOnly).toBe(false)
  expect(parseSettings({ PUBLIC_URL: 'http://127.0.0.1:8080' }).isLocalOnly).toBe(true)
})

test('reads an empty setting as one that is not set', () => {
  expect(parseSettings({ PORT: '', UPSTREAM_URL: '' })).toMatchObject({ port: 4173, upstream: undefined })
})

test('uses a vendor instead of the service', () => {
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

test('fetches pictures from no other host than the vendor’s, from those given, or from any public one', () => {
  expect(parseSettings({}).evidenceHosts).toBeUndefined()
  expect(parseSettings({ EVIDENCE_HOSTS: 'CDN.vendor.example, *.evidence.example' }).evidenceHosts).toEqual([
    'cdn.vendor.example',
    '*.evidence.example',
  ])
  expect(parseSettings({ EVIDENCE_HOSTS: '*' }).evidenceHosts).toEqual(['*'])
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
  ...[
    'ftp://hunter2.example:21',
    'http://ada:hunter2@proxy.example/path',
    'http://:hunter2@proxy.example',
    'http://ada:%hunter2@proxy.example',
    'http://proxy.example:hunter2',
  ].flatMap((proxy): [string, Record<string, string>][] => [
    ['HTTPS_PROXY', { HTTPS_PROXY: proxy }],
    ['HTTPS_PROXY', { https_proxy: proxy }],
  ]),
  ['ADMIN_EMAIL', { ADMIN_EMAIL: 'hunter2' }],
  ['ADMIN_PASSWORD', { ADMIN_PASSWORD: 'hunter2' }],
  ['SECRET', { SECRET: 'hunter2' }],
  ['SECRET', { SECRET: 'hunter2'.repeat(6) }],
  ['SECRET', { SECRET: 'a'.repeat(40) }],
  ['SECRET', { SECRET_BEFORE: 'kept by hunter2 with 32 characters or more' }],
  ...['hunter2', 'LOST', 'hunter2'.repeat(6)].map((before): [string, Record<string, string>] => [
    'SECRET_BEFORE',
    { SECRET: 'made anew, with 32 characters or more', SECRET_BEFORE: before },
  ]),
  ['DATABASE_URL', { DATABASE_URL: 'postgres://lantern:hunter2@db.example/lantern' }],
  ['DATABASE_OWNER_URL', { DATABASE_OWNER_URL: 'postgres://lantern:hunter2@db.example/lantern' }],
  ['SERVICE_DATABASE_URL', { SERVICE_DATABASE_URL: 'postgres://lantern:hunter2@192.0.2.7/lantern' }],
  ['UPSTREAM_URL', { UPSTREAM_API_KEY: 'hunter2' }],
  ['UPSTREAM_URL', { UPSTREAM_EARLIER_API_KEY: 'hunter2' }],
  ['NODE_TLS_REJECT_UNAUTHORIZED', { NODE_TLS_REJECT_UNAUTHORIZED: '0' }],
  ['DEMO', { DEMO: 'maybe' }],
  ...[
    'hunter2',
    '*.com',
    'a.example, *',
    'https://cdn.example',
    'cdn.example/a',
    'cdn.example,',
    'a.*.example',
  ].map((hosts): [string, Record<string, string>] => ['EVIDENCE_HOSTS', { EVIDENCE_HOSTS: hosts }]),
  ['SECOND_FACTOR_REQUIRED', { SECOND_FACTOR_REQUIRED: 'admin,hunter2' }],
  ['OIDC_ISSUER', { OIDC_ISSUER: 'http://login.example/hunter2' }],
  ['OIDC_ISSUER', { OIDC_CLIENT_SECRET: 'hunter2' }],
])('refuses a bad %s in one line that does not repeat it', (name, environment) => {
  const read = () => parseSettings(environment)
  expect(read).toThrow(new RegExp(`^${name}.* must be .+$`))
  expect(read).not.toThrow(/hunter2/)
})

test('reads a proxy with its credentials and its exceptions', () => {
  const given = {
    HTTPS_PROXY: 'http://ada:pass%20word@proxy.example:3128/',
    NO_PROXY: 'A.example, .b.example c',
  }
  expect(parseSettings(given).proxy).toEqual({
    origin: 'http://proxy.example:3128',
    authorization: `Basic ${btoa('ada:pass word')}`,
    except: ['a.example', '.b.example', 'c'],
  })
  expect(parseSettings({ ...given, https_proxy: 'other.example:80', no_proxy: '*' }).proxy).toEqual({
    origin: 'http://other.example',
    authorization: null,
    except: ['*'],
  })
  expect(parseSettings({ NO_PROXY: '*' }).proxy).toBeUndefined()
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
    trustsEmail: false,
  })
  expect(parseSettings({}).singleSignOn).toBeUndefined()
})

const SINGLE_SIGN_ON = {
  OIDC_ISSUER: 'https://login.example',
  OIDC_CLIENT_ID: 'lantern',
  OIDC_CLIENT_SECRET: 'hunter2',
}

test('reads who comes in by single sign-on, and as what', () => {
  const { singleSignOn, hasPasswordSignIn } = parseSettings({
    ...SINGLE_SIGN_ON,
    OIDC_ALLOWED_DOMAINS: 'Corp.Example, corp.co.example',
    OIDC_ROLE_CLAIM: 'realm_access.roles',
    OIDC_ROLES: 'lantern=admins=admin, soc = analyst',
    OIDC_TRUST_EMAIL: 'on',
    PASSWORD_SIGN_IN: 'off',
  })
  expect(singleSignOn).toMatchObject({
    allowedDomains: ['corp.example', 'corp.co.example'],
    trustsEmail: true,
    roles: {
      claim: 'realm_access.roles',
      pairs: [
        { value: 'lantern=admins', role: 'admin' },
        { value: 'soc', role: 'analyst' },
      ],
    },
  })
  expect(hasPasswordSignIn).toBe(false)
  expect(parseSettings(SINGLE_SIGN_ON).hasPasswordSignIn).toBe(true)
})

test.each([
  ['OIDC_ALLOWED_DOMAINS', { OIDC_ALLOWED_DOMAINS: '@corp.example' }],
  ['OIDC_ALLOWED_DOMAINS', { OIDC_ALLOWED_DOMAINS: '*.corp.example' }],
  ['OIDC_ALLOWED_DOMAINS', { OIDC_ALLOWED_DOMAINS: 'corp.example,' }],
  ['OIDC_ROLES', { OIDC_ROLE_CLAIM: 'groups', OIDC_ROLES: 'soc=owner' }],
  ['OIDC_ROLES', { OIDC_ROLE_CLAIM: 'groups', OIDC_ROLES: '=admin' }],
  ['OIDC_ROLES', { OIDC_ROLE_CLAIM: 'groups', OIDC_ROLES: 'cn=soc,ou=groups=analyst' }],
  ['OIDC_ROLE_CLAIM and OIDC_ROLES must be set together', { OIDC_ROLES: 'soc=analyst' }],
  ['OIDC_ROLE_CLAIM and OIDC_ROLES must be set together', { OIDC_ROLE_CLAIM: 'groups' }],
  ['OIDC_TRUST_EMAIL', { OIDC_TRUST_EMAIL: 'yes' }],
  ['PASSWORD_SIGN_IN', { PASSWORD_SIGN_IN: 'no' }],
])('refuses an invalid %s of a provider', (name, environment) => {
  expect(() => parseSettings({ ...SINGLE_SIGN_ON, ...environment })).toThrow(name)
})

test.each([
  ['PASSWORD_SIGN_IN must be on', { PASSWORD_SIGN_IN: 'off' }],
  ['must be unset where OIDC_ISSUER is', { OIDC_ALLOWED_DOMAINS: 'corp.example' }],
  ['must be unset where OIDC_ISSUER is', { OIDC_TRUST_EMAIL: 'on' }],
])('without a provider says that %s', (words, environment) => {
  expect(() => parseSettings(environment)).toThrow(words)
})

test('names the roles that need a second factor, and those alone', () => {
  expect(parseSettings({ SECOND_FACTOR_REQUIRED: 'admin, analyst' }).factorRoles).toEqual([
    'admin',
    'analyst',
  ])
  expect(parseSettings({}).factorRoles).toEqual([])
  expect(parseSettings({ SECOND_FACTOR_REQUIRE: 'admin' }).unknown).toEqual(['SECOND_FACTOR_REQUIRE'])
})

test.each([
  'postgres://lantern:a@127.0.0.1/lantern',
  'postgres://lantern:a@localhost:5433/lantern',
  'postgres:///lantern?host=/var/run/postgresql',
  'postgres://lantern:a@db.example/lantern?sslmode=verify-full',
  'postgres://lantern:a@db.example/lantern?sslmode=disable',
])('takes a database on this machine, or one with its sslmode: %s', (url) => {
  expect(parseSettings({ DATABASE_URL: url }).databaseUrl).toBe(url)
})

test('names variables that look like settings but are not', () => {
  const environment = { UPSTREAM_KEY: 'a', OIDC_CLIENT: 'b', UPSTREAM_TOKEN: '', PATH: '/bin', PORT: '4173' }
  expect(parseSettings(environment).unknown).toEqual(['OIDC_CLIENT', 'UPSTREAM_KEY'])
})

test.each(['ACCESS_LOG', 'BACKUP_PASSPHRASE_FILE', 'EXPORT_TLP', 'NODE_NAME'])(
  'names %s, which earlier versions had',
  (name) => {
    expect(parseSettings({ [name]: 'on' }).unknown).toEqual([name])
  },
)

test('keeps the audit record and the triage history forever, unless a setting limits them', () => {
  expect(parseSettings({}).retention).toEqual({})
  const environment = { AUDIT_RETENTION_DAYS: '400', TRIAGE_HISTORY_RETENTION_DAYS: '90' }
  expect(parseSettings(environment).retention).toEqual({ auditDays: 400, triageHistoryDays: 90 })
  for (const days of ['0', '-1', '1.5', '1e3', 'ten'])
    expect(() => parseSettings({ AUDIT_RETENTION_DAYS: days })).toThrow(
      'AUDIT_RETENTION_DAYS must be whole days, 1 or more',
    )
  expect(parseSettings({ TRIAGE_RETENTION_DAYS: '9' }).unknown).toEqual(['TRIAGE_RETENTION_DAYS'])
})
