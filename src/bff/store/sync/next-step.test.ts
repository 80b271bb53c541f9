import { expect, test } from 'vitest'
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
  makeFilling,
  NOW,
  older,
  pageOf,
  redact,
} from '#test/support/store/sync-facts.ts'
import type { Facts, Step } from './choose-step.ts'
import type { CrawlPage } from './crawl.ts'

const NEXT = cursorAt('next')
const DUE_AT = ago(-15_000)
const CALLS = { limit: 5, remaining: 5, resetsAt: null }
const SMALL: Partial<Facts> = {
  budgets: { minute: CALLS, day: { limit: 100, remaining: 60, resetsAt: ago(-12 * HOUR_MS) } },
}
const BOTH = makeFilling({ catchUp: CATCH_UP })
const PLAN = { since: null, storedFrom: ago(8 * DAY_MS) }

test.each<[string, Step, CrawlPage, object]>([
  // The first page.
  [
    'is complete when its first page is all there is',
    beginWith(),
    pageOf([0, 29 * DAY_MS]),
    { status: 'complete', storedFrom: FILLED_FROM, storedTo: NOW, reconciledAt: NOW, nextReadAt: DUE_AT },
  ],
  [
    'fills when its first page promises more',
    beginWith(),
    pageOf([0, HOUR_MS], { next: NEXT }),
    { status: 'filling', fill: { cursor: NEXT }, catchUp: null, storedFrom: ago(HOUR_MS), storedTo: NOW },
  ],
  [
    'claims no more than a first page that is cut short',
    beginWith(),
    pageOf([0, 29 * DAY_MS], { isCut: true }),
    { status: 'complete', storedFrom: ago(29 * DAY_MS) },
  ],
  [
    'claims no more than a first page that a plan cuts without a word',
    beginWith(),
    pageOf([0, HOUR_MS, 7 * DAY_MS]),
    { storedFrom: ago(7 * DAY_MS) },
  ],
  ['claims nothing for an empty list', beginWith(), pageOf([]), { status: 'complete', storedFrom: NOW }],
  [
    'begins with its last record where the plan allows no bound',
    beginWith(null),
    pageOf([0, DAY_MS]),
    { since: null, storedFrom: ago(DAY_MS) },
  ],
  ['knows a redacted list by its first page', beginWith(), redact(pageOf([0])), { isRedacted: true }],
  [
    'takes no record from the future for the end of its list',
    beginWith(null),
    pageOf([-DAY_MS]),
    { storedFrom: NOW },
  ],
  // A page towards its start.
  [
    'fills on',
    older(makeFilling()),
    pageOf([10 * DAY_MS, 12 * DAY_MS], { next: NEXT }),
    { status: 'filling', fill: { cursor: NEXT }, storedFrom: ago(12 * DAY_MS), lastReadAt: NOW },
  ],
  [
    'is complete at the end of the list',
    older(makeFilling()),
    pageOf([29 * DAY_MS]),
    { status: 'complete', storedFrom: FILLED_FROM },
  ],
  [
    'is complete past its start, whatever the list goes on with',
    older(makeFilling()),
    pageOf([31 * DAY_MS], { next: NEXT }),
    { status: 'complete', storedFrom: FILLED_FROM },
  ],
  [
    'claims no more than a list that is cut short',
    older(makeFilling()),
    pageOf([20 * DAY_MS], { isCut: true }),
    { status: 'complete', storedFrom: ago(20 * DAY_MS) },
  ],
  [
    'still catches up when it is filled',
    older(BOTH),
    pageOf([29 * DAY_MS]),
    { status: 'catchingUp', catchUp: CATCH_UP },
  ],
  [
    'keeps what it has when it is filled from the newest again',
    older(makeFilling({ fill: { cursor: null } })),
    pageOf([0, DAY_MS], { next: NEXT }),
    { fill: { cursor: NEXT }, storedFrom: ago(10 * DAY_MS) },
  ],
  // A page back to what is stored.
  [
    'is in step again after a page that meets what is stored',
    look(makeComplete()),
    pageOf([0, 2 * HOUR_MS], { next: NEXT }),
    { status: 'complete', storedTo: NOW, lastReadAt: NOW, nextReadAt: DUE_AT },
  ],
  [
    'catches up over several pages, and claims nothing meanwhile',
    look(makeComplete()),
    pageOf([0, 1_000], { next: NEXT }),
    {
      status: 'catchingUp',
      catchUp: { cursor: NEXT, startedAt: NOW, until: ago(HOUR_MS) },
      storedTo: ago(MINUTE_MS),
      nextReadAt: NOW,
    },
  ],
  [
    'claims so much again while a reconciliation is still under way',
    look(makeComplete(), { until: ago(2 * DAY_MS) }),
    pageOf([0, HOUR_MS], { next: NEXT }),
    { status: 'catchingUp', storedTo: NOW },
  ],
  [
    'goes on to catch up',
    goOn(makeCatchingUp()),
    pageOf([1_000], { next: NEXT }),
    { status: 'catchingUp', catchUp: { ...CATCH_UP, cursor: NEXT } },
  ],
  [
    'has caught up to when that began',
    goOn(makeCatchingUp()),
    pageOf([2 * HOUR_MS], { next: NEXT }),
    { status: 'complete', storedTo: CATCH_UP.startedAt },
  ],
  [
    'is in step after a list that ends early',
    look(makeComplete()),
    pageOf([0]),
    { status: 'complete', storedTo: NOW, storedFrom: FILLED_FROM },
  ],
  [
    'leaves the gap open when a list breaks off above what is stored',
    look(makeComplete()),
    pageOf([0], { isCut: true }),
    { status: 'complete', storedTo: ago(MINUTE_MS) },
  ],
  [
    'fills on after a look',
    look(makeFilling()),
    pageOf([0, 2 * HOUR_MS]),
    { status: 'filling', fill: { cursor: cursorAt('older') }, catchUp: null },
  ],
  [
    'fills and catches up at a time',
    look(makeFilling()),
    pageOf([0], { next: NEXT }),
    {
      status: 'filling',
      fill: { cursor: cursorAt('older') },
      catchUp: { cursor: NEXT, startedAt: NOW, until: ago(HOUR_MS) },
    },
  ],
  [
    'is reconciled when two days were read',
    look(makeComplete(), { until: ago(2 * DAY_MS) }),
    pageOf([3 * DAY_MS]),
    { reconciledAt: NOW },
  ],
  ['is not reconciled by less', look(makeComplete()), pageOf([3 * DAY_MS]), { reconciledAt: ago(MINUTE_MS) }],
  [
    'reads a list that is cut short again no sooner than others, and knows that it is',
    look(makeComplete(), { until: ago(2 * DAY_MS) }),
    pageOf([DAY_MS], { isCut: true }),
    { reconciledAt: NOW, list: { endlessPages: 1 } },
  ],
  [
    'takes over a bound that has moved',
    look(makeComplete(), { since: ago(29 * DAY_MS) }),
    pageOf([0]),
    { since: ago(29 * DAY_MS) },
  ],
  [
    'begins where it did when a list without a bound ends later',
    look(makeComplete(PLAN), { until: ago(99 * DAY_MS) }),
    pageOf([0, 7 * DAY_MS]),
    { storedFrom: ago(8 * DAY_MS) },
  ],
  [
    'begins earlier where such a list goes on further',
    look(makeComplete(PLAN), { until: ago(99 * DAY_MS) }),
    pageOf([0, 9 * DAY_MS]),
    { storedFrom: ago(9 * DAY_MS), beyond: 'planWindow' },
  ],
  [
    'begins where it did while such a list goes on',
    look(makeComplete(PLAN)),
    pageOf([0, 7 * DAY_MS], { next: NEXT }),
    { storedFrom: ago(8 * DAY_MS) },
  ],
  [
    'begins no earlier than records are kept',
    look(makeComplete({ storedFrom: ago(90 * DAY_MS) })),
    pageOf([0]),
    { storedFrom: FILLED_FROM },
  ],
  [
    'does not judge redaction by a further page',
    goOn(makeCatchingUp()),
    redact(pageOf([HOUR_MS * 2])),
    { status: 'complete', isRedacted: false },
  ],
  [
    'is as redacted as before when a page is empty',
    look(makeComplete({ isRedacted: true })),
    pageOf([]),
    { isRedacted: true },
  ],
])('a window %s', (_, step, page, state) => {
  expect(follow(step, page)).toMatchObject({ kind: 'store', page, state })
})

test('reads less often with a small budget', () => {
  expect(follow(look(makeComplete()), pageOf([0]), SMALL)).toMatchObject({
    state: { nextReadAt: ago(-HOUR_MS / 2) },
  })
})

test('accepts a bound far before the last record if there are few records', () => {
  const outcome = (countStored: number) =>
    follow(older(makeFilling()), pageOf([20 * DAY_MS]), { countStored })
  expect(outcome(5)).toMatchObject({ state: { storedFrom: FILLED_FROM } })
  expect(outcome(500)).toMatchObject({ state: { storedFrom: ago(20 * DAY_MS) } })
})
