import { expect, test } from 'vitest'
import { untilFirstDays } from './until-first-days.ts'

const DAY_MS = 86_400_000
const fromDays = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString()
const EMPTY = { status: 'empty', from: null } as const

test('a start waits until the 30 days of the first page are read, and no longer', async () => {
  const states = [
    EMPTY,
    { status: 'filling', from: fromDays(10) } as const,
    { status: 'filling', from: fromDays(32) } as const,
    { status: 'complete', from: fromDays(400) } as const,
  ]
  await untilFirstDays(async () => states.shift() ?? EMPTY)
  expect(states).toHaveLength(1)
})

test('a start waits only for a limited time', async () => {
  let reads = 0
  await untilFirstDays(async () => {
    reads++
    return EMPTY
  }, 250)
  expect(reads).toBe(3)
})
