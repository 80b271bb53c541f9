import { expect, test } from 'vitest'
import { UpstreamError } from '#bff/upstream/client/upstream-error.ts'
import { DAY_MS, HOUR_MS } from '#contract/duration.ts'
import {
  ago,
  cursorAt,
  FILLED_FROM,
  follow,
  look,
  makeComplete,
  makeFacts,
  makeFilling,
  NOW,
  older,
  pageOf,
} from '#test/support/store/sync-facts.ts'
import { afterFailure } from './after-failure.ts'
import { NO_BACKOFF, troubleOf } from './backoff.ts'
import { chooseStep } from './choose-step.ts'
import type { Cursor } from './crawl-cursor.ts'
import { beginReading, UNKNOWN_LIST } from './reading.ts'

const REFUSED = new UpstreamError({ set: 'v1', kind: 'rejected', reason: 'a test' })
const times = { oldest: Date.parse(ago(DAY_MS)), newest: Date.parse(ago(HOUR_MS)) }
const UNORDERED = { ...beginReading(NOW, 0), pages: 2, isUnordered: true, ...times }
const BARE: Cursor = { set: 'v1', cursor: 'bare', used: [], since: null }

test.each<[string, Cursor, string | null]>([
  ['its offset', { set: 'earlier', offset: 100, anchors: [], time: null, used: [] }, FILLED_FROM],
  ['its later bound', { set: 'v1', cursor: null, used: [], since: ago(DAY_MS) }, FILLED_FROM],
  ['its cursor, where the list was asked for without a bound', cursorAt('older'), null],
  [
    'its cursor without the bound, where the list goes back and forth',
    { ...BARE, reading: { ...UNORDERED, stepsBack: 1 } },
    FILLED_FROM,
  ],
  [
    'its cursor without the bound, where the list is in order',
    { ...BARE, reading: { ...UNORDERED, isUnordered: false } },
    FILLED_FROM,
  ],
])('a crawl has no other method for a page that was refused by %s', (_, cursor, since) => {
  const step = older(makeFilling({ since, fill: { cursor } }))
  expect(afterFailure(step, step, REFUSED, makeFacts())).toMatchObject({
    kind: 'pause',
    isCursorLost: true,
    state: { fill: { cursor: null }, list: { paging: 'refused' } },
  })
})

test('a poll with a next page ends the state of refused pages', () => {
  const list = { ...UNKNOWN_LIST, order: 'newestFirst', paging: 'refused' } as const
  const page = pageOf([0, 2 * HOUR_MS], { next: cursorAt('next') })
  expect(follow(look(makeComplete({ list })), page)).toMatchObject({ state: { list: { paging: 'cursor' } } })
  // While it still fills, the refused page may be one of the fill.
  expect(follow(look(makeFilling({ list })), page)).toMatchObject({ state: { list: { paging: 'refused' } } })
  const short = pageOf([0], { next: cursorAt('next') })
  expect(follow(look(makeComplete({ list })), short)).toMatchObject({
    state: { list: { paging: 'refused' } },
  })
})

test.each([
  ['the time of a look, where it has no bound', { since: null }, ago(11 * 60_000)],
  ['its bound, where a look goes further back than that', { storedTo: ago(60 * DAY_MS) }, FILLED_FROM],
] as const)('a list without order is requested from %s', (_, some, since) => {
  const state = makeComplete({ ...some, list: { ...UNKNOWN_LIST, order: 'none' } })
  expect(chooseStep(state, makeFacts(), false)).toMatchObject({ crawl: 'newer', since })
})

test('reports trouble with new records before trouble with older ones', () => {
  const trouble = (text: string) => ({ failures: 1, pausedUntilMs: 0, trouble: text })
  expect(troubleOf(NO_BACKOFF)).toBeNull()
  expect(troubleOf({ ...NO_BACKOFF, older: trouble('older') })).toBe('older')
  expect(troubleOf({ ...NO_BACKOFF, newer: trouble('newer'), older: trouble('older') })).toBe('newer')
})
