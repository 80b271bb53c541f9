import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { createSeal, openFrames, readBackupFile, sealFrames, writeBackupFile } from './backup-file.ts'

const PASSPHRASE = 'what the tests seal with'
const FRAME_BYTES = 65_536 + 16
const TEXT = 'some text\n'

let folder = ''
let file = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lantern-backup-file-'))
  file = join(folder, 'a.backup')
  onTestFinished(() => rm(folder, { recursive: true }))
})

test('no frame of a sealed file can be left out, moved, repeated or cut off', async () => {
  const seal = await createSeal('a test', PASSPHRASE)
  const plain = randomBytes(200_000)
  const sealed = await collect(sealFrames(streamOf(plain)(), seal))
  expect(await collect(openFrames(streamOf(sealed)(), seal))).toEqual(plain)
  const frames: Buffer[] = []
  for (let at = 0; at < sealed.length; at += FRAME_BYTES) frames.push(sealed.subarray(at, at + FRAME_BYTES))
  const [first, second, third, last, ...more] = frames
  if (!first || !second || !third || !last || more.length > 0) return expect.fail()
  for (const altered of [
    [first, second, last],
    [second, first, third, last],
    [first, first, second, third, last],
    [first, second, third],
    [first],
    [last],
    [],
  ])
    await expect(collect(openFrames(streamOf(Buffer.concat(altered))(), seal))).rejects.toThrow(
      'altered or is cut off',
    )
  const otherLine = { ...seal, line: Buffer.from('another test\n') }
  await expect(collect(openFrames(streamOf(sealed)(), otherLine))).rejects.toThrow('altered or is cut off')
})

test('a failed backup keeps the previous file, and leaves no other file', async () => {
  await writeBackupFile(file, PASSPHRASE, streamOf(TEXT))
  expect(await readText(PASSPHRASE)).toBe(TEXT)
  const before = await readFile(file)
  await expect(
    writeBackupFile(file, PASSPHRASE, async function* () {
      yield TEXT
      throw new Error('the database went away')
    }),
  ).rejects.toThrow('the database went away')
  expect(await readFile(file)).toEqual(before)
  expect(await readdir(folder)).toEqual(['a.backup'])
  await writeBackupFile(file, null, streamOf('anew'))
  expect(await readText(null)).toBe('anew')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
})

function streamOf<T>(chunk: T) {
  return async function* () {
    yield chunk
  }
}

async function collect(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const collected = []
  for await (const chunk of chunks) collected.push(chunk)
  return Buffer.concat(collected)
}

async function readText(passphrase: string | null): Promise<string> {
  let text = ''
  await readBackupFile(file, { passphrase, isUnsealedAllowed: true }, async (chunks) => {
    text = (await collect(chunks)).toString()
  })
  return text
}
