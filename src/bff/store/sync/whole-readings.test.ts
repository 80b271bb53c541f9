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
  NOW,
  pageOf,
  redact,
} from '#test/support/store/sync-facts.ts'
import type { Step } from './choose-step.ts'
import type { CrawlPage } from './crawl.ts'
import { nextReadAt } from './pace.ts'
import { type KnownList, UNKNOWN_LIST } from './reading.ts'

const EPOCH = new Date(0).toISOString()
const NEXT = cursorAt('next')
const IN_ORDER: KnownList = { ...UNKNOWN_LIST, order: 'newestFirst' }
const EVERYTHING = { until: FILLED_FROM }
const TWO_DAYS = { until: ago(2 * DAY_MS) }
const inOrder = makeComplete({ list: IN_ORDER })

test.each<[string, Step, CrawlPage, { isDatedOnly: boolean; to: string | null; rereadFrom: string }]>([
  [
    'whatever its time, where all of the list was read to its end',
    look(inOrder, EVERYTHING),
    pageOf([0, DAY_MS]),
    { isDatedOnly: false, to: null, rereadFrom: EPOCH },
  ],
  [
    'where it tells a time, as far as was asked for',
    look(inOrder, TWO_DAYS),
    pageOf([0, DAY_MS]),
    { isDatedOnly: true, to: null, rereadFrom: TWO_DAYS.until },
  ],
  [
    'where it tells a time, down to the bound that the list passes',
    look(inOrder, EVERYTHING),
    pageOf([0, 31 * DAY_MS], { next: NEXT }),
    { isDatedOnly: true, to: NOW, rereadFrom: FILLED_FROM },
  ],
])('a record missing from a whole crawl is deleted %s', (_, step, page, { isDatedOnly, to, rereadFrom }) => {
  expect(follow(step, page)).toMatchObject({
    deleted: { isDatedOnly, to },
    reread: { from: rereadFrom, since: NOW },
  })
})

test.each<[string, string | null, number, boolean]>([
  ['the list has no records from before its bound', FILLED_FROM, 5 * DAY_MS, true],
  ['one from a day before its bound is as good as none', FILLED_FROM, 31 * DAY_MS, true],
  ['it has records from long before its bound', FILLED_FROM, 40 * DAY_MS, false],
  ['no bound was asked for', null, 5 * DAY_MS, false],
])('a total that is more than was read is in doubt or not: %s', (_, since, oldestAge, isInDoubt) => {
  const page = pageOf([0, oldestAge], { total: 9 })
  expect(follow(beginWith(since), page)).toMatchObject({ isTotalInDoubt: isInDoubt })
})

test('doubts a total larger than the records read if no record has a time', () => {
  const [threat] = pageOf([0]).threats
  const undated = threat ? [{ ...threat, publishedAt: null }] : []
  const page = pageOf([], { threats: undated, fresh: undated, total: 9 })
  expect(follow(beginWith(), page)).toMatchObject({ isTotalInDoubt: true })
  expect(follow(beginWith(), { ...page, total: 1 })).toMatchObject({ isTotalInDoubt: false })
})

test('a poll of several pages runs less often in proportion, but at least daily', () => {
  const facts = makeFacts()
  const inMs = (pages?: number) => Date.parse(nextReadAt(facts, pages)) - Date.parse(NOW)
  expect([inMs(), inMs(1), inMs(3), inMs(1_000_000)]).toEqual([15_000, 15_000, 45_000, DAY_MS])
})

test.each([
  [null, 5 * DAY_MS, 'planWindow'],
  ['all', 5 * DAY_MS, 'endOfList'],
  [30, 30 * DAY_MS, 'planWindow'],
] as const)(
  'a list without a bound that a plan of %s days lists is stored as far as that',
  (window, ms, beyond) => {
    const outcome = follow(beginWith(null), pageOf([0, 5 * DAY_MS]), { data: { version: null, window } })
    expect(outcome).toMatchObject({ state: { storedFrom: ago(ms), beyond } })
  },
)

test('a page on which only some records withhold fields is no evidence of a changed key', () => {
  const page = pageOf([0, HOUR_MS])
  const mixed = [...redact(page).threats.slice(0, 1), ...page.threats.slice(1)]
  const outcome = follow(look(inOrder), { ...page, threats: mixed, fresh: mixed })
  expect(outcome).toMatchObject({ kind: 'store', state: { isRedacted: false } })
})

test.each([
  ['cursorAlone', 'cursorAlone'],
  ['refused', 'cursor'],
] as const)('a poll that reaches its end changes the paging of a list from %s to %s', (paging, left) => {
  const outcome = follow(look(makeComplete({ list: { ...IN_ORDER, paging } })), pageOf([0]))
  expect(outcome).toMatchObject({ state: { list: { paging: left } } })
})

test('compares a total with the store only if it covers the whole bound', () => {
  const step = look(inOrder, EVERYTHING)
  const page = pageOf([0, DAY_MS], { total: 2 })
  expect(follow(step, page)).toMatchObject({ expected: { total: 2, since: FILLED_FROM } })
  expect(follow({ ...step, since: ago(2 * DAY_MS) }, page)).toMatchObject({ expected: null })
})
