import { createReadStream, rmSync } from 'node:fs'
import { open, rename, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { BackupError } from './backup-error.ts'
import { createSeal, openFrames, openSeal, type Seal, sealFrames } from './seal-stream.ts'

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
