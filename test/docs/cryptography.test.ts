import { glob, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

/** What is cryptography, or a part of it. A random id alone is none. */
const USES = [
  /^import (?!\{ randomUUID \})[^']* from 'node:crypto'/m,
  /import\('node:crypto'\)|\bgetRandomValues\b/,
  /^(?:import|export) [^']* from '(?:jose|otplib|openid-client)'/m,
  /import\('@simplewebauthn|^import (?!type )[^']* from '@simplewebauthn/m,
  /\bcrypto\.subtle\b/,
]
/** PostgreSQL's own. */
const SQL_USES = [/\b(?:sha(?:224|256|384|512)|digest|hmac|crypt|gen_random_bytes|pgp_\w+)\(/]

const SOURCES = ['src/**/*.{ts,tsx,mjs,sql}', 'public/*.js']

const page = await readFile('docs/operating/cryptography.md', 'utf8')
const named = [...page.matchAll(/`(src\/[\w./-]+)`/g)].map(([, path]) => path ?? '').sort()

async function findUses(): Promise<string[]> {
  const found: string[] = []
  for await (const path of glob(SOURCES)) {
    if (/\.test\.tsx?$/.test(path)) continue
    const text = await readFile(path, 'utf8')
    const uses = path.endsWith('.sql') ? SQL_USES : USES
    if (uses.some((use) => use.test(text))) found.push(path)
  }
  return found.sort()
}

test('the inventory names each file that uses cryptography, once, and no other', async () => {
  expect(named).toEqual(await findUses())
})

test('finds each way of using cryptography, and leaves out a random id', () => {
  const isUse = (text: string) => USES.some((use) => use.test(text))
  for (const text of [
    `import { createHash } from 'node:crypto'`,
    `import {\n  createHmac,\n  randomUUID,\n} from 'node:crypto'`,
    `const { scrypt } = await import('node:crypto')`,
    'crypto.subtle.digest(name, bytes)',
    `import { jwtVerify } from 'jose'`,
    `import { verifyRegistrationResponse } from '@simplewebauthn/server'`,
  ])
    expect(isUse(text), text).toBe(true)
  expect(isUse(`import { randomUUID } from 'node:crypto'`)).toBe(false)
  expect(isUse(`import type { StartAuthenticationOpts } from '@simplewebauthn/browser'`)).toBe(false)
  expect(SQL_USES.some((use) => use.test(`select hmac(a, b, 'sha256')`))).toBe(true)
})

test('weak algorithms are used only for ids', async () => {
  const weak: string[] = []
  for await (const path of glob(SOURCES)) {
    if (/\.test\.tsx?$/.test(path)) continue
    if (/'(?:md5|sha1|sha-1|rc4|des-\w+|aes-\d+-(?:ecb|cbc))'|\bmd5\(/i.test(await readFile(path, 'utf8')))
      weak.push(path)
  }
  expect(weak).toEqual(['src/app/features/export/write-export.ts'])
})
