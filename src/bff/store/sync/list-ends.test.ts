import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '#contract/duration.ts'
import {
  ago,
  beginWith,
  cursorAt,
  FILLED_FROM,
  follow,
  look,
  makeComplete,
  makeFilling,
  NOW,
  older,
  pageOf,
} from '#test/support/store/sync-facts.ts'
import type { Backoffs } from './backoff.ts'
import type { Step } from './choose-step.ts'
import type { CrawlPage } from './crawl.ts'
import { beginReading, type KnownList, UNKNOWN_LIST } from './reading.ts'
import type { FillingState } from './sync-state.ts'

const NEXT = cursorAt('next')
const NONE: KnownList = { ...UNKNOWN_LIST, order: 'none' }
const compared = { total: 9, since: FILLED_FROM, isAfterAll: false }
const ended = (ageMs: number, some: Partial<CrawlPage> = {}) => pageOf([ageMs], { total: 9, ...some })

test.each<[string, Step, CrawlPage, object | null]>([
  ['by a first page that is all of it', beginWith(), ended(DAY_MS), compared],
  ['not by a first page that goes on', beginWith(), ended(DAY_MS, { next: NEXT }), null],
  ['not by a first page that was cut', beginWith(), ended(DAY_MS, { isCut: true }), null],
  ['not where it was asked for without a bound', beginWith(null), ended(DAY_MS), null],
  ['by the end of a fill', older(makeFilling()), ended(29 * DAY_MS), compared],
  ['not before that', older(makeFilling()), ended(11 * DAY_MS, { next: NEXT }), null],
  ['not by a fill that stopped at its bound', older(makeFilling()), ended(31 * DAY_MS, { next: NEXT }), null],
  ['not by a fill that was cut', older(makeFilling()), ended(29 * DAY_MS, { isCut: true }), null],
])('what is stored is compared with the list %s', (_, step, page, expected) => {
  expect(follow(step, page)).toMatchObject({ expected })
})

test('at its end a list has a declared and a read total, and is no longer due', () => {
  const total = { said: 9, read: 1 }
  expect(follow(beginWith(), ended(DAY_MS))).toMatchObject({ state: { list: { total } } })
  expect(follow(beginWith(), ended(DAY_MS, { next: NEXT }))).toMatchObject({
    state: { list: { total: null } },
  })
  const list: KnownList = { ...UNKNOWN_LIST, order: 'newestFirst', isDue: true, total: { said: 3, read: 2 } }
  expect(follow(older(makeFilling({ list })), ended(29 * DAY_MS))).toMatchObject({
    state: { list: { ...list, total, isDue: false } },
  })
  expect(follow(older(makeFilling({ list })), pageOf([29 * DAY_MS]))).toMatchObject({
    state: { list: { total: null, isDue: false } },
  })
  expect(follow(older(makeFilling({ list })), ended(11 * DAY_MS, { next: NEXT }))).toMatchObject({
    state: { list },
  })
})

test('a first page without order claims nothing before the end, and an empty one withholds nothing', () => {
  const page = pageOf([2 * HOUR_MS, 0], { next: NEXT })
  expect(follow(beginWith(), page)).toMatchObject({ state: { storedFrom: NOW, list: { order: 'none' } } })
  expect(follow(beginWith(), { ...page, next: null })).toMatchObject({
    state: { storedFrom: ago(2 * HOUR_MS) },
  })
  expect(follow(beginWith(), pageOf([]))).toMatchObject({ state: { isRedacted: false } })
})

test.each<[string, KnownList['order'], string, boolean, string]>([
  ['to when its reading began', 'none', ago(30_000), true, ago(30_000)],
  ['no less than before, where that began earlier', 'none', ago(DAY_MS), true, ago(60_000)],
  ['no further before its end', 'none', ago(30_000), false, ago(60_000)],
  ['no further where it is newest first', 'newestFirst', ago(30_000), true, ago(60_000)],
])('a list that was filled is stored %s', (_, order, startedAt, isEnd, storedTo) => {
  const cursor = { ...cursorAt('older'), reading: beginReading(startedAt, 0) }
  const step = older(makeFilling({ fill: { cursor }, list: { ...UNKNOWN_LIST, order } }))
  const page = pageOf([11 * DAY_MS], { next: isEnd ? null : NEXT })
  expect(follow(step, page)).toMatchObject({ state: { storedTo } })
})

