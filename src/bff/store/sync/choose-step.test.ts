import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/duration.ts'
import {
  ago,
  CATCH_UP,
  cursorAt,
  FILLED_FROM,
  makeCatchingUp,
  makeComplete,
  makeFacts,
  makeFilling,
  NOW,
} from '#test/support/store/sync-facts.ts'
import { type Backoffs, type CrawlName, NO_BACKOFF } from './backoff.ts'
import { chooseStep, type Facts, waitAfter } from './choose-step.ts'
import { UNKNOWN_LIST } from './reading.ts'
import { type CompleteState, EMPTY, NO_CHECKS, type StoredState, type SyncState } from './sync-state.ts'

const LATER = ago(-MINUTE_MS)
const CALLS = { limit: 5, remaining: 5, resetsAt: null }
const SMALL: Facts['budgets'] = { minute: CALLS, day: { limit: 100, remaining: 100, resetsAt: null } }

function resting(...crawls: CrawlName[]): Backoffs {
  const rest = { failures: 1, pausedUntilMs: 5_000, trouble: null }
  return { ...NO_BACKOFF, ...Object.fromEntries(crawls.map((crawl) => [crawl, rest])) }
}

test.each<[string, SyncState, Partial<Facts>]>([
  ['nothing is stored', EMPTY, {}],
  ['what is stored is of another source', makeComplete(), { source: 'another source' }],
])('starts a first crawl if %s', (_, state, some) => {
  const facts = makeFacts(some)
  const first = { crawl: 'first', since: FILLED_FROM, cursor: null, startedAt: NOW, dataVersion: null }
  expect(chooseStep(state, facts, false)).toEqual({ ...first, set: facts.set })
})

test.each<[string, StoredState, CrawlName | null, { backoffs?: Backoffs; owesOlder?: boolean }]>([
  ['a window that is due', makeComplete(), 'newer', {}],
  ['a window that is not due', makeComplete({ nextReadAt: LATER }), null, {}],
  ['a window that is due and rests', makeComplete(), null, { backoffs: resting('newer') }],
  ['a crawl to newer records, due or not', makeCatchingUp({ nextReadAt: LATER }), 'newer', {}],
  ['one that rests', makeCatchingUp(), null, { backoffs: resting('newer') }],
  ['a window that fills, for new records first', makeFilling(), 'newer', {}],
  ['a window that fills and has just looked', makeFilling(), 'older', { owesOlder: true }],
  ['a window that fills and is not due', makeFilling({ nextReadAt: LATER }), 'older', {}],
  [
    'a crawl to newer records before one to older',
    makeFilling({ catchUp: CATCH_UP }),
    'newer',
    { owesOlder: true },
  ],
  ['older records while newer ones rest', makeFilling(), 'older', { backoffs: resting('newer') }],
  [
    'newer records while older ones rest',
    makeFilling(),
    'newer',
    { owesOlder: true, backoffs: resting('older') },
  ],
  ['a window of which both crawls rest', makeFilling(), null, { backoffs: resting('newer', 'older') }],
])('continues with %s', (_, state, crawl, { owesOlder = false, backoffs = NO_BACKOFF }) => {
  expect(chooseStep(state, makeFacts({ backoffs }), owesOlder).crawl).toBe(crawl)
})

test('continues a crawl at its cursor', () => {
  const newer = makeCatchingUp()
  const { set, since } = newer
  expect(chooseStep(newer, makeFacts(), false)).toEqual({
    crawl: 'newer',
    from: newer,
    set,
    since,
    bound: since,
    ...CATCH_UP,
    dataVersion: null,
  })
  const older = makeFilling({ fill: { cursor: null } })
  expect(chooseStep(older, makeFacts(), true)).toEqual({
    crawl: 'older',
    from: older,
    set,
    since,
    cursor: null,
  })
  const further = makeFilling()
  expect(chooseStep(further, makeFacts(), true)).toMatchObject({ cursor: cursorAt('older') })
})

test.each<[string, StoredState, string | null]>([
  ['moves on with the days', makeComplete({ since: ago(40 * DAY_MS) }), FILLED_FROM],
  ['stays while the window fills', makeFilling({ since: ago(40 * DAY_MS) }), ago(40 * DAY_MS)],
  ['stays none where the plan allows none', makeComplete({ since: null }), null],
])("the list's bound %s", (_, state, since) => {
  expect(chooseStep(state, makeFacts(), false)).toMatchObject({
    crawl: 'newer',
    cursor: null,
    startedAt: NOW,
    dataVersion: null,
    since,
  })
})

