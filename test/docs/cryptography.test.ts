import { glob, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

/** What is cryptography, or a part of it. A random id alone is none. */
const USES = [
  /import (?!\{ randomUUID \})[^;\n]* from 'node:crypto'/,
  /from '(?:jose|otplib|openid-client)'/,
  /import\('@simplewebauthn/,
  /\bcrypto\.subtle\b/,
]
/** PostgreSQL's own. */
const SQL_USES = [/\bsha256\(/]

const page = await readFile('docs/cryptography.md', 'utf8')
const named = [...page.matchAll(/`(src\/[\w./-]+)`/g)].map(([, path]) => path ?? '').sort()

async function findUses(): Promise<string[]> {
  const found: string[] = []
  for await (const path of glob('src/**/*.{ts,tsx,mjs,sql}')) {
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

test('what weakens it is used for ids alone', async () => {
  const weak: string[] = []
  for await (const path of glob('src/**/*.{ts,tsx,mjs,sql}')) {
    if (/\.test\.tsx?$/.test(path)) continue
    if (/'(?:md5|sha1|sha-1|rc4|des-\w+|aes-\d+-(?:ecb|cbc))'|\bmd5\(/i.test(await readFile(path, 'utf8')))
      weak.push(path)
  }
  expect(weak).toEqual(['src/app/features/export/stix-objects.ts'])
})
