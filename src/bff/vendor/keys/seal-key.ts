import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { RouteSet } from '#contract/route-set.ts'

const ALGORITHM = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Where a sealed key belongs: moved to another row, it does not open. */
export type KeyScope = { origin: string; set: RouteSet }

export function sealKey(token: string, scope: KeyScope, secret: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(ALGORITHM, sealingKey(secret), nonce).setAAD(nameOf(scope))
  return Buffer.concat([nonce, cipher.update(token, 'utf8'), cipher.final(), cipher.getAuthTag()])
}

/** Null where it was sealed with another secret, for another scope, or has been changed. */
export function openKey(sealed: Buffer, scope: KeyScope, secret: string): string | null {
  const nonce = sealed.subarray(0, NONCE_BYTES)
  const tag = sealed.subarray(-TAG_BYTES)
  try {
    const decipher = createDecipheriv(ALGORITHM, sealingKey(secret), nonce, { authTagLength: TAG_BYTES })
    decipher.setAAD(nameOf(scope)).setAuthTag(tag)
    const text = Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()])
    return text.toString('utf8')
  } catch {
    return null
  }
}

function sealingKey(secret: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', 'lantern vendor key', 32))
}

function nameOf({ origin, set }: KeyScope): Buffer {
  return Buffer.from(JSON.stringify(['api_key', origin, set]))
}
