import { expect, test } from 'vitest'
import { withDatabase } from '#test/support/with-database.ts'
import { readKnownTo, readOn, setKnownTo } from './change-reader.ts'

const TIME = '2026-03-10T12:00:00.000Z'

test(
  'a reader that records no time does not hide what the others know',
  withDatabase('bff', async (database) => {
    expect(await readKnownTo(database)).toBeNull()
    await database.transaction(async (tx) => {
      await readOn(tx, 'lists', 10)
      await readOn(tx, 'alerts', 10)
      await setKnownTo(tx, 'alerts', TIME)
    })
    expect(await readKnownTo(database)).toBe(TIME)
  }),
)
