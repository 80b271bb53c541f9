import type { Overview, TimeCount } from '#contract/bff/overview.ts'
import { daysUpTo, thirtyDaysUpTo } from '#test/fixtures/days.ts'
import { METRICS } from '#test/fixtures/metrics-fixtures.ts'
import { NO_TEAM_FIGURES, TEAM_FIGURES } from '#test/fixtures/team-fixtures.ts'
import { aThreat } from '#test/fixtures/threat-fixtures.ts'
import { aTrendAnswer } from '#test/fixtures/trend-fixtures.ts'
import { FRESH, type PageState, type Replies, refuse, reply, STALE } from '../page-state.ts'

/** A comparison whose times say nothing here. */
const against = (count: number, previous: number) => ({
  count,
  previous,
  until: '2026-11-21T09:12:00.000Z',
  previousSince: '2026-09-01T09:12:00.000Z',
  previousUntil: '2026-09-03T09:12:00.000Z',
})

const period = (since: string, some: Partial<TimeCount> = {}): TimeCount => ({
  since,
  until: '2026-11-21T09:13:00.000Z',
  count: 128,
  isWhole: true,
  compared: against(128, 96),
  ...some,
})

const month = (some: Partial<TimeCount>): Overview['period'] => ({
  ...period('2026-10-22T09:12:00.000Z', some),
  ...thirtyDaysUpTo('2026-11-21'),
})

const ranked = (...values: string[]) =>
  values.map((value, at) => ({
    value,
    count: 40 - at * 6,
    compared: { count: 40 - at * 6, previous: at * 12 },
  }))

const OVERVIEW: Overview = {
  lastVisit: period('2026-11-21T06:10:00.000Z', { count: 3, compared: against(3, 6) }),
  concerns: null,
  day: period('2026-11-20T09:12:00.000Z', { count: 20 }),
  week: period('2026-11-15T00:00:00.000Z'),
  period: month({ count: 640, isWhole: false, compared: null }),
  top: {
    actor: ranked('Pale Harbour', 'Ashfall', 'Mirelock', 'Quillon'),
    country: ranked('US', 'DE', 'FR', 'JP'),
    industry: ranked('Healthcare', 'Energy', 'Retail'),
    severity: ranked('critical', 'high', 'medium', 'low'),
  },
  newestCritical: [aThreat('a-1', { severity: 'critical' }), aThreat('a-2', { severity: 'critical' })],
  days: daysUpTo('2026-11-21'),
  freshness: FRESH,
}

const WITHOUT_TODAY = { ...against(120, 112), isWithoutToday: true }
const BY_DAY: Overview = {
  ...OVERVIEW,
  isDatedByDay: true,
  lastVisit: period('2026-11-21T00:00:00.000Z', { count: 3, compared: null }),
  day: period('2026-11-20T09:12:00.000Z', { count: 20, compared: null }),
  week: period('2026-11-15T00:00:00.000Z', { compared: WITHOUT_TODAY }),
  period: month({ count: 640, compared: WITHOUT_TODAY }),
}

const EMPTY: Overview = {
  ...OVERVIEW,
  lastVisit: null,
  day: period('2026-11-20T09:12:00.000Z', { count: null, compared: null }),
  week: period('2026-11-15T00:00:00.000Z', { count: null, compared: null }),
  period: month({ count: null, compared: null }),
  top: { actor: [], country: [], industry: [], severity: [] },
  newestCritical: [],
}

const OCTOBER = {
  name: '2026-10',
  unit: 'day',
  from: '2026-10-01',
  to: '2026-10-31',
  isRunning: false,
} as const
const MONTH: Overview = {
  ...OVERVIEW,
  period: { ...month({ count: 640, compared: { ...against(620, 510), isOver: true } }), ...OCTOBER },
}
const MONTH_NOT_STORED: Overview = {
  ...OVERVIEW,
  period: { ...month({ count: null, isWhole: false, compared: null }), ...OCTOBER },
  top: { actor: [], country: [], industry: [], severity: [] },
}

const TREND = reply(aTrendAnswer({ series: ['Ransomware', 'DDoS'] }))

function overview(state: string, says: string, replies: Replies, url = '/'): PageState {
  return { page: 'Overview', state, url, says, replies: { trends: TREND, ...replies } }
}

function metrics(state: string, says: string, replies: Replies): PageState {
  return {
    page: 'Metrics',
    state,
    url: '/metrics',
    says,
    replies: { trends: TREND, 'team-figures': reply(TEAM_FIGURES), ...replies },
  }
}

export const FIGURE_STATES: readonly PageState[] = [
  overview('full', 'Mirelock', { overview: reply(OVERVIEW) }),
  overview('a month that is over', 'Mirelock', { overview: reply(MONTH) }, '/?period=2026-10'),
  overview(
    'a month that is not stored',
    'Nothing of October 2026 is stored.',
    { overview: reply(MONTH_NOT_STORED) },
    '/?period=2026-10',
  ),
  overview('an unknown period', 'unknown or still to come', { overview: reply(OVERVIEW) }, '/?period=foo'),
  overview('dates without times', 'Mirelock', { overview: reply(BY_DAY) }),
  overview('little stored yet', 'Overview', {
    overview: reply(EMPTY),
    trends: reply(aTrendAnswer({ days: 5 })),
  }),
  overview('loading', 'Overview', { overview: 'never', trends: 'never' }),
  overview('failed', 'What happened (internal)', {
    overview: refuse('internal', 500),
    trends: refuse('internal', 500),
  }),
  metrics('full', 'queue.depth', {
    metrics: reply({
      ...METRICS,
      metrics: { ...METRICS.metrics, otherFields: [{ path: 'queue.depth', value: '12' }] },
    }),
  }),
  metrics('stale', 'not current', { metrics: reply({ ...METRICS, freshness: STALE }) }),
  metrics('work of the team', '90 % within 6 h, 34 cases', { metrics: reply(METRICS) }),
  metrics('no work yet', 'Nobody has acted on a case yet', {
    metrics: reply(METRICS),
    'team-figures': reply(NO_TEAM_FIGURES),
  }),
  metrics('loading', 'Metrics', {
    'team-figures': 'never',
    metrics: 'never',
    trends: 'never',
  }),
  metrics('not in the plan', 'Your plan has no metrics', { metrics: refuse('plan_not_allowed', 403) }),
  metrics('not offered', 'This vendor offers no metrics', { metrics: refuse('not_offered', 404) }),
  metrics('failed', 'What happened (upstream_timeout)', { metrics: refuse('upstream_timeout', 504) }),
]