test.each<[string, Partial<CompleteState>, Partial<Facts>]>([
  ['by another key', { keys: 'a key' }, { keys: 'another key' }],
  ['by another route set', {}, { set: 'earlier' }],
  ['further back than before', {}, { filledFrom: ago(400 * DAY_MS) }],
])('reads all of the list again %s, and claims what is stored meanwhile', (_, some, facts) => {
  const state = makeComplete(some)
  const { filledFrom, ...named } = makeFacts(facts)
  const step = chooseStep(state, { filledFrom, ...named }, false)
  expect(step).toMatchObject({
    crawl: 'newer',
    since: filledFrom,
    cursor: null,
    set: named.set,
    from: { status: 'filling', storedFrom: state.storedFrom, storedTo: state.storedTo, keys: named.keys },
  })
})

test('a state of the version before is of the keys that it is read with', () => {
  const step = chooseStep(makeComplete(), makeFacts({ keys: 'a key' }), false)
  expect(step).toMatchObject({ from: { status: 'complete', keys: 'a key' } })
})

const OVERLAP_MS = 10 * MINUTE_MS

test.each<[string, StoredState, Partial<Facts>, string]>([
  ['to what is stored, and a little further', makeComplete(), {}, ago(MINUTE_MS + OVERLAP_MS)],
  ['to the newest record', makeComplete(), { newestAt: ago(HOUR_MS) }, ago(HOUR_MS + OVERLAP_MS)],
  [
    'no less far for a record from the future',
    makeComplete(),
    { newestAt: ago(-HOUR_MS) },
    ago(MINUTE_MS + OVERLAP_MS),
  ],
])('polls for new records %s', (_, state, some, until) => {
  expect(chooseStep(state, makeFacts(some), false)).toMatchObject({ crawl: 'newer', until })
})

const BUSY = { nextReadAt: LATER }
const dayOf = (limit: number, remaining = 0): Facts['budgets'] => ({
  minute: CALLS,
  day: { limit, remaining, resetsAt: ago(-HOUR_MS) },
})
const tried = (allTriedAt: string, pages = { recent: 2, all: 30 }) => ({ ...NO_CHECKS, allTriedAt, pages })
const DEEP = { since: ago(400 * DAY_MS), storedFrom: ago(400 * DAY_MS) }

test.each<[string, Partial<CompleteState>, Partial<Facts>, string | null]>([
  ['two days back within an hour', { reconciledAt: ago(50 * MINUTE_MS) }, {}, ago(2 * DAY_MS)],
  ['no sooner', { reconciledAt: ago(50 * MINUTE_MS - 1) }, {}, null],
  [
    'two days back within an hour with 1,000 calls a day',
    { reconciledAt: ago(HOUR_MS) },
    { budgets: dayOf(1_000) },
    ago(2 * DAY_MS),
  ],
  [
    'less often where that would take more than its share of them',
    { reconciledAt: ago(2 * HOUR_MS), checks: tried(NOW, { recent: 30, all: 30 }) },
    { budgets: dayOf(1_000) },
    null,
  ],
  [
    'less often with a small budget',
    { reconciledAt: ago(23 * HOUR_MS), checks: tried(NOW) },
    { budgets: dayOf(100) },
    null,
  ],
  [
    'with a small budget too',
    { reconciledAt: ago(24 * HOUR_MS), checks: tried(NOW) },
    { budgets: dayOf(100) },
    ago(2 * DAY_MS),
  ],
  [
    'sooner with calls of it that are left over',
    { reconciledAt: ago(HOUR_MS), checks: tried(NOW) },
    { budgets: dayOf(100, 90) },
    ago(2 * DAY_MS),
  ],
  [
    'all of them once a day',
    { reconciledAt: ago(HOUR_MS / 2), checks: tried(ago(DAY_MS)) },
    { budgets: dayOf(1_000) },
    FILLED_FROM,
  ],
  [
    'all of them sooner where the list is known to differ',
    {
      reconciledAt: ago(HOUR_MS / 2),
      checks: tried(ago(4 * HOUR_MS)),
      list: { ...UNKNOWN_LIST, isDue: true },
    },
    { budgets: dayOf(1_000) },
    FILLED_FROM,
  ],
  ['of 30 days where the plan allows no bound', { since: null, checks: tried(ago(DAY_MS)) }, {}, FILLED_FROM],
  ['of 30 days where more is stored', { ...DEEP, checks: tried(ago(DAY_MS)) }, {}, FILLED_FROM],
  [
    'of all that is stored where the list differs',
    {
      ...DEEP,
      reconciledAt: ago(HOUR_MS / 2),
      checks: tried(ago(DAY_MS)),
      list: { ...UNKNOWN_LIST, isDue: true },
    },
    {},
    DEEP.since,
  ],
  [
    'of all that is stored where calls cost nothing',
    { ...DEEP, checks: tried(ago(DAY_MS)) },
    { isFree: true },
    DEEP.since,
  ],
  [
    'of no more than the limit of records leaves',
    { ...DEEP, storedFrom: ago(200 * DAY_MS), checks: tried(ago(DAY_MS)) },
    { isFree: true },
    ago(200 * DAY_MS),
  ],
  [
    'once more at once what a comparison did not find',
    { checks: { ...tried(NOW), repeatUntil: ago(DAY_MS) } },
    { budgets: dayOf(100) },
    ago(DAY_MS),
  ],
])('compares stored records %s', (_, some, facts, until) => {
  const step = chooseStep(makeComplete({ ...BUSY, ...some }), makeFacts(facts), false)
  expect([step.crawl, 'until' in step ? step.until : null]).toEqual([until && 'recheck', until])
})

