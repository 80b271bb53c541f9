import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { LINE_MAX_BYTES, readLines } from './read-lines.ts'

async function linesOf(content: string | Buffer, name = 'lines.ndjson') {
  const folder = await mkdtemp(join(tmpdir(), 'lantern-lines-'))
  try {
    await writeFile(join(folder, name), content)
    return await Array.fromAsync(readLines(join(folder, name)))
  } finally {
    await rm(folder, { recursive: true })
  }
}

test('ends a line at a line feed and nowhere else', async () => {
  expect(await linesOf('a\u2028b\u0085c\rd\r\n\nlast')).toEqual([
    { number: 1, text: 'a\u2028b\u0085c\rd\r' },
    { number: 2, text: '' },
    { number: 3, text: 'last' },
  ])
})

test('reads gzip by its content, whatever its name', async () => {
  expect(await linesOf(gzipSync('a\nb\n'), 'lines.txt')).toEqual([
    { number: 1, text: 'a' },
    { number: 2, text: 'b' },
  ])
})

test('returns the lines before the end of a truncated file', async () => {
  const whole = gzipSync(`${'{"a":1}\n'.repeat(1000)}`)
  const lines = await linesOf(whole.subarray(0, -12))
  expect(lines.at(-1)).toMatchObject({ problem: expect.stringContaining('cannot be read') })
})

test('says that a file is not there', async () => {
  expect(await Array.fromAsync(readLines('/nowhere/at-all.ndjson'))).toEqual([
    { number: 1, problem: expect.stringContaining('no such file') },
  ])
})

test('skips a line that is too long or not UTF-8, and continues', async () => {
  const long = Buffer.alloc(LINE_MAX_BYTES + 1, 'x')
  const content = Buffer.concat([
    long,
    Buffer.from('\nfine\n'),
    Buffer.from([0xff, 0x0a]),
    Buffer.from('漢字'),
  ])
  expect(await linesOf(content)).toEqual([
    { number: 1, problem: 'longer than 1,048,576 bytes' },
    { number: 2, text: 'fine' },
    { number: 3, problem: 'not UTF-8' },
    { number: 4, text: '漢字' },
  ])
})
