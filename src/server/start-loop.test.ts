import { expect, onTestFinished, test } from 'vitest'
import { type LoopOptions, startLoop } from './start-loop.ts'

const LONG_MS = 60_000

test('runs at once, after each pause, and after none when it is woken', async () => {
  const { loop, runs } = start(async () => LONG_MS)
  await expect.poll(() => runs.count).toBe(1)
  loop.wake()
  await expect.poll(() => runs.count).toBe(2)

  const other = start(async () => 1)
  await expect.poll(() => other.runs.count).toBeGreaterThan(3)
})

test('a call of wake during a run skips the pause after it', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const { loop, runs } = start(() => promise.then(() => LONG_MS))
  loop.wake()
  resolve()
  await expect.poll(() => runs.count).toBe(2)
})

test('reports the first of several faults, and the first after a run without', async () => {
  const faults: unknown[] = []
  const outcomes = ['a', 'b', null, 'c', 'd']
  const { runs } = start(
    async () => {
      const fault = outcomes.shift()
      if (fault) throw new Error(fault)
      return fault === null ? 1 : LONG_MS
    },
    { afterFaultMs: 1, onFault: (error) => faults.push(String(error)) },
  )
  await expect.poll(() => runs.count).toBe(6)
  expect(faults).toEqual(['Error: a', 'Error: c'])
})

test('stops after the run under way, and reports nothing of its end', async () => {
  const outside = new AbortController()
  const faults: unknown[] = []
  const { loop, runs } = start(
    (signal) =>
      new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted')))),
    { signal: outside.signal, onFault: (error) => faults.push(error) },
  )
  outside.abort()
  await loop.ended
  await loop.stop()
  expect([runs.count, faults]).toEqual([1, []])
})

test('does not run if its signal has aborted before', async () => {
  const { loop, runs } = start(async () => LONG_MS, { signal: AbortSignal.abort() })
  await loop.ended
  expect(runs.count).toBe(0)
})

function start(run: (signal: AbortSignal) => Promise<number>, options: Partial<LoopOptions> = {}) {
  const runs = { count: 0 }
  const counted = (signal: AbortSignal) => {
    runs.count += 1
    return run(signal)
  }
  const loop = startLoop(counted, {
    everyMs: LONG_MS,
    onFault: (error) => expect.unreachable(String(error)),
    ...options,
  })
  onTestFinished(loop.stop)
  return { loop, runs }
}
