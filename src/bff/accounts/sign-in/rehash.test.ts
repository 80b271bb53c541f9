import { argon2Sync } from 'node:crypto'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import type { OpenDatabase } from '#database/open-database.ts'
import { SCRYPT_HASH } from '#test/fixtures/password-hashes.ts'
import { ADMIN, createTestBff } from '#test/support/ask-bff.ts'
import { countWaiting } from '#test/support/hold-sign-ins.ts'
import { takeDatabase } from '#test/support/with-database.ts'
import { createPasswords, isWeakHash } from './password-hash.ts'

const NEW_PASSWORD = 'entirely different words'
const POLLED = { timeout: 30_000 }
const LIMITS = { timeout: 60_000 }

/** Opens a BFF with one admin, whose hash is `hash`. */
async function openWith(hash: string) {
  const database = await takeDatabase('bff')
  const bff = await createTestBff(database)
  await database.query('update account set password_hash = $1', [hash])
  async function readHash(): Promise<string> {
    const { rows } = await database.query('select password_hash as hash from account')
    return z.tuple([z.object({ hash: z.string() })]).parse(rows)[0].hash
  }
  return { ...bff, database, readHash }
}

/** Holds the account until a request waits for it, and then makes `hash` its hash. */
async function replaceMeanwhile(
  database: OpenDatabase,
  { hash, lock }: { hash: string; lock: 'share' | 'update' },
  request: () => Promise<Response>,
): Promise<number> {
  const locker = await database.pool.connect()
  await locker.query(`begin; select from account for ${lock}`)
  const answer = request()
  await expect.poll(() => countWaiting(database), POLLED).toBe(1)
  await locker.query('update account set password_hash = $1', [hash])
  await locker.query('commit')
  locker.release()
  return (await answer).status
}

function makeWeakArgon2Hash(): string {
  const nonce = Buffer.from('a salt of 16 byt')
  const cost = { memory: 64, passes: 2, parallelism: 1, tagLength: 32 }
  const key = argon2Sync('argon2id', { message: ADMIN.password, nonce, ...cost })
  const [salt, tag] = [nonce, key].map((bytes) => bytes.toString('base64').replace(/=+$/, ''))
  return `$argon2id$v=19$m=64,t=2,p=1$${salt}$${tag}`
}

test.each([
  ['of scrypt', SCRYPT_HASH],
  ['of argon2 at less cost', makeWeakArgon2Hash()],
])('a hash %s lets its account in, and is replaced when it has', LIMITS, async (_, weak) => {
  const { signIn, readHash } = await openWith(weak)
  expect((await signIn({ ...ADMIN, password: 'wrong' })).status).toBe(401)
  expect(await readHash()).toBe(weak)

  expect((await signIn()).status).toBe(200)
  const strong = await readHash()
  expect(isWeakHash(strong)).toBe(false)

  expect((await signIn()).status).toBe(200)
  expect(await readHash()).toBe(strong)
  expect((await signIn({ ...ADMIN, password: 'wrong' })).status).toBe(401)
})

test('a sign-in with the right password succeeds though its hash is replaced meanwhile', LIMITS, async () => {
  const { database, signIn, readHash } = await openWith(SCRYPT_HASH)
  const hash = await createPasswords().hash(ADMIN.password)
  expect(await replaceMeanwhile(database, { hash, lock: 'update' }, signIn)).toBe(200)
  expect(await readHash()).toBe(hash)
})

test('sign-ins at once all get in, though the first replaces the hash', LIMITS, async () => {
  const { createBrowser, readHash } = await openWith(SCRYPT_HASH)
  const answers = await Promise.all([1, 2, 3, 4].map(() => createBrowser().signIn()))
  expect(answers.map(({ status }) => status)).toEqual(Array(4).fill(200))
  expect(isWeakHash(await readHash())).toBe(false)
})

test('a password that is changed while its hash is replaced stays changed', LIMITS, async () => {
  const { database, signIn, readHash } = await openWith(SCRYPT_HASH)
  const hash = await createPasswords().hash(NEW_PASSWORD)
  // Sessions can begin, and the account's row cannot be written.
  await replaceMeanwhile(database, { hash, lock: 'share' }, signIn)
  expect(await readHash()).toBe(hash)
})

test(
  'a change of the password is made, though a sign-in replaces the hash that it proved',
  LIMITS,
  async () => {
    const { database, ask, signIn, createBrowser } = await openWith(SCRYPT_HASH)
    await signIn()
    const hash = await createPasswords().hash(ADMIN.password)
    const body = { current: ADMIN.password, password: NEW_PASSWORD }
    const change = () => ask('/bff/profile/password', { method: 'PUT', body })
    expect(await replaceMeanwhile(database, { hash, lock: 'update' }, change)).toBe(204)
    expect((await createBrowser().signIn({ ...ADMIN, password: NEW_PASSWORD })).status).toBe(200)
  },
)
