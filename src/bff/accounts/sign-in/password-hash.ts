import { argon2, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { createTurns } from '#server/take-turns.ts'

export type Passwords = {
  hash(password: string): Promise<string>
  /** Fails where the hash is of no form that is known here. */
  verify(password: string, hash: string): Promise<boolean>
}

type Argon2Cost = { memory: number; passes: number; parallelism: number }
type StoredHash = { key: Buffer; isWeak: boolean; derive(password: string): Promise<Buffer> }

/**
 * The least that OWASP's Password Storage Cheat Sheet asks for, memory in KiB. Of the settings that it names as equally
 * strong this has less memory than 46 MiB in one pass, so that guesses made together cost us less.
 */
const COST: Argon2Cost = { memory: 19_456, passes: 2, parallelism: 1 }
const SALT_BYTES = 16
const KEY_BYTES = 32
/** Hashing leaves the other two threads of Node's pool to files, codings and names, and takes 38 MiB at most. */
const HASHED_AT_ONCE_COUNT = 2

/** https://github.com/P-H-C/phc-string-format; the lengths and the cost are bounded, as they come from outside. */
const PHC =
  /^\$argon2id\$v=19\$m=([1-9]\d{0,5}),t=([1-9]\d?),p=([1-9]\d?)\$([A-Za-z\d+/]{11,64})\$([A-Za-z\d+/]{22,86})$/
/** The sign-in library of 0.1.0 (better-auth) made these: the salt is the text itself, not the bytes that it encodes. */
const SCRYPT = /^([\da-f]{32}):([\da-f]{128})$/
const SCRYPT_COST = { N: 16_384, r: 16, p: 1, maxmem: 64 * 1024 * 1024 }

const deriveArgon2 = promisify(argon2)
const deriveScrypt = promisify<string, string, number, typeof SCRYPT_COST, Buffer>(scrypt)

/** Passwords are hashed in other threads, a few at a time: the rest wait their turn. */
export function createPasswords(): Passwords {
  const turns = createTurns(HASHED_AT_ONCE_COUNT)
  return {
    hash: (password) => turns.run(() => hashPassword(password)),
    async verify(password, hash) {
      const { key, derive } = parseHash(hash)
      return turns.run(async () => timingSafeEqual(key, await derive(password)))
    },
  }
}

/** A hash that costs as much to verify as any other, and that no password has. */
export function createDecoyHash(): string {
  return toPhc(randomBytes(SALT_BYTES), randomBytes(KEY_BYTES))
}

/** Returns true if a hash is easier to guess than those that are made now. */
export function isWeakHash(hash: string): boolean {
  return parseHash(hash).isWeak
}

async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  return toPhc(salt, await deriveArgon2('argon2id', argon2Of(password, salt, KEY_BYTES, COST)))
}

function parseHash(hash: string): StoredHash {
  const stored = parsePhc(hash) ?? parseScrypt(hash)
  if (!stored) throw new Error('A stored password hash has a form that is not known here.')
  return stored
}

function parsePhc(text: string): StoredHash | null {
  const [, memory, passes, parallelism, saltText = '', keyText = ''] = PHC.exec(text) ?? []
  const [salt, key] = [Buffer.from(saltText, 'base64'), Buffer.from(keyText, 'base64')]
  if (key.length === 0 || toBase64(salt) !== saltText || toBase64(key) !== keyText) return null
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
  return {
    key,
    isWeak: cost.memory < COST.memory || cost.passes < COST.passes || key.length < KEY_BYTES,
    derive: (password) => deriveArgon2('argon2id', argon2Of(password, salt, key.length, cost)),
  }
}

function parseScrypt(text: string): StoredHash | null {
  const [, salt = '', keyText = ''] = SCRYPT.exec(text) ?? []
  const key = Buffer.from(keyText, 'hex')
  if (key.length === 0) return null
  return {
    key,
    isWeak: true,
    derive: (password) => deriveScrypt(normalize(password), salt, key.length, SCRYPT_COST),
  }
}

function argon2Of(password: string, nonce: Buffer, tagLength: number, cost: Argon2Cost) {
  return { message: normalize(password), nonce, tagLength, ...cost }
}

/** Keyboards differ in how they spell the same character (NIST SP 800-63B, 5.1.1.2). */
function normalize(password: string): string {
  return password.normalize('NFKC')
}

function toPhc(salt: Buffer, key: Buffer): string {
  const { memory, passes, parallelism } = COST
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${toBase64(salt)}$${toBase64(key)}`
}

/** PHC strings have no padding. */
function toBase64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}
