import { createHash, randomBytes } from 'node:crypto'

/** 256 random bits, 43 characters of base64url. */
export function createToken(): string {
  return randomBytes(32).toString('base64url')
}

/** What the database keeps of a token. A fast hash serves: there is nothing to guess in 256 random bits. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
