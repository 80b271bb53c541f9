import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '#contract/duration.ts'
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
} from '#test/support/window/sync-facts.ts'
import { chooseStep, type Facts, waitAfter } from './choose-step.ts'
import { type CrawlName, NO_SETBACKS, type Setbacks } from './setbacks.ts'
import { EMPTY, type StoredState, type SyncState } from './sync-state.ts'

const MINUTE_MS = 60_000
const LATER = ago(-MINUTE_MS)
const CALLS = { limit: 5, remaining: 5, resetsAt: null }
const SMALL: Facts['budgets'] = { minute: CALLS, day: { limit: 100, remaining: 100, resetsAt: null } }
const HOURLY: Facts['budgets'] = { ...SMALL, day: { limit: 100, remaining: 1, resetsAt: null } }

function resting(...crawls: CrawlName[]): Setbacks {
  const rest = { failures: 1, restsUntilMs: 5_000, trouble: null }
  return { ...NO_SETBACKS, ...Object.fromEntries(crawls.map((crawl) => [crawl, rest])) }
}

test.each<[string, SyncState, Partial<Facts>]>([
  ['nothing is stored', EMPTY, {}],
  ['what is stored is of another route set', makeComplete(), { set: 'earlier' }],
  ['what is stored is of another source', makeComplete(), { source: 'another source' }],
])('begins a window where %s', (_, state, some) => {
  const facts = makeFacts(some)
  const first = { crawl: 'first', since: FILLED_FROM, cursor: null, startedAt: NOW, dataVersion: null }
  expect(chooseStep(state, facts, false)).toEqual({ ...first, set: facts.set })
})

test.each<[string, StoredState, CrawlName | null, { setbacks?: Setbacks; owesOlder?: boolean }]>([
  ['a window that is due', makeComplete(), 'newer', {}],
  ['a window that is not due', makeComplete({ nextReadAt: LATER }), null, {}],
  ['a window that is due and rests', makeComplete(), null, { setbacks: resting('newer') }],
  ['a crawl to newer records, due or not', makeCatchingUp({ nextReadAt: LATER }), 'newer', {}],
  ['one that rests', makeCatchingUp(), null, { setbacks: resting('newer') }],
  ['a window that fills, for new records first', makeFilling(), 'newer', {}],
  ['a window that fills and has just looked', makeFilling(), 'older', { owesOlder: true }],
  ['a window that fills and is not due', makeFilling({ nextReadAt: LATER }), 'older', {}],
  [
    'a crawl to newer records before one to older',
    makeFilling({ catchUp: CATCH_UP }),
    'newer',
    { owesOlder: true },
  ],
  ['older records while newer ones rest', makeFilling(), 'older', { setbacks: resting('newer') }],
  [
    'newer records while older ones rest',
    makeFilling(),
    'newer',
    { owesOlder: true, setbacks: resting('older') },
  ],
  ['a window of which both crawls rest', makeFilling(), null, { setbacks: resting('newer', 'older') }],
])('goes on with %s', (_, state, crawl, { owesOlder = false, setbacks = NO_SETBACKS }) => {
  expect(chooseStep(state, makeFacts({ setbacks }), owesOlder).crawl).toBe(crawl)
})

test('goes on where a crawl left off', () => {
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
  ['two days back once an hour', makeComplete({ reconciledAt: ago(HOUR_MS) }), {}, ago(2 * DAY_MS)],
  [
    'two days back less often with a small budget',
    makeComplete({ reconciledAt: ago(24 * HOUR_MS) }),
    { budgets: SMALL },
    ago(MINUTE_MS + OVERLAP_MS),
  ],
  [
    'two days back with a small budget too',
    makeComplete({ reconciledAt: ago(51 * HOUR_MS) }),
    { budgets: HOURLY },
    ago(2 * DAY_MS),
  ],
  [
    'two days back where the plan allows no bound',
    makeComplete({ since: null, reconciledAt: ago(HOUR_MS) }),
    {},
    ago(2 * DAY_MS),
  ],
  [
    'to the end of the list once a day where the plan allows no bound',
    makeComplete({ since: null, reconciledAt: ago(DAY_MS) }),
    {},
    new Date(0).toISOString(),
  ],
])('looks for new records %s', (_, state, some, until) => {
  expect(chooseStep(state, makeFacts(some), false)).toMatchObject({ crawl: 'newer', until })
})

test.each<[string, StoredState, Partial<Facts>, number]>([
  ['until it is due', makeComplete({ nextReadAt: LATER }), {}, MINUTE_MS],
  ['not at all when it is due', makeComplete(), {}, 0],
  ['until a failed crawl has rested', makeComplete(), { setbacks: resting('newer') }, 5_000],
  [
    'less by the time that has passed',
    makeComplete(),
    { setbacks: resting('newer'), elapsedMs: 4_000 },
    1_000,
  ],
  ['hardly while it fills', makeFilling({ nextReadAt: LATER }), {}, 100],
  ['hardly while it catches up', makeCatchingUp({ nextReadAt: LATER }), {}, 100],
  ['for half of what a small minute allows while it fills', makeFilling(), { budgets: SMALL }, 24_000],
  ['as long as both crawls rest', makeFilling(), { setbacks: resting('newer', 'older') }, 5_000],
])('waits %s', (_, state, some, waitMs) => {
  expect(waitAfter(state, makeFacts(some))).toBe(waitMs)
})