test('continues a comparison at its cursor, after a poll for new records', () => {
  const recheck = { cursor: cursorAt('recheck'), startedAt: ago(HOUR_MS), until: ago(2 * DAY_MS) }
  const due = makeComplete({ recheck, reconciledAt: ago(HOUR_MS) })
  expect(chooseStep(due, makeFacts(), false)).toMatchObject({ crawl: 'newer' })
  const looked = { ...due, ...BUSY }
  expect(chooseStep(looked, makeFacts(), false)).toMatchObject({ crawl: 'recheck', ...recheck })
  expect(chooseStep(looked, makeFacts({ backoffs: resting('recheck') }), false).crawl).toBeNull()
  expect(waitAfter(looked, makeFacts({ budgets: { minute: CALLS, day: null } }))).toBe(48_000)
})

test('compares only the last two days while the store still fills', () => {
  const state = makeFilling({ ...BUSY, reconciledAt: ago(HOUR_MS), checks: tried(ago(9 * DAY_MS)) })
  expect(chooseStep(state, makeFacts(), false)).toMatchObject({ crawl: 'recheck', until: ago(2 * DAY_MS) })
})

test('a comparison reads a list from its own bound on, whose total is of what it compares', () => {
  const state = makeComplete({ ...BUSY, reconciledAt: ago(HOUR_MS) })
  const recheck = (some: Partial<CompleteState>) => chooseStep({ ...state, ...some }, makeFacts(), false)
  expect(recheck({})).toMatchObject({ since: ago(2 * DAY_MS), bound: FILLED_FROM })
  expect(recheck({ since: null })).toMatchObject({ since: null })
  expect(recheck({ list: { ...UNKNOWN_LIST, paging: 'cursorAlone' } })).toMatchObject({ since: FILLED_FROM })
})

test.each<[string, StoredState, Partial<Facts>, number]>([
  ['until it is due', makeComplete({ nextReadAt: LATER }), {}, MINUTE_MS],
  ['not at all when it is due', makeComplete(), {}, 0],
  ['until a failed crawl has rested', makeComplete(), { backoffs: resting('newer') }, 5_000],
  [
    'less by the time that has passed',
    makeComplete(),
    { backoffs: resting('newer'), elapsedMs: 4_000 },
    1_000,
  ],
  ['hardly while it fills', makeFilling({ nextReadAt: LATER }), {}, 100],
  ['hardly while it catches up', makeCatchingUp({ nextReadAt: LATER }), {}, 100],
  ['for half of what a small minute allows while it fills', makeFilling(), { budgets: SMALL }, 24_000],
  ['as long as both crawls rest', makeFilling(), { backoffs: resting('newer', 'older') }, 5_000],
])('waits %s', (_, state, some, waitMs) => {
  expect(waitAfter(state, makeFacts(some))).toBe(waitMs)
})
