import { createHash, randomBytes } from 'node:crypto'
import { RECOVERY_CODE_COUNT } from '#contract/bff/factor.ts'

/** Digits and letters that are not taken for each other: 5 bits each. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const LENGTH = 16

/** Codes of 80 random bits, as people write them down: `abcd-efgh-jkmn-pqrs`. */
export function createRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODE_COUNT }, () => {
    const letters = [...randomBytes(LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length])
    return [0, 4, 8, 12].map((at) => letters.slice(at, at + 4).join('')).join('-')
  })
}

/** A fast hash serves: there is nothing to guess in 80 random bits. Case, spaces and hyphens are as people type them. */
export function hashRecoveryCode(accountId: string, code: string): Buffer {
  const letters = code.toLowerCase().replace(/[^0-9a-z]/g, '')
  return createHash('sha256').update(`recovery-code\n${accountId}\n${letters}`).digest()
}
