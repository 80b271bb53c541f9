import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { createGunzip } from 'node:zlib'

/** Longer lines are skipped unread, so that no file can fill the memory. */
export const LINE_MAX_BYTES = 1024 * 1024

const NEWLINE = 0x0a
const GZIP_MAGIC = Buffer.from([0x1f, 0x8b])

export type Line = { number: number; text: string } | { number: number; problem: string }

/**
 * Reads the lines of a UTF-8 file, gzipped or not. Only `\n` ends a line, because JSON text may contain U+2028 and the
 * like. If the file breaks off, the last line is the problem.
 */
export async function* readLines(path: string): AsyncGenerator<Line> {
  let number = 0
  try {
    for await (const line of splitLines(await byteStream(path))) {
      number += 1
      if (line === null) yield { number, problem: `longer than ${LINE_MAX_BYTES.toLocaleString('en')} bytes` }
      else yield decodeLine(number, line)
    }
  } catch (error) {
    yield { number: number + 1, problem: `cannot be read: ${error instanceof Error ? error.message : error}` }
  }
}

async function byteStream(path: string): Promise<AsyncIterable<Buffer>> {
  const file = await open(path)
  const start = await file.read(Buffer.alloc(2), 0, 2, 0).finally(() => file.close())
  const bytes = createReadStream(path)
  if (!start.buffer.equals(GZIP_MAGIC)) return bytes

  const plain = createGunzip()
  bytes.on('error', (error) => plain.destroy(error))
  return bytes.pipe(plain)
}

/** Null stands for a line over the limit. */
async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer | null> {
  let parts: Buffer[] = []
  let length = 0

  for await (const chunk of chunks) {
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      keep(chunk.subarray(start, end))
      yield take()
      start = end + 1
    }
    keep(chunk.subarray(start))
  }
  if (length > 0) yield take()

  function keep(part: Buffer) {
    length += part.length
    if (length > LINE_MAX_BYTES) parts = []
    else parts.push(part)
  }

  function take() {
    const line = length > LINE_MAX_BYTES ? null : Buffer.concat(parts)
    parts = []
    length = 0
    return line
  }
}

function decodeLine(number: number, line: Buffer): Line {
  try {
    return { number, text: new TextDecoder('utf-8', { fatal: true }).decode(line) }
  } catch {
    return { number, problem: 'not UTF-8' }
  }
}
