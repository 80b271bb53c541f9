import { expect, test } from 'vitest'
import { HOUR_MS } from '#contract/duration.ts'
import { personOf, READER, startGoverned, THREATS } from '#test/support/start-governed.ts'
import { withDatabase } from '#test/support/with-database.ts'
import { readUsualHours } from './usual-hours.ts'

const MIDDAY = 12

test(
  'returns the usual calls of people in each hour in which they are active',
  withDatabase('bff', async (database) => {
    const { standIn, clock, list } = await startGoverned(database)
    const usualHours = () => readUsualHours(database, 'v1', clock.nowMs())
    standIn.play(THREATS, { json: { data: [], meta: {} } })
    expect(await usualHours()).toEqual(new Map())

    await list(READER)
    await list(personOf('s-1'))
    expect(await usualHours()).toEqual(new Map())
    clock.wait(24 * HOUR_MS)
    expect(await usualHours()).toEqual(new Map([[MIDDAY, 1]]))
    for (const session of ['s-1', 's-2', 's-3']) await list(personOf(session))

    clock.wait(HOUR_MS)
    const headers = { 'x-ratelimit-limit': '9', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '50000' }
    standIn.play(THREATS, { headers, json: { data: [], meta: {} } })
    await list(personOf('s-1'))
    clock.wait(HOUR_MS)
    await list(personOf('s-1'))
    clock.wait(22 * HOUR_MS)
    expect(await usualHours()).toEqual(
      new Map([
        [MIDDAY, 2],
        [MIDDAY + 1, 0.5],
        [MIDDAY + 2, 0],
      ]),
    )
    expect(await readUsualHours(database, 'earlier', clock.nowMs())).toEqual(new Map())

    clock.wait(6 * 24 * HOUR_MS)
    expect((await usualHours()).get(MIDDAY)).toBe(3)
    clock.wait(24 * HOUR_MS)
    expect(await usualHours()).toEqual(new Map())
  }),
)
