import { expect, test } from 'vitest'
import { createTurns } from './take-turns.ts'

test('lets two run at a time, in order, also after failures', async () => {
  const turns = createTurns(2)
  const started: number[] = []
  const endings = Array.from({ length: 5 }, () => Promise.withResolvers<void>())
  const runs = endings.map(({ promise }, index) =>
    turns.run(() => {
      started.push(index)
      return promise
    }),
  )
  await Promise.resolve()
  expect(started).toEqual([0, 1])
  expect(turns.waitingCount()).toBe(3)

  endings[1]?.reject(new Error('failed'))
  await expect(runs[1]).rejects.toThrow('failed')
  expect(started).toEqual([0, 1, 2])

  for (const { resolve } of endings) resolve()
  await Promise.allSettled(runs)
  expect(started).toEqual([0, 1, 2, 3, 4])
})

test('ends a wait after the maximum time, and gives no turn twice', async () => {
  const turns = createTurns(1, 20)
  const first = Promise.withResolvers<string>()
  const running = turns.run(() => first.promise)

  await expect(turns.run(async () => 'never')).rejects.toThrow('waited too long for a turn: 20 ms')

  expect(turns.waitingCount()).toBe(0)
  first.resolve('done')
  await expect(running).resolves.toBe('done')
  await expect(turns.run(async () => 'next')).resolves.toBe('next')
})
