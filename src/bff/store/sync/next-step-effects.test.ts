import { expect, test } from 'vitest'
import { UpstreamError, type UpstreamErrorKind } from '#bff/upstream/client/upstream-error.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/duration.ts'
import {
  ago,
  beginWith,
  CATCH_UP,
  cursorAt,
  FILLED_FROM,
  follow,
  goOn,
  look,
  makeCatchingUp,
  makeComplete,
  makeFacts,
  makeFilling,
  NOW,
  older,
  pageOf,
  redact,
} from '#test/support/store/sync-facts.ts'
import { afterFailure } from './after-failure.ts'
import { type Backoffs, type CrawlName, NO_BACKOFF } from './backoff.ts'
import type { Step } from './choose-step.ts'
import type { CrawlPage } from './crawl.ts'
import type { Cursor } from './crawl-cursor.ts'
import type { StoreOutcome } from './outcome.ts'
import { beginReading, type KnownList, UNKNOWN_LIST } from './reading.ts'
import type { StoredState } from './sync-state.ts'

const NEXT = cursorAt('next')
const DUE_AT = ago(-15_000)
const FAILED: Backoffs = {
  newer: { failures: 3, pausedUntilMs: 0, trouble: 'Newer fails' },
  older: { failures: 3, pausedUntilMs: 0, trouble: 'Older fails' },
  recheck: { failures: 0, pausedUntilMs: 0, trouble: null },
}

const BOTH = makeFilling({ catchUp: CATCH_UP })
const PLAN = { since: null, storedFrom: ago(8 * DAY_MS) }

test.each<[string, Step, CrawlPage, boolean]>([
  ['a first page replaces everything', beginWith(), pageOf([0]), true],
  ['a page of a fill replaces nothing', older(makeFilling()), pageOf([29 * DAY_MS]), false],
  ['a look replaces nothing', look(makeComplete()), pageOf([0]), false],
])('%s', (_, step, page, isFirst) => {
  expect(follow(step, page)).toMatchObject({ kind: 'store', isFirst })
})

test.each<[string, StoredState, CrawlPage, object]>([
  [
    'withholds no more what it did: all is read again',
    makeComplete({ isRedacted: true }),
    pageOf([0]),
    { status: 'filling', isRedacted: false, fill: { cursor: null }, storedFrom: FILLED_FROM },
  ],
  [
    'withholds what it did not: what is stored stays',
    makeComplete(),
    redact(pageOf([0])),
    { status: 'complete', isRedacted: true },
  ],
])('a key %s', (_, state, page, after) => {
  expect(follow(look(state), page)).toMatchObject({ kind: 'store', isFirst: false, state: after })
})

const COMPARED = { total: 9, since: FILLED_FROM, isAfterAll: false }

test.each<[string, Step, CrawlPage, StoreOutcome['expected']]>([
  ['at a look', look(makeComplete()), pageOf([0], { total: 9 }), COMPARED],
  [
    'at the end of all of it',
    look(makeComplete(), { until: FILLED_FROM }),
    pageOf([0], { total: 9 }),
    { ...COMPARED, isAfterAll: true },
  ],
  ['not while it fills', look(makeFilling()), pageOf([0], { total: 9 }), null],
  ['not before it has caught up', look(makeComplete()), pageOf([0], { total: 9, next: NEXT }), null],
  ['not at a further page', goOn(makeCatchingUp()), pageOf([2 * HOUR_MS], { total: 9 }), null],
  ['not where the list says no total', look(makeComplete()), pageOf([0]), null],
  ['not where the plan allows no bound', look(makeComplete(PLAN)), pageOf([0], { total: 9 }), null],
])('what is stored is compared with the total %s', (_, step, page, expected) => {
  expect(follow(step, page)).toMatchObject({ expected })
})

test.each<[string, Step, CrawlPage, CrawlName[]]>([
  ['of the fill at a first page', beginWith(), pageOf([0]), ['newer']],
  [
    'of the fill at a page further back',
    older(makeFilling()),
    pageOf([11 * DAY_MS], { next: NEXT }),
    ['newer'],
  ],
  [
    'of neither at a page that was read before',
    older(makeFilling()),
    pageOf([DAY_MS], { next: NEXT }),
    ['newer', 'older'],
  ],
  ['of the fill at its end', older(makeFilling()), pageOf([DAY_MS]), ['newer']],
  ['of the look at its end', look(makeFilling()), pageOf([0]), ['older']],
  [
    'of neither before a look has ended',
    look(makeFilling()),
    pageOf([0], { next: NEXT }),
    ['newer', 'older'],
  ],
])('forgets the failures %s', (_, step, page, left) => {
  const backoffs = { ...NO_BACKOFF, ...Object.fromEntries(left.map((crawl) => [crawl, FAILED[crawl]])) }
  expect(follow(step, page, { backoffs: FAILED })).toMatchObject({ backoffs })
})

const failure = (kind: UpstreamErrorKind, retryAtMs: number | null = null) =>
  new UpstreamError({ set: 'v1', kind, reason: 'a test', retryAtMs })
const NO_BOUND = { since: null }
const BARE: Cursor = { set: 'v1', cursor: 'bare', used: [], since: null }
const ASCENDING = {
  ...beginReading(NOW, 0),
  pages: 1,
  isUnordered: true,
  oldest: Date.parse(ago(DAY_MS)),
  newest: Date.parse(ago(HOUR_MS)),
}
const REFUSED: KnownList = { ...UNKNOWN_LIST, order: 'newestFirst', paging: 'refused' }
const ENDED = { kind: 'store', page: { threats: [] } }
const LOST = { kind: 'pause', isCursorLost: true }
const RESTS = { kind: 'pause', isCursorLost: false }

