import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/duration.ts'
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
import { chooseStep, type Facts, type Step } from './choose-step.ts'
import type { CrawlPage } from './crawl.ts'
import {
  beginReading,
  isEndless,
  type KnownList,
  missingOf,
  orderAfter,
  parseList,
  readOn,
  shortfallOf,
  UNKNOWN_LIST,
} from './reading.ts'
import { NO_CHECKS, type StoredState } from './sync-state.ts'

const AT = { nowMs: Date.parse(NOW), fromMs: Date.parse(FILLED_FROM) }
const BEGUN = beginReading(NOW, 0)
const NO_FAULTS = { total: null, unreadable: 0, doubles: 0 }

/** Pages of records so long ago, read in a row. */
function read(...pages: readonly (readonly number[])[]) {
  return pages.reduce((before, ages) => {
    const times = ages.map((age) => Date.parse(ago(age)))
    return readOn(before, { ...NO_FAULTS, times, newIds: times.length }, AT)
  }, BEGUN)
}
const AGE_OF_FILLED_FROM = Date.parse(NOW) - Date.parse(FILLED_FROM)
const many = Array.from({ length: 21 }, (_, at) => at * HOUR_MS)

test.each<[string, () => ReturnType<typeof read>, string]>([
  ['newest first', () => read(many), 'newestFirst'],
  ['newest first over pages', () => read(many.slice(0, 9), many.slice(9)), 'newestFirst'],
  ['as good as unknown by a few records', () => read(many.slice(0, 20)), 'unknown'],
  ['as good as unknown by one time', () => read(Array(50).fill(HOUR_MS)), 'unknown'],
  [
    'in order for all that comes a little late',
    () => read([...many, 20 * HOUR_MS - 9 * MINUTE_MS]),
    'newestFirst',
  ],
  ['in order for all that is from the future', () => read([...many, -DAY_MS]), 'newestFirst'],
  ['in none by one page', () => read([...many, 0]), 'none'],
  [
    'in order for what is as late as it may be',
    () => read([...many, 20 * HOUR_MS - 10 * MINUTE_MS]),
    'newestFirst',
  ],
  ['in none by what is as early as it may be', () => read([...many, -10 * MINUTE_MS]), 'none'],
  ['in none by the page after', () => read(many, [0, HOUR_MS]), 'none'],
])('a list is %s', (_, readAll, order) => {
  const reading = readAll()
  expect(orderAfter(UNKNOWN_LIST, reading)).toBe(order)
  expect(orderAfter({ ...UNKNOWN_LIST, order: 'none' }, reading)).toBe('none')
})

test.each<[string, { pages: number; newIds: number; ages: number[]; unreadable?: number }, boolean]>([
  ['five pages that bring nothing', { pages: 5, newIds: 0, ages: [] }, true],
  ['four', { pages: 4, newIds: 0, ages: [] }, false],
  ['five of which nothing can be read', { pages: 5, newIds: 0, ages: [], unreadable: 3 }, false],
  ['fifty-one of what is too old', { pages: 51, newIds: 1, ages: [99 * DAY_MS] }, true],
  ['fifty', { pages: 50, newIds: 1, ages: [99 * DAY_MS] }, false],
  ['sixty of which none is too old', { pages: 60, newIds: 1, ages: [DAY_MS] }, false],
  ['sixty of which not all is too old', { pages: 60, newIds: 2, ages: [DAY_MS, 99 * DAY_MS] }, false],
  ['sixty of what is just not too old', { pages: 60, newIds: 1, ages: [AGE_OF_FILLED_FROM] }, false],
  ['a thousand of anything', { pages: 1_000, newIds: 1, ages: [DAY_MS] }, true],
])('a list ends after %s', (_, { pages, newIds, ages, unreadable = 0 }, ends) => {
  const times = ages.map((age) => Date.parse(ago(age)))
  let reading = BEGUN
  for (let page = 0; page < pages; page++)
    reading = readOn(reading, { ...NO_FAULTS, unreadable, times, newIds }, AT)
  expect(isEndless(reading)).toBe(ends)
})

