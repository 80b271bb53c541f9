import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { SCRYPT_HASH } from '#test/fixtures/password-hashes.ts'
import { createDecoyHash, createPasswords, isWeakHash } from './password-hash.ts'

const PASSWORD = 'correct horse battery staple'
/** The sign-in library of 0.1.0 hashed "ﬁne Grüße ½ correct", with a ligature and a vulgar fraction. */
const SCRYPT_HASH_OF_LIGATURES =
  'e90003be48f398401d4822838c6c9aa7:dab17fdc87dd535a3b3b3d09e1adfe14c143c2413e46b11167650f7916e0c5ee4923535e73879c06c196059cc0d238d8084e8894f52566b040b43c173ac33594'
/** The example of Argon2's own implementation (github.com/P-H-C/phc-winner-argon2), of "password". */
const REFERENCE_HASH =
  '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'

const { hash, verify } = createPasswords()

test("stores a password as argon2id with OWASP's minimum cost and a random salt", async () => {
  const [one, other] = await Promise.all([hash(PASSWORD), hash(PASSWORD)])
  const phc = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z\d+/]{22}\$[A-Za-z\d+/]{43}$/
  expect(one).toMatch(phc)
  expect(other).toMatch(phc)
  expect(one.split('$').slice(4)).not.toContain(other.split('$')[4])
  expect(isWeakHash(one)).toBe(false)
  expect(await verify(PASSWORD, one)).toBe(true)
  expect(await verify(`${PASSWORD} `, one)).toBe(false)
})

test.each([
  ['the reference implementation of argon2', REFERENCE_HASH, 'password', false],
  ['the sign-in library of 0.1.0', SCRYPT_HASH, PASSWORD, true],
  [
    'that library, of characters that are spelt in several ways',
    SCRYPT_HASH_OF_LIGATURES,
    'fine Gru\u0308ße 1⁄2 correct',
    true,
  ],
])('a hash of %s verifies its password, and no other', async (_, stored, password, isWeak) => {
  expect(await verify(password, stored)).toBe(true)
  expect(await verify(password.toUpperCase(), stored)).toBe(false)
  expect(isWeakHash(stored)).toBe(isWeak)
})

test('a password is the same however a keyboard spells its characters', async () => {
  expect(await verify('Gru\u0308ße ﬁne', await hash('Grüße fine'))).toBe(true)
})

test.each([
  ['less memory', 'm=19455,t=2,p=1', 43, true],
  ['fewer passes', 'm=47104,t=1,p=1', 43, true],
  ['a shorter key', 'm=19456,t=2,p=1', 22, true],
  ['more of both', 'm=19457,t=3,p=4', 43, false],
])('recognises whether a hash of %s is weak', (_, cost, keyLength, isWeak) => {
  expect(isWeakHash(`$argon2id$v=19$${cost}$${'A'.repeat(22)}$${'A'.repeat(keyLength)}`)).toBe(isWeak)
})

test.each([
  ['nothing', ''],
  ['another variant', REFERENCE_HASH.replace('argon2id', 'argon2i')],
  ['another version', REFERENCE_HASH.replace('v=19', 'v=16')],
  ['parameters in another order', REFERENCE_HASH.replace('m=65536,t=2', 't=2,m=65536')],
  ['more memory than any machine should give', REFERENCE_HASH.replace('m=65536', 'm=1048576')],
  ['no pass', REFERENCE_HASH.replace('t=2', 't=0')],
  ['padding', `${REFERENCE_HASH}=`],
  ['bits that no encoder sets', REFERENCE_HASH.replace(/c$/, 'd')],
  ['no key', REFERENCE_HASH.replace(/[^$]+$/, '')],
  ['an end of line', `${REFERENCE_HASH}\n`],
  ['half a scrypt hash', SCRYPT_HASH.slice(0, 80)],
  ['a scrypt hash in capitals', SCRYPT_HASH.toUpperCase()],
])('a stored hash with %s is refused, not guessed at', async (_, stored) => {
  await expect(verify(PASSWORD, stored)).rejects.toThrow('form that is not known')
})

test('the decoy looks like any hash, and nothing fits it', async () => {
  const decoy = createDecoyHash()
  expect(decoy.length).toBe((await hash(PASSWORD)).length)
  expect(isWeakHash(decoy)).toBe(false)
  expect(await verify(PASSWORD, decoy)).toBe(false)
})

test('many passwords at once leave threads to whatever else needs one', async () => {
  let hashedCount = 0
  const count = 16
  const hashes = Array.from({ length: count }, () => hash(PASSWORD).then(() => (hashedCount += 1)))
  await readFile(import.meta.filename)
  expect(hashedCount).toBeLessThan(count / 2)
  await Promise.all(hashes)
})