const rest = { failures: 3, pausedUntilMs: 0, trouble: 'It fails' }
const backoffs: Backoffs = { newer: rest, older: rest, recheck: rest }

test.each<[string, Partial<FillingState>, number, boolean]>([
  ['most of its records are new', { list: NONE }, 2, true],
  ['no more than half of them are', { list: NONE }, 1, false],
  ['it is further back, where there is an order', {}, 0, true],
])('a page of a fill makes progress if %s', (_, some, unstored, hasGained) => {
  const page = pageOf([11 * DAY_MS, 12 * DAY_MS], { next: NEXT })
  expect(follow(older(makeFilling(some)), page, { backoffs, unstored })).toMatchObject({
    backoffs: { newer: rest, older: { failures: hasGained ? 0 : 3 } },
  })
})

test('a poll that finds no order stores its page, and resets no failure', () => {
  const page = pageOf([2 * HOUR_MS, 0], { next: NEXT })
  expect(follow(look(makeComplete()), page, { backoffs })).toMatchObject({
    kind: 'store',
    page,
    backoffs,
    reading: { pages: 1, listed: 2 },
    state: { lastReadAt: NOW, status: 'filling' },
  })
})

test('a poll whose first page is older than the newest stored record continues', () => {
  const stored = { newestAt: ago(60_000) }
  const isOver = (page: CrawlPage, cursor: ReturnType<typeof cursorAt> | null = null) =>
    follow(look(makeComplete(), { cursor }), page, stored)
  const reading = {
    ...beginReading(NOW, 0),
    pages: 1,
    oldest: Date.parse(ago(0)),
    newest: Date.parse(ago(0)),
  }
  // Ten minutes are as good as the newest.
  const near = pageOf([11 * 60_000, 2 * HOUR_MS], { next: NEXT })
  expect(isOver(near)).toMatchObject({ state: { status: 'complete' } })
  const far = pageOf([11 * 60_000 + 1, 2 * HOUR_MS], { next: NEXT })
  expect(isOver(far)).toMatchObject({ state: { status: 'catchingUp' } })
  // Only its first page tells.
  const late = { ...reading, newest: Date.parse(ago(HOUR_MS / 2)) }
  expect(isOver(far, { ...cursorAt('newer'), reading: late })).toMatchObject({
    state: { status: 'complete' },
  })
})

test('only a crawl of a whole list detects missing records', () => {
  const list: KnownList = {
    ...UNKNOWN_LIST,
    order: 'newestFirst',
    isDue: true,
    total: { said: 3, read: 2 },
    endlessPages: 4,
  }
  const all = look(makeComplete({ list }), { until: FILLED_FROM })
  expect(follow(all, pageOf([0], { total: 9 }))).toMatchObject({
    state: { list: { total: { said: 9, read: 1 }, isDue: false, endlessPages: null } },
  })
  expect(follow(all, pageOf([0], { isCut: true }))).toMatchObject({
    state: { list: { total: null, isDue: false, endlessPages: 1 } },
  })
  for (const until of [ago(HOUR_MS), ago(2 * DAY_MS)]) {
    const less = look(makeComplete({ list }), { until })
    expect(follow(less, pageOf([0]))).toMatchObject({ state: { list } })
  }
})

test('a list without a bound that ends later than before deletes no older stored records', () => {
  const all = look(makeComplete({ since: null, storedFrom: ago(8 * DAY_MS) }), { until: ago(99 * DAY_MS) })
  expect(follow(all, pageOf([]))).toMatchObject({ deleted: null, state: { storedFrom: ago(8 * DAY_MS) } })
  expect(follow(all, pageOf([0, DAY_MS]))).toMatchObject({
    deleted: { to: null, from: ago(DAY_MS) },
    state: { storedFrom: ago(8 * DAY_MS) },
  })
})
