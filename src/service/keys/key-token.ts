import { createHash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** Secret scanners know a leaked key by it. */
const PREFIX = 'ltn_'
/** 43 characters of 62 are 256 bits. */
const RANDOM_LENGTH = 43
const CHECKSUM_LENGTH = 6
const TOKEN = /^ltn_[0-9A-Za-z]{49}$/

/** A new token. It is shown to its owner once; only its hash is kept. */
export function createToken(): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
  return `${PREFIX}${random}${checksumOf(random)}`
}

/** Returns true if a text has the form of a token: typing errors and invented keys cost no look-up. */
export function isToken(text: string): boolean {
  if (!TOKEN.test(text)) return false
  const body = text.slice(PREFIX.length)
  return body.slice(RANDOM_LENGTH) === checksumOf(body.slice(0, RANDOM_LENGTH))
}

export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** CRC-32 in base 62, as GitHub's tokens have it. */
function checksumOf(random: string): string {
  let rest = crc32(random)
  let checksum = ''
  for (let index = 0; index < CHECKSUM_LENGTH; index++) {
    checksum = `${ALPHABET[rest % ALPHABET.length]}${checksum}`
    rest = Math.floor(rest / ALPHABET.length)
  }
  return checksum
}