test('a list that comes nearer from long ago, or says that it is longer, is read on', () => {
  let reading = BEGUN
  for (let page = 0; page < 200; page++)
    reading = readOn(
      reading,
      { ...NO_FAULTS, times: [Date.parse(ago((900 - page) * DAY_MS))], newIds: 1 },
      AT,
    )
  expect(isEndless(reading)).toBe(false)
  expect(isEndless({ ...reading, pages: 1_500, said: 100_000, listed: 75_000 })).toBe(false)
  expect(isEndless({ ...reading, pages: 1_500, said: 10_000, listed: 75_000 })).toBe(true)
})

test('pages of records without a time do not count as too old', () => {
  let reading = read([99 * DAY_MS])
  for (let page = 0; page < 60; page++) reading = readOn(reading, { ...NO_FAULTS, times: [], newIds: 1 }, AT)
  expect(isEndless(reading)).toBe(false)
})

test.each<
  [string, (number | null)[], { listed: number; unreadable?: number; doubles?: number }, object | null]
>([
  ['more than was read', [420, 420], { listed: 409 }, { said: 420, read: 409 }],
  ['so on one page alone', [420, null], { listed: 409 }, { said: 420, read: 409 }],
  ['less on a later page', [500, 409], { listed: 409 }, null],
  ['as many, those that could not be read among them', [420], { listed: 409, unreadable: 11 }, null],
  ['as many, some of them twice', [420], { listed: 409, doubles: 11 }, null],
  ['how many the page holds', [100, 100, 50], { listed: 250 }, null],
  ['how many are left', [250, 150, 50], { listed: 250 }, null],
  ['less', [3], { listed: 9 }, null],
  ['nothing', [null], { listed: 9 }, null],
])('a vendor that says %s', (_, totals, { listed, unreadable = 0, doubles = 0 }, shortfall) => {
  const reading = totals.reduce(
    (before, total) => readOn(before, { ...NO_FAULTS, total, times: [], newIds: 1 }, AT),
    BEGUN,
  )
  expect(shortfallOf({ ...reading, listed, unreadable, doubles })).toEqual(shortfall)
})

test('reports missing records of a list only if something is known to be missing', () => {
  expect(missingOf(UNKNOWN_LIST)).toBeUndefined()
  expect(missingOf({ ...UNKNOWN_LIST, order: 'none', paging: 'cursorAlone' })).toBeUndefined()
  expect(missingOf({ ...UNKNOWN_LIST, paging: 'refused', endlessPages: 1_000 })).toEqual({
    unreadable: null,
    total: null,
    notes: [
      'The vendor’s list does not end: Lantern read 1,000 pages, and there may be more threats.',
      'The vendor refuses the next page of its own list: what it would hold is not read.',
    ],
  })
  const total = { said: 420, read: 409 }
  const unreadable = { count: 1, example: 'thr_1', reason: 'no id' }
  expect(missingOf({ ...UNKNOWN_LIST, total })).toEqual({ unreadable: null, total, notes: [] })
  expect(missingOf({ ...UNKNOWN_LIST, unreadable })).toEqual({ unreadable, total: null, notes: [] })
})

test('reads the stored facts of a list', () => {
  const known: KnownList = { ...UNKNOWN_LIST, order: 'none', off: 3 }
  expect(parseList(JSON.stringify(known))).toEqual(known)
})

test.each([null, '', '{', '{"order":"sideways"}', '[]'])(
  'treats invalid stored facts of a list as unknown: %s',
  (text) => {
    expect(parseList(text)).toEqual(UNKNOWN_LIST)
  },
)

const NEXT = cursorAt('next')
const NONE: KnownList = { ...UNKNOWN_LIST, order: 'none' }
const STORED_TO = ago(MINUTE_MS)