test.each<[string, Step, UpstreamErrorKind, object | null]>([
  [
    'begins without a bound that the plan forbids',
    beginWith(),
    'forbidden',
    { kind: 'request', step: beginWith(null) },
  ],
  ['cannot begin where the plan forbids the list', beginWith(null), 'forbidden', null],
  ['cannot begin while the vendor is away', beginWith(), 'unavailable', null],
  [
    'goes on without a bound when the plan has shrunk',
    look(makeComplete()),
    'forbidden',
    {
      kind: 'request',
      step: { crawl: 'newer', since: null, from: { storedFrom: FILLED_FROM, since: null } },
    },
  ],
  [
    'fills from the newest record when it has shrunk meanwhile',
    older(makeFilling()),
    'forbidden',
    { kind: 'request', step: { crawl: 'older', since: null, cursor: null, from: { since: null } } },
  ],
  [
    'is complete when a further page is forbidden',
    older(makeFilling(NO_BOUND)),
    'forbidden',
    { ...ENDED, state: { status: 'complete', nextReadAt: DUE_AT } },
  ],
  [
    'has caught up when a further page is forbidden',
    goOn(makeCatchingUp(NO_BOUND)),
    'forbidden',
    { ...ENDED, state: { status: 'complete' } },
  ],
  [
    'rests when all of its list is forbidden',
    look(makeComplete(NO_BOUND)),
    'forbidden',
    { ...RESTS, state: makeComplete(NO_BOUND) },
  ],
  [
    "asks without the list's bound when its cursor is refused with it",
    older(BOTH),
    'rejected',
    { kind: 'request', step: { crawl: 'older', cursor: { cursor: 'older', since: null } } },
  ],
  [
    'fills from the newest record when its cursor is refused without it',
    older(makeFilling({ fill: { cursor: BARE }, catchUp: CATCH_UP })),
    'rejected',
    { ...LOST, state: { status: 'filling', fill: { cursor: null }, catchUp: CATCH_UP, list: REFUSED } },
  ],
  [
    'goes on from the newest record that was read when the list is oldest first',
    older(makeFilling({ fill: { cursor: { ...BARE, reading: ASCENDING } } })),
    'rejected',
    { kind: 'request', step: { cursor: { cursor: null, since: ago(HOUR_MS) } } },
  ],
  [
    'tries no other way again where none has led on',
    older(makeFilling({ list: REFUSED })),
    'rejected',
    { ...LOST, state: { fill: { cursor: null }, list: REFUSED } },
  ],
  [
    'looks anew when its cursor is refused',
    goOn(makeCatchingUp({ catchUp: { ...CATCH_UP, cursor: BARE } })),
    'rejected',
    { ...LOST, state: { status: 'complete', storedTo: ago(MINUTE_MS), list: REFUSED } },
  ],
  [
    'looks anew and fills on when its cursor is refused',
    goOn(makeFilling({ catchUp: { ...CATCH_UP, cursor: BARE } })),
    'rejected',
    { ...LOST, state: makeFilling({ list: REFUSED }) },
  ],
  [
    'rests when its question is refused',
    look(makeComplete()),
    'rejected',
    { ...RESTS, state: makeComplete() },
  ],
  [
    'keeps its cursor while the vendor is away',
    older(makeFilling()),
    'unavailable',
    { ...RESTS, state: makeFilling() },
  ],
])('a window %s', (_, step, kind, outcome) => {
  const found = afterFailure(step, step, failure(kind), makeFacts())
  if (outcome) expect(found).toMatchObject(outcome)
  else expect(found).toBeNull()
})

test.each<[string, Step, UpstreamErrorKind, object]>([
  ['still polls for new records', look(makeComplete()), 'unavailable', { ...RESTS, state: makeComplete() }],
  [
    'begins without a bound first',
    look(makeComplete()),
    'forbidden',
    { kind: 'request', step: beginWith(null) },
  ],
  ['still fills', older(makeFilling()), 'unavailable', { ...RESTS, state: makeFilling() }],
])('a store that cannot start again %s', (_, chosen, kind, outcome) => {
  expect(afterFailure(chosen, beginWith(), failure(kind), makeFacts())).toMatchObject(outcome)
})

test.each<[UpstreamErrorKind, Step, RegExp]>([
  ['rejected', look(makeComplete()), /refuses the request for its list/],
  ['rejected', goOn(makeCatchingUp({ list: REFUSED })), /between the newest and those read before/],
  ['rejected', older(makeFilling({ list: REFUSED })), /older threats are missing/],
  ['unavailable', older(makeFilling()), /cannot be reached/],
])('says of a call that is %s what is shown meanwhile', (kind, step, trouble) => {
  const { newer, older: fill } = pauseOf(step, kind)
  expect(newer.trouble ?? fill.trouble).toMatch(trouble)
})

function pauseOf(step: Step, kind: UpstreamErrorKind): Backoffs {
  const outcome = afterFailure(step, step, failure(kind), makeFacts())
  if (outcome?.kind !== 'pause') throw new Error('No rest')
  return outcome.backoffs
}
