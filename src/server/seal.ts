import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const ALGORITHM = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** A sealed text is bound to its place: it does not open in another row, or for another purpose. */
export type SealedPlace = {
  /** The key is derived for this purpose. */
  purpose: string
  /** The row: bound to the text as additional authenticated data. */
  row: readonly string[]
}

export function seal(text: string, { purpose, row }: SealedPlace, secret: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(ALGORITHM, sealingKey(secret, purpose), nonce).setAAD(nameOf(row))
  return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
}

/** Null where it was sealed with another secret, for another place, or has been changed. */
export function openSealed(sealed: Buffer, { purpose, row }: SealedPlace, secret: string): string | null {
  const nonce = sealed.subarray(0, NONCE_BYTES)
  const tag = sealed.subarray(-TAG_BYTES)
  try {
    const key = sealingKey(secret, purpose)
    const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES })
    decipher.setAAD(nameOf(row)).setAuthTag(tag)
    const text = Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()])
    return text.toString('utf8')
  } catch {
    return null
  }
}

function sealingKey(secret: string, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', purpose, 32))
}

function nameOf(row: SealedPlace['row']): Buffer {
  return Buffer.from(JSON.stringify(row))
}