test.each<[string, Step, CrawlPage, Partial<Facts>, object]>([
  [
    'claims nothing of a list without order before its end',
    older(makeFilling({ list: NONE })),
    pageOf([5 * DAY_MS, 20 * DAY_MS], { next: NEXT }),
    {},
    { status: 'filling', storedFrom: STORED_TO, storedTo: STORED_TO },
  ],
  [
    'claims all of it at its end',
    older(makeFilling({ list: NONE })),
    pageOf([29 * DAY_MS, 5 * DAY_MS]),
    {},
    { status: 'complete', storedFrom: FILLED_FROM },
  ],
  [
    'reads such a list on past its bound',
    older(makeFilling({ list: NONE })),
    pageOf([31 * DAY_MS], { next: NEXT }),
    {},
    { status: 'filling' },
  ],
  [
    'reads a list on past its bound while its order is unknown',
    older(makeFilling({ list: UNKNOWN_LIST })),
    pageOf([31 * DAY_MS], { next: NEXT }),
    {},
    { status: 'filling' },
  ],
  [
    'begins to fill again when a look finds no order',
    look(makeComplete()),
    pageOf([2 * HOUR_MS, 0], { next: NEXT }),
    {},
    {
      status: 'filling',
      fill: { cursor: null },
      catchUp: null,
      storedFrom: STORED_TO,
      list: { order: 'none' },
    },
  ],
  [
    'polls for new records to the end of a list without order',
    look(makeComplete({ list: NONE })),
    pageOf([0, 2 * HOUR_MS], { next: NEXT }),
    {},
    { status: 'catchingUp', storedTo: STORED_TO },
  ],
  [
    'looks further where the list does not begin with the newest that is stored',
    look(makeComplete()),
    pageOf([2 * HOUR_MS], { next: NEXT }),
    { newestAt: ago(MINUTE_MS) },
    { status: 'catchingUp' },
  ],
])('a window %s', (_, step, page, some, state) => {
  expect(follow(step, page, some)).toMatchObject({ kind: 'store', state })
})

const LOOKED = {
  nextReadAt: ago(-HOUR_MS),
  reconciledAt: ago(HOUR_MS / 2),
  checks: { ...NO_CHECKS, allTriedAt: ago(2 * HOUR_MS) },
}

test.each<[string, StoredState, object]>([
  [
    'from what is stored on where a list has no order',
    makeComplete({ list: NONE }),
    { crawl: 'newer', since: ago(11 * MINUTE_MS), bound: FILLED_FROM, until: ago(11 * MINUTE_MS) },
  ],
  ['nothing beside the fill of such a list', makeFilling({ list: NONE }), { crawl: 'older' }],
  [
    'all of a list of which something is missing, every so often',
    makeComplete({ ...LOOKED, list: { ...UNKNOWN_LIST, endlessPages: 9 } }),
    { crawl: 'recheck', since: FILLED_FROM, until: FILLED_FROM },
  ],
  [
    'all of a list that holds more or less than is stored',
    makeComplete({ ...LOOKED, list: { ...UNKNOWN_LIST, isDue: true } }),
    { crawl: 'recheck', until: FILLED_FROM },
  ],
])('the sync requests %s', (_, state, step) => {
  expect(chooseStep(state, makeFacts(), false)).toMatchObject(step)
})

test('deletes records missing from a whole crawl, unless it was cut or had faults', () => {
  const step = look(makeComplete(), { until: ago(2 * DAY_MS) })
  const deleted = { from: ago(2 * DAY_MS - 10 * MINUTE_MS), to: NOW, isDatedOnly: true }
  const past = pageOf([0, 3 * DAY_MS], { next: NEXT })
  expect(follow(step, past)).toMatchObject({ deleted })
  const fault = { at: 1, near: null, reason: 'no id' as const, mark: 'a' }
  expect(follow(step, { ...past, unreadable: [fault] })).toMatchObject({ deleted: null })
  expect(follow(step, pageOf([0, DAY_MS], { isCut: true }))).toMatchObject({ deleted: null })
  expect(follow(step, pageOf([0, DAY_MS], { total: 9 }))).toMatchObject({ deleted: null })
  expect(follow(look(makeComplete()), past)).toMatchObject({ deleted: null })
})
