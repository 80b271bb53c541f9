import { expect, test } from 'vitest'
import { createTurns } from './take-turns.ts'

test('lets two run at a time, in order, also after failures', async () => {
  const takeTurns = createTurns(2)
  const started: number[] = []
  const endings = Array.from({ length: 5 }, () => Promise.withResolvers<void>())
  const runs = endings.map(({ promise }, index) =>
    takeTurns(() => {
      started.push(index)
      return promise
    }),
  )
  await Promise.resolve()
  expect(started).toEqual([0, 1])

  endings[1]?.reject(new Error('failed'))
  await expect(runs[1]).rejects.toThrow('failed')
  expect(started).toEqual([0, 1, 2])

  for (const { resolve } of endings) resolve()
  await Promise.allSettled(runs)
  expect(started).toEqual([0, 1, 2, 3, 4])
})
