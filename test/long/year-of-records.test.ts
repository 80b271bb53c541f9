import { expect, test } from 'vitest'
import { DAY_MS } from '#contract/duration.ts'
import { isFilled, readStoredState } from '#test/support/store/read-stored-state.ts'
import { startPast } from '#test/support/store/start-past.ts'

function longestPause(times: readonly number[]): number {
  return Math.max(...times.slice(1).map((at, before) => at - (times[before] ?? at)))
}

test('reads a year of 20,000 records on 1,000 calls a day within a week', { timeout: 900_000 }, async ({
  annotate,
}) => {
  const plan = { perMinute: 10, perDay: 1_000 }
  const { database, limits, seen, daysGone, runUntil } = await startPast({ plan, records: 20_000, days: 365 })
  await runUntil(() => isFilled(database), 8)
  await annotate(JSON.stringify({ days: daysGone(), ...seen, looks: seen.looks.length, ...limits.counted }))
  expect(daysGone()).toBeLessThan(7)
  expect(limits.counted.refusals).toBe(0)
  expect(seen.pastInReserve).toBe(0)
  expect(longestPause(seen.looks)).toBeLessThan(6 * 60_000)
})

test('reads older records on 100 calls a day with calls that people do not need', {
  timeout: 900_000,
}, async ({ annotate }) => {
  const plan = { perMinute: 5, perDay: 100 }
  const { database, limits, seen, daysGone, runUntil } = await startPast({ plan, records: 4_000, days: 400 })
  await runUntil(() => isFilled(database), 30)
  await annotate(JSON.stringify({ days: daysGone(), ...seen, looks: seen.looks.length, ...limits.counted }))
  expect(await isFilled(database)).toBe(true)
  expect(seen.past).toBeGreaterThan(60)
  expect(seen.pastInReserve).toBe(0)
  expect(limits.counted.refusals).toBe(0)
  const { storedFrom, storedTo } = await readStoredState(database)
  expect(Date.parse(storedTo) - Date.parse(storedFrom)).toBeGreaterThan(395 * DAY_MS)
})
