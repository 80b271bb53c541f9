import { argon2, createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { BackupError } from './backup-error.ts'

/**
 * A file is one line in the clear, then frames of AES-256-GCM. Each frame's nonce is its number and whether it is the
 * last (the STREAM construction), and the line is authenticated with each: what is altered, left out, moved or cut off
 * does not open. Each file has a key of its own, by its salt, so that no nonce comes twice.
 */
export type Seal = { key: Buffer; line: Buffer }

const ALGORITHM = 'aes-256-gcm'
const FRAME_BYTES = 65_536
const TAG_BYTES = 16
const KEY_BYTES = 32
const CHECK_BYTES = 16
const SALT_BYTES = 16
/** The cost belongs to format 1: a file does not state it. Argon2id, RFC 9106's second choice. */
const COST = { memory: 65_536, passes: 3, parallelism: 4 } as const

const derive = promisify(argon2)

/** Creates the seal of a new file, which begins with the line. */
export async function createSeal(title: string, passphrase: string): Promise<Seal> {
  const salt = randomBytes(SALT_BYTES)
  const { key, check } = await deriveKey(passphrase, salt)
  return { key, line: Buffer.from(`${title} ${salt.toString('hex')} ${check}\n`) }
}

/** Opens the seal of a file that begins with the line, with its salt and check; null if the passphrase is wrong. */
export async function openSeal(
  line: Buffer,
  { salt, check }: { salt: string; check: string },
  passphrase: string,
): Promise<Seal | null> {
  const derived = await deriveKey(passphrase, Buffer.from(salt, 'hex'))
  return derived.check === check ? { key: derived.key, line } : null
}

/** The check, derived together with the key, distinguishes a wrong passphrase from an altered file. */
async function deriveKey(passphrase: string, salt: Buffer): Promise<{ key: Buffer; check: string }> {
  const bytes = await derive('argon2id', {
    message: passphrase.normalize('NFC'),
    nonce: salt,
    tagLength: KEY_BYTES + CHECK_BYTES,
    ...COST,
  })
  return { key: bytes.subarray(0, KEY_BYTES), check: bytes.subarray(KEY_BYTES).toString('hex') }
}

export async function* sealFrames(plain: AsyncIterable<Buffer>, { key, line }: Seal): AsyncGenerator<Buffer> {
  for await (const { bytes, number, isLast } of splitFrames(plain, FRAME_BYTES)) {
    const cipher = createCipheriv(ALGORITHM, key, nonceOf(number, isLast)).setAAD(line)
    yield Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()])
  }
}

export async function* openFrames(
  sealed: AsyncIterable<Buffer>,
  { key, line }: Seal,
): AsyncGenerator<Buffer> {
  for await (const { bytes, number, isLast } of splitFrames(sealed, FRAME_BYTES + TAG_BYTES)) {
    const decipher = createDecipheriv(ALGORITHM, key, nonceOf(number, isLast), { authTagLength: TAG_BYTES })
    try {
      decipher.setAAD(line).setAuthTag(bytes.subarray(-TAG_BYTES))
      yield Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()])
    } catch {
      throw new BackupError('it was altered or is cut off')
    }
  }
}

type Frame = { bytes: Buffer; number: number; isLast: boolean }

/** All but the last are full; there is always a last one. */
async function* splitFrames(chunks: AsyncIterable<Buffer>, size: number): AsyncGenerator<Frame> {
  let number = 0
  let held = Buffer.alloc(0)
  for await (const chunk of chunks) {
    held = Buffer.concat([held, chunk])
    for (; held.length > size; held = held.subarray(size))
      yield { bytes: held.subarray(0, size), number: number++, isLast: false }
  }
  yield { bytes: held, number, isLast: true }
}

function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUIntBE(number, 5, 6)
  nonce[11] = isLast ? 1 : 0
  return nonce
}
