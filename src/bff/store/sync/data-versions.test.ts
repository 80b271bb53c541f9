import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/duration.ts'
import { formatDataVersion } from '#contract/upstream/data-version.ts'
import {
  ago,
  beginWith,
  CATCH_UP,
  FILLED_FROM,
  follow,
  look,
  makeCatchingUp,
  makeComplete,
  makeFacts,
  makeFilling,
  NOW,
  older,
  pageOf,
} from '#test/support/store/sync-facts.ts'
import { chooseStep, type Facts, waitAfter } from './choose-step.ts'
import { UNKNOWN_LIST } from './reading.ts'
import type { StoredState } from './sync-state.ts'

const LATER = ago(-HOUR_MS)
const READ = { store: 's1', added: 10, removed: 2 }
const dataVersion = formatDataVersion(READ)

function dataOf(version: Partial<typeof READ> | null): Partial<Facts> {
  return { data: { version: version && { ...READ, ...version }, window: null } }
}

test.each<[string, StoredState, Parameters<typeof dataOf>[0], 'first' | 'newer' | null]>([
  ['begins anew where records are gone', makeComplete({ dataVersion }), { removed: 3 }, 'first'],
  ['begins anew where it is another store', makeComplete({ dataVersion }), { store: 's2' }, 'first'],
  [
    'begins anew, also while it fills',
    makeFilling({ dataVersion, nextReadAt: LATER }),
    { removed: 3 },
    'first',
  ],
  [
    'looks at once where records came',
    makeComplete({ dataVersion, nextReadAt: LATER }),
    { added: 11 },
    'newer',
  ],
  ['looks at once where no version was known', makeComplete({ nextReadAt: LATER }), {}, 'newer'],
  ['waits where nothing has changed', makeComplete({ dataVersion, nextReadAt: LATER }), {}, null],
  ['waits where no version is told any more', makeComplete({ dataVersion, nextReadAt: LATER }), null, null],
])('a store whose source reports a data version %s', (_, state, version, crawl) => {
  expect(chooseStep(state, makeFacts(dataOf(version)), false).crawl).toBe(crawl)
})

test('a crawl keeps the data version with which it began', () => {
  const facts = makeFacts(dataOf({ added: 11 }))
  const now = formatDataVersion({ ...READ, added: 11 })
  expect(chooseStep(makeComplete({ dataVersion }), facts, false)).toMatchObject({
    dataVersion: now,
    startedAt: NOW,
  })
  expect(chooseStep(makeCatchingUp({ dataVersion }), facts, false)).toMatchObject({
    dataVersion,
    startedAt: CATCH_UP.startedAt,
  })
  expect(follow(look(makeComplete(), { dataVersion }), pageOf([0]))).toMatchObject({ state: { dataVersion } })
  expect(waitAfter(makeComplete({ dataVersion, nextReadAt: LATER }), facts)).toBe(0)
})

test.each<[string, StoredState, Partial<Facts>, string]>([
  [
    'all of a list that costs nothing and holds more or less than is stored',
    makeComplete({ list: { ...UNKNOWN_LIST, isDue: true }, nextReadAt: LATER }),
    { isFree: true },
    FILLED_FROM,
  ],
  [
    'no more than what is new, where nothing is to be mended',
    makeComplete(),
    { isFree: true },
    ago(11 * MINUTE_MS),
  ],
  [
    'no more than what is new of a list that costs calls, before an hour is over',
    makeComplete({ list: { ...UNKNOWN_LIST, isDue: true } }),
    {},
    ago(11 * MINUTE_MS),
  ],
  [
    'no more than what is new while it still fills',
    makeFilling({ list: { ...UNKNOWN_LIST, isDue: true } }),
    { isFree: true },
    ago(11 * MINUTE_MS),
  ],
])('a crawl reads again %s', (_, state, some, until) => {
  expect(chooseStep(state, makeFacts(some), false)).toMatchObject({ crawl: 'newer', until })
})

test('a list that costs calls and is to be mended waits until it is due', () => {
  const state = makeComplete({ list: { ...UNKNOWN_LIST, isDue: true }, nextReadAt: LATER })
  expect(chooseStep(state, makeFacts(), false).crawl).toBeNull()
  expect(waitAfter(makeFilling({ nextReadAt: LATER }), makeFacts({ isFree: true }))).toBe(0)
})

test.each<[string, Facts['data']['window'], number, string]>([
  ['all of it, where the plan reads all', 'all', 20 * DAY_MS, FILLED_FROM],
  ['as far as the plan reads', 7, 5 * DAY_MS, ago(7 * DAY_MS)],
  ['as far as was asked for, where the plan reads further', 90, 20 * DAY_MS, FILLED_FROM],
  ['as far as its last record, where nobody tells', null, 20 * DAY_MS, ago(20 * DAY_MS)],
])('the stored range of a list that has come to its end is %s', (_, window, lastMs, storedFrom) => {
  const some = { data: { version: null, window }, countStored: 500 }
  expect(follow(older(makeFilling({ storedFrom: ago(DAY_MS) })), pageOf([lastMs]), some)).toMatchObject({
    state: { storedFrom },
  })
  const many = pageOf(Array.from({ length: 60 }, (_, at) => (at * lastMs) / 59))
  expect(follow(beginWith(), many, some)).toMatchObject({ state: { storedFrom } })
})
