import { argon2, createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { createReadStream, rmSync } from 'node:fs'
import { open, rename, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { createGunzip, createGzip } from 'node:zlib'
import { BackupError } from './backup-error.ts'

/** The format of a file: text, gzipped, and sealed if there is a passphrase. */
const FORMAT = 1
const NAME = 'lantern-backup'
const FIRST_LINE = /^lantern-backup (?<format>\d{1,9})(?: (?<rest>[^\n]*))?\n/
const SEALED = /^sealed (?<salt>[\da-f]{32}) (?<check>[\da-f]{32})$/
const FIRST_LINE_MAX_BYTES = 128
/** Reading or writing an open file fails with these codes, and the error names no file. */
const OPEN_FILE_CODES = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO', 'EISDIR'])
const BROKEN = 'it was altered or is cut off'

/**
 * Writes a file that is whole or not there: under another name in the same folder, flushed, then renamed. Only a backup
 * is replaced by it. Answers its size in bytes.
 */
export async function writeBackupFile(
  file: string,
  passphrase: string | null,
  text: () => AsyncIterable<string>,
): Promise<number> {
  await refuseOther(file)
  const draft = join(dirname(file), `.${basename(file)}.${process.pid}.part`)
  const remove = () => rmSync(draft, { force: true })
  process.once('exit', remove)
  try {
    const seal = passphrase === null ? null : await createSeal(`${NAME} ${FORMAT} sealed`, passphrase)
    // Opened before anything can fail: a stream that opens it by itself may do so after it was removed.
    const to = (await open(draft, 'wx', 0o600)).createWriteStream({ flush: true })
    to.write(seal?.line ?? `${NAME} ${FORMAT} open\n`)
    const gzip = createGzip({ level: 5 })
    if (seal) await pipeline(text, gzip, (plain) => sealFrames(plain, seal), to)
    else await pipeline(text, gzip, to)
    const { size } = await stat(draft)
    await rename(draft, file)
    await flushFolder(dirname(file))
    return size
  } catch (error) {
    remove()
    if (isOfSystem(error)) throw new BackupError(`${file} cannot be written: ${error.message}`)
    throw error
  } finally {
    process.off('exit', remove)
  }
}

/** A sealed file is written by someone who knows the passphrase. Anyone may have written one that is not sealed. */
export type BackupAccess = { passphrase: string | null; isUnsealedAllowed: boolean }

/**
 * Reads the text of a file, in pieces, and returns whether the file is sealed. Throws a BackupError that says in one line
 * what is wrong with it.
 */
export async function readBackupFile(
  file: string,
  access: BackupAccess,
  consume: (text: AsyncIterable<Buffer>) => Promise<void>,
): Promise<{ isSealed: boolean }> {
  const { seal, start } = await readFirstLine(file, access)
  const from = createReadStream(file, { start })
  try {
    if (seal) await pipeline(from, (sealed) => openFrames(sealed, seal), createGunzip(), consume)
    else await pipeline(from, createGunzip(), consume)
    return { isSealed: seal !== null }
  } catch (error) {
    if (error instanceof BackupError)
      throw error.message === BROKEN ? new BackupError(`${file}: ${BROKEN}`) : error
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('Z_'))
      throw new BackupError(`${file}: ${BROKEN}`)
    throw error
  }
}

async function readFirstLine(
  file: string,
  { passphrase, isUnsealedAllowed }: BackupAccess,
): Promise<{ seal: Seal | null; start: number }> {
  const text = await readBeginning(file)
  const [line, groups] = matchFirstLine(text) ?? []
  if (!line || !groups) throw new BackupError(`${file} is no backup of Lantern’s`)
  const { format, rest = '' } = groups
  if (Number(format) > FORMAT)
    throw new BackupError(`${file} was made by a newer Lantern (format ${format}): restore it with that one`)
  if (Number(format) !== FORMAT) throw new BackupError(`${file}: ${BROKEN}`)
  if (rest === 'open') {
    if (!isUnsealedAllowed)
      throw new BackupError(
        `${file} is not sealed: anyone who can write to it could have added an admin account. If you trust it, add --unsealed`,
      )
    return { seal: null, start: line.length }
  }
  const { salt, check } = SEALED.exec(rest)?.groups ?? {}
  if (!salt || !check) throw new BackupError(`${file}: ${BROKEN}`)
  if (passphrase === null) throw new BackupError(`${file} is sealed: set BACKUP_PASSPHRASE to its passphrase`)
  const seal = await openSeal(Buffer.from(line), { salt, check }, passphrase)
  if (!seal)
    throw new BackupError(
      `${file} was sealed with another passphrase than BACKUP_PASSPHRASE, or its first line was altered`,
    )
  return { seal, start: line.length }
}

function matchFirstLine(text: string) {
  const match = FIRST_LINE.exec(text)
  return match ? ([match[0], match.groups] as const) : null
}

async function readBeginning(file: string): Promise<string> {
  try {
    await using handle = await open(file, 'r')
    const { buffer, bytesRead } = await handle.read(
      Buffer.alloc(FIRST_LINE_MAX_BYTES),
      0,
      FIRST_LINE_MAX_BYTES,
      0,
    )
    return buffer.subarray(0, bytesRead).toString('latin1')
  } catch (error) {
    if (isOfSystem(error)) throw new BackupError(`${file} cannot be read: ${error.message}`)
    throw error
  }
}

/** A slip of the hand must not cost another file. */
async function refuseOther(file: string): Promise<void> {
  const stats = await stat(file).catch(() => null)
  if (stats && (!stats.isFile() || matchFirstLine(await readBeginning(file)) === null))
    throw new BackupError(`${file} is there and is no backup of Lantern’s: name another file`)
}

/** The folder is flushed so that the new name survives a loss of power too. */
async function flushFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  await using handle = await open(folder, 'r')
  await handle.sync()
}

function isOfSystem(error: unknown): error is NodeJS.ErrnoException {
  return (
    error instanceof Error && 'code' in error && ('path' in error || OPEN_FILE_CODES.has(String(error.code)))
  )
}

/**
 * A file is one line in the clear, then frames of AES-256-GCM. Each frame's nonce is its number and whether it is the
 * last (the STREAM construction), and the line is authenticated with each: what is altered, left out, moved or cut off
 * does not open. Each file has a key of its own, by its salt, so that no nonce comes twice.
 */
type Seal = { key: Buffer; line: Buffer }

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
async function openSeal(
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
