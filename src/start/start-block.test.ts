import { expect, test } from 'vitest'
import { type StartFacts, startBlock } from './start-block.ts'

const FIRST_START: StartFacts = {
  publicUrl: 'http://localhost:4173',
  signInLink: 'http://localhost:4173/sign-in#link=abc',
  firstAccount: { email: 'admin@lantern.example', password: 'generated', isPasswordGenerated: true },
  dataDir: '/srv/lantern/.lantern',
  databases: { embeddedFolder: '/srv/lantern/.lantern/postgres', embeddedNotice: null },
  rights: { isSuperuser: false, mayMigrate: false },
  isAuditUnpruned: false,
  unknownSettings: [],
  isOtherSecret: false,
  upstream: { url: 'http://127.0.0.1:4174', kind: 'embedded', apiKey: 'ltn_secret' },
}

test('prints all facts of a first start, and no key', () => {
  expect(startBlock(FIRST_START, 2_060)).toBe(`
Lantern
  Open     http://localhost:4173/sign-in#link=abc  (signs you in once, within 10 minutes)
  Account  admin@lantern.example  password generated  (shown this once)
  Data     /srv/lantern/.lantern
  Source   our own service at http://127.0.0.1:4174; no vendor key is set (UPSTREAM_URL, UPSTREAM_API_KEY)
  Ready    in 2.1 s. Ctrl-C stops everything.
`)
})

test('does not repeat a password that was set', () => {
  const firstAccount = { email: 'a@b.example', password: 'hunter2hunter2', isPasswordGenerated: false }
  const block = startBlock({ ...FIRST_START, firstAccount }, 1)
  expect(block).toContain('a@b.example  password as in ADMIN_PASSWORD')
  expect(block).not.toContain('hunter2')
})

test('says nothing of accounts on later starts, and gives the plain address where no link can be', () => {
  const block = startBlock({ ...FIRST_START, firstAccount: null, signInLink: null }, 1)
  expect(block).toContain('Open     http://localhost:4173\n')
  expect(block).not.toContain('Account')
})

test('says where PostgreSQL lies when that is not DATA_DIR', () => {
  const elsewhere = startBlock(
    { ...FIRST_START, databases: { embeddedFolder: '/var/lib/lantern-x', embeddedNotice: null } },
    1,
  )
  expect(elsewhere).toContain('/srv/lantern/.lantern, PostgreSQL in /var/lib/lantern-x')
  const given = startBlock({ ...FIRST_START, databases: { embeddedFolder: null, embeddedNotice: null } }, 1)
  expect(given).toContain('in the PostgreSQL of DATABASE_URL; secrets in /srv/lantern/.lantern')
})

test('names the vendor, and the setting that is missing for requests', () => {
  const vendor = { url: 'https://api.vendor.example', kind: 'vendor' } as const
  expect(startBlock({ ...FIRST_START, upstream: vendor }, 1)).toContain(
    'https://api.vendor.example; no vendor key is set (UPSTREAM_API_KEY)',
  )
  const keyed = startBlock({ ...FIRST_START, upstream: { ...vendor, apiKey: 'secret' } }, 1)
  expect(keyed).toContain('Source   https://api.vendor.example\n')
})

test('says what an operator does where the audit record cannot be pruned from here', () => {
  expect(startBlock({ ...FIRST_START, isAuditUnpruned: true }, 1)).toContain(
    'Audit    AUDIT_RETENTION_DAYS takes the owner, and DATABASE_URL is not: set DATABASE_OWNER_URL, or run `npm run -s audit -- prune`',
  )
})

test('names unknown settings', () => {
  expect(startBlock({ ...FIRST_START, unknownSettings: ['UPSTREAM_KEY'] }, 1)).toContain(
    '  Ignored  UPSTREAM_KEY: no setting has this name; docs/operating/settings.md lists them\n',
  )
})

test('says that a setting of earlier versions is no longer used', () => {
  const unused = 'FIELD_MAPPING is no longer used: fields are found by their usual names'
  const block = (...unknownSettings: string[]) => startBlock({ ...FIRST_START, unknownSettings }, 1)
  expect(block('FIELD_MAPPING')).toContain(`  Ignored  ${unused}\n`)
  expect(block('FIELD_MAPPING', 'UPSTREAM_KEY')).toContain(
    `  Ignored  UPSTREAM_KEY: no setting has this name; docs/operating/settings.md lists them. ${unused}\n`,
  )
})

test('says that the database is served with more rights than that needs', () => {
  const isOwner = { isSuperuser: false, mayMigrate: true }
  expect(startBlock({ ...FIRST_START, rights: isOwner }, 1)).toContain(
    '  Rights   DATABASE_URL may change the schema, which is more than serving needs',
  )
  const isSuperuser = { isSuperuser: true, mayMigrate: true }
  expect(startBlock({ ...FIRST_START, rights: isSuperuser }, 1)).toContain('signs in as a superuser')
  expect(startBlock(FIRST_START, 1)).not.toContain('Rights')
})

test('says in one line that the database knows another SECRET, and what to do', () => {
  const block = startBlock({ ...FIRST_START, isOtherSecret: true }, 1)
  expect(block).toMatch(/^ {2}Secret +SECRET is not the one .*SECRET_BEFORE.*$/m)
})
