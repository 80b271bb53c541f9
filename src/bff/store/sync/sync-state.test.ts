import { expect, test } from 'vitest'
import {
  CATCH_UP,
  cursorAt,
  FILLED_FROM,
  makeCatchingUp,
  makeComplete,
  makeFilling,
} from '#test/support/store/sync-facts.ts'
import { takeDatabase, withDatabase } from '#test/support/with-database.ts'
import type { Cursor } from './crawl-cursor.ts'
import { readSyncState, type StoredState, writeSyncState } from './sync-state.ts'

const OFFSET: Cursor = { set: 'earlier', offset: 95, anchors: ['thr_1'], time: FILLED_FROM, used: ['a'] }

test(
  'is empty before anything is stored',
  withDatabase('bff', async (database) => {
    expect(await readSyncState(database)).toEqual({ status: 'empty' })
  }),
)

test.each<[string, StoredState]>([
  ['complete', makeComplete()],
  ['complete without a bound', makeComplete({ since: null })],
  ['catching up', makeCatchingUp()],
  ['filling', makeFilling()],
  ['filling and catching up', makeFilling({ catchUp: CATCH_UP })],
  ['filling from the newest record again', makeFilling({ fill: { cursor: null } })],
  ['filling from the earlier API', makeFilling({ set: 'earlier', fill: { cursor: OFFSET } })],
])('reads back a window that is %s', async (_, state) => {
  const database = await takeDatabase('bff')
  await writeSyncState(database, makeFilling({ catchUp: CATCH_UP }))
  await writeSyncState(database, state)
  expect(await readSyncState(database)).toEqual(state)
})

const both = makeFilling({ catchUp: CATCH_UP })
const restarted = makeFilling({ catchUp: CATCH_UP, fill: { cursor: null } })

test.each<[string, string, StoredState, StoredState]>([
  ['catches up from nobody knows when', 'newer_started_at = null', makeCatchingUp(), makeComplete()],
  ['catches up to nobody knows where', 'newer_until = null', makeCatchingUp(), makeComplete()],
  ['has a crawl that lost its cursor', 'newer_place = null', makeCatchingUp(), makeComplete()],
  ['lost it while it fills', 'newer_place = null', both, makeFilling()],
  ['fills from a cursor that is no JSON', `older_place = 'next'`, both, restarted],
  ['fills from a cursor of another shape', `older_place = '{"set":"v1"}'`, both, restarted],
  ["fills from the other API's cursor", `older_place = '${JSON.stringify(OFFSET)}'`, both, restarted],
  [
    'is complete, with a cursor left',
    `older_place = '${JSON.stringify(cursorAt('left'))}'`,
    makeComplete(),
    makeComplete(),
  ],
  [
    'begins after its end',
    `held_from = held_to + interval '1 day'`,
    makeComplete(),
    makeComplete({ storedFrom: makeComplete().storedTo }),
  ],
])('takes a row that %s for the nearest state', async (_, change, before, after) => {
  const database = await takeDatabase('bff')
  await writeSyncState(database, before)
  await database.query(`update window_reach set ${change}`)
  expect(await readSyncState(database)).toEqual(after)
})
