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
  makeFacts,
  makeFilling,
  NOW,
  older,
  pageOf,
} from '#test/support/store/sync-facts.ts'
import type { Step } from './choose-step.ts'
import type { Cursor } from './crawl-cursor.ts'
import { type PageFacts, readPage } from './read-page.ts'
import { beginReading, type KnownList, type Reading, UNKNOWN_LIST } from './reading.ts'

const NEXT = cursorAt('next')
const FULL: Cursor = { set: 'v1', cursor: 'older', used: [] }
const fault = (at: number) => ({ at, near: null, reason: 'no id' as const, mark: `m${at}` })

function read(step: Step, page = pageOf([11 * DAY_MS], { next: NEXT }), some: Partial<PageFacts> = {}) {
  return readPage(step, page, {
    ...makeFacts(),
    countStored: 100,
    known: new Set<string>(),
    unstored: page.threats.length,
    ...some,
  })
}

const fill = (cursor: Cursor, list: Partial<KnownList> = {}) =>
  older(makeFilling({ fill: { cursor }, list: { ...UNKNOWN_LIST, ...list } }))

test.each<[string, Cursor, KnownList['paging'], KnownList['paging'], object]>([
  ['as documented', FULL, 'cursor', 'cursor', { cursor: 'next' }],
  [
    'without the bound, once that has led on',
    { ...FULL, since: null },
    'cursor',
    'cursorAlone',
    { since: null },
  ],
  [
    'from a later bound, once that has led on',
    { ...FULL, cursor: null, since: ago(20 * DAY_MS) },
    'cursor',
    'since',
    { cursor: null, since: ago(11 * DAY_MS) },
  ],
  ['as documented again, where that was refused before', FULL, 'refused', 'cursor', { cursor: 'next' }],
  ['without the bound still', FULL, 'cursorAlone', 'cursorAlone', { since: null }],
  [
    'by its offset, which is never refused so',
    { set: 'earlier', offset: 100, anchors: [], time: null, used: [] },
    'cursor',
    'cursor',
    { cursor: 'next' },
  ],
])('the next page is requested %s', (_, cursor, before, after, next) => {
  const found = read(fill(cursor, { paging: before }))
  expect(found.list.paging).toBe(after)
  expect(found.next).toMatchObject(next)
  expect(found.next?.reading).toEqual(found.reading)
})

test('a list without times is continued by its cursor instead of later bounds', () => {
  const step = fill({ ...FULL, cursor: null, since: ago(20 * DAY_MS) })
  expect(read(step, pageOf([], { next: NEXT })).next).toMatchObject({ cursor: 'next' })
})

test.each<[string, Step, string | null]>([
  ['its step', older(makeFilling()), FILLED_FROM],
  ['its cursor, where that has another', fill({ ...FULL, since: ago(DAY_MS) }), ago(DAY_MS)],
  ['its cursor, where that has none', fill({ ...FULL, since: null }), null],
])('the bound of a page is that of %s', (_, step, since) => {
  expect(read(step).since).toBe(since)
})

test('the facts of a crawl begin with it, and continue with its cursor', () => {
  const begun = { listed: 1, pages: 1 }
  expect(read(beginWith()).reading).toMatchObject({ ...begun, startedAt: NOW, revision: 0 })
  const from = makeComplete({ revision: 7 })
  expect(read(look(from, { startedAt: ago(HOUR_MS) })).reading).toMatchObject({
    ...begun,
    startedAt: ago(HOUR_MS),
    revision: 7,
  })
  const reading: Reading = {
    ...beginReading(ago(DAY_MS), 3),
    pages: 4,
    listed: 40,
    unreadable: 1,
    doubles: 2,
  }
  const page = pageOf([11 * DAY_MS, 12 * DAY_MS], { next: NEXT, unreadable: [fault(2)], doubles: 3 })
  expect(read(fill({ ...FULL, reading }), page).reading).toMatchObject({
    startedAt: ago(DAY_MS),
    revision: 3,
    pages: 5,
    listed: 42,
    unreadable: 2,
    doubles: 5,
    oldest: Date.parse(ago(12 * DAY_MS)),
    newest: Date.parse(ago(11 * DAY_MS)),
  })
})

test('a repeated record is no evidence of the order, and counts once', () => {
  const reading: Reading = { ...beginReading(NOW, 0), pages: 1, oldest: Date.parse(ago(DAY_MS)), newest: 0 }
  const page = pageOf([0, 2 * DAY_MS], { next: NEXT })
  const step = fill({ ...FULL, reading })
  expect(read(step, page).reading).toMatchObject({ isUnordered: true, listed: 2 })
  const known = new Set(page.threats.slice(0, 1).map(({ id }) => id))
  expect(read(step, page, { known }).reading).toMatchObject({ isUnordered: false, listed: 1 })
})

