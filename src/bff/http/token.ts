import { createHash, randomBytes } from 'node:crypto'

/** 256 random bits, 43 characters of base64url. */
export function createToken(): string {
  return randomBytes(32).toString('base64url')
}

/** The database stores this hash of a token. A fast hash is enough: 256 random bits cannot be guessed. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
