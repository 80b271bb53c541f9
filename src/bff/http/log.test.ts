import { expect, onTestFinished, test, vi } from 'vitest'
import { createLog } from './log.ts'

function writeOne(write: (log: ReturnType<typeof createLog>) => void): string {
  const lines: string[] = []
  write(
    createLog(
      (line) => lines.push(line),
      () => new Date('2026-01-02T03:04:05Z'),
    ),
  )
  expect(lines).toHaveLength(1)
  return lines[0] ?? ''
}

test('writes one JSON object a line', () => {
  expect(writeOne((log) => log.info('started', { port: 4173 }))).toBe(
    '{"time":"2026-01-02T03:04:05.000Z","level":"info","event":"started","port":4173}',
  )
})

test('nothing in a fact can move a terminal, break the line or turn the text around', () => {
  const hostile = 'a\nb\r\u001b[31m\u007f\u009b31m\u2028\u202e\u200b"'

  const line = writeOne((log) => log.warn('odd', { text: hostile }))

  expect(line).toMatch(/^[\x20-\x7e]+$/)
  expect(JSON.parse(line).text).toBe(hostile)
})

test('logs an error with its causes', () => {
  const error = new Error('outer', { cause: new Error('inner', { cause: 'a word' }) })

  const { error: text } = JSON.parse(writeOne((log) => log.error('failed', error)))

  expect(text).toMatch(/^Error: outer\n\s+at .+\ncaused by Error: inner\n\s+at .+\ncaused by a word$/s)
})

test('logs repeated events up to 20 times a minute, and then their number', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const lines: string[] = []
  const log = createLog((line) => lines.push(line))
  for (let time = 0; time < 500; time += 1) log.error('call-not-counted', new Error('away'))
  log.warn('another', {})
  expect(lines).toHaveLength(21)
  vi.advanceTimersByTime(60_000)
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({
    event: 'repeated',
    of: 'call-not-counted',
    times: 480,
  })
  expect(lines).toHaveLength(22)
  log.error('call-not-counted', new Error('away'))
  expect(lines).toHaveLength(23)
})