test.each<[string, ReturnType<typeof pageOf>, Partial<Reading>, object]>([
  ['goes on', pageOf([11 * DAY_MS], { next: NEXT }), {}, { ending: null, list: { endlessPages: null } }],
  [
    'ends by its last page',
    pageOf([11 * DAY_MS]),
    {},
    { ending: 'end', next: null, list: { endlessPages: null } },
  ],
  [
    'has no end where it is cut',
    pageOf([11 * DAY_MS], { isCut: true }),
    { pages: 6 },
    { ending: 'endless', next: null, list: { endlessPages: 7 } },
  ],
  [
    'has no end after a thousand pages',
    pageOf([11 * DAY_MS], { next: NEXT }),
    { pages: 999, listed: 99_900 },
    { ending: 'endless', next: null, list: { endlessPages: 1_000 } },
  ],
  [
    'ends by its thousandth page where that is its last',
    pageOf([11 * DAY_MS]),
    { pages: 999, listed: 99_900 },
    { ending: 'end', list: { endlessPages: null } },
  ],
])('a list %s', (_, page, some, found) => {
  expect(read(fill({ ...FULL, reading: { ...beginReading(NOW, 0), ...some } }), page)).toMatchObject(found)
})

test('an endless list stays known as endless while it is read again', () => {
  expect(read(fill(FULL, { endlessPages: 9 })).list.endlessPages).toBe(9)
})

test.each<[string, ReturnType<typeof pageOf>, Partial<KnownList>, object | null]>([
  ['at its end', pageOf([11 * DAY_MS], { total: 5 }), {}, { said: 5, read: 1 }],
  ['not before', pageOf([11 * DAY_MS], { total: 5, next: NEXT }), {}, null],
  [
    'not where its total is of all records',
    pageOf([11 * DAY_MS], { total: 5 }),
    { isTotalOfAll: true },
    null,
  ],
])('a list lacks records of its declared total %s', (_, page, list, shortfall) => {
  expect(read(fill(FULL, list), page).shortfall).toEqual(shortfall)
})

test('the oldest record is no later than now', () => {
  expect(read(older(makeFilling()), pageOf([])).oldest).toBe(NOW)
  expect(read(older(makeFilling()), pageOf([-5])).oldest).toBe(NOW)
  expect(read(older(makeFilling())).oldest).toBe(ago(11 * DAY_MS))
})

test('reports the crawl of a page, and whether the page starts or continues it', () => {
  const listed = (step: Step, page: ReturnType<typeof pageOf>) => {
    const outcome = follow(step, page)
    return outcome.kind === 'store' ? outcome.listed : undefined
  }
  const more = pageOf([11 * DAY_MS], { next: NEXT })
  expect(listed(beginWith(), more)).toEqual({ crawl: 'older', isStart: true, goesOn: true })
  expect(listed(beginWith(), pageOf([0]))).toEqual({ crawl: 'older', isStart: true, goesOn: false })
  expect(listed(older(makeFilling()), more)).toEqual({ crawl: 'older', isStart: false, goesOn: true })
  const anew = older(makeFilling({ fill: { cursor: null } }))
  expect(listed(anew, pageOf([11 * DAY_MS]))).toEqual({ crawl: 'older', isStart: true, goesOn: false })
  expect(listed(look(makeComplete()), pageOf([0], { next: NEXT }))).toEqual({
    crawl: 'newer',
    isStart: true,
    goesOn: true,
  })
  expect(listed(look(makeComplete()), pageOf([0]))).toBeNull()
  expect(listed(look(makeComplete(), { until: ago(2 * DAY_MS) }), pageOf([0]))).toEqual({
    crawl: 'newer',
    isStart: true,
    goesOn: false,
  })
})

test.each<[string, Step, ReturnType<typeof pageOf>, object]>([
  [
    'what could not be read is looked for again over all of a list that was filled',
    older(makeFilling()),
    pageOf([29 * DAY_MS]),
    { reread: { from: FILLED_FROM, since: NOW } },
  ],
  ['not before its end', older(makeFilling()), pageOf([11 * DAY_MS], { next: NEXT }), { reread: null }],
  ['not where it was cut', older(makeFilling()), pageOf([29 * DAY_MS], { isCut: true }), { reread: null }],
  [
    'as far as a look went',
    look(makeComplete()),
    pageOf([0, 2 * HOUR_MS], { next: NEXT }),
    { reread: { from: ago(HOUR_MS), since: NOW } },
  ],
  [
    'without a bound, where all of the list was read',
    look(makeComplete(), { until: FILLED_FROM }),
    pageOf([0]),
    { reread: { from: new Date(0).toISOString(), since: NOW } },
  ],
  ['not after a look that was cut', look(makeComplete()), pageOf([0], { isCut: true }), { reread: null }],
])('%s', (_, step, page, outcome) => {
  expect(follow(step, page)).toMatchObject(outcome)
})

test.each<[string, Step, number, number | null, boolean]>([
  ['fewer came than it says, all from its bound on', older(makeFilling()), 29 * DAY_MS, 9, true],
  ['also at a first page', beginWith(), 29 * DAY_MS, 9, true],
  ['also after a look at all of it', look(makeComplete(), { until: FILLED_FROM }), 29 * DAY_MS, 9, true],
  ['not where as many came', older(makeFilling()), 29 * DAY_MS, 1, false],
  ['not where older ones came: then it has no bound', older(makeFilling()), 40 * DAY_MS, 9, false],
  ['not where none was asked for', older(makeFilling({ since: null })), 29 * DAY_MS, 9, false],
  ['not after a look at what is new', look(makeComplete()), HOUR_MS, 9, false],
])('the meaning of a total is in doubt if %s', (_, step, age, total, isTotalInDoubt) => {
  expect(follow(step, pageOf([age], { total }))).toMatchObject({ isTotalInDoubt })
})
