import { aBacktest, anAlertList, aProfile, aProfileMatches } from '#test/fixtures/alert-fixtures.ts'
import { aThreat } from '#test/fixtures/threat-fixtures.ts'
import { NASTY_STRINGS } from '#test/support/app/nasty-strings.ts'
import { type PageState, type Replies, type Reply, refuse, reply } from '../page-state.ts'

const PROFILES = [
  aProfile('p-1', { name: 'Clinics' }),
  aProfile('p-2', { name: 'Energy', triggeredCount: null, createdAt: null, categories: [], window: null }),
]

const MATCHES = {
  'alerts/p-1/matches': reply(aProfileMatches([{ threat: aThreat('a-1'), keywords: ['northwind'] }])),
  'threats/a-9/profiles': reply({ profiles: [], vendorProblem: null, freshness: aBacktest().freshness }),
}

const FULL = aBacktest({
  matches: 46,
  days: aBacktest().days.map((day, at) => ({ ...day, count: (at * 5) % 7 })),
  keywords: [
    { keyword: 'northwind', understoodAs: 'northwind', matches: 40, alone: 34, flags: [] },
    { keyword: '"pale harbour"', understoodAs: '"pale harbour"', matches: 12, alone: 6, flags: ['common'] },
    { keyword: '!!', understoodAs: null, matches: 0, alone: 0, flags: ['unreadable'] },
  ],
  overlaps: [{ profileId: 'p-2', name: 'Energy', shared: 9, matches: 30 }],
  samples: [{ threat: aThreat('a-1'), keywords: ['northwind'] }],
  forecast: { perWeek: 11.5, low: 7, high: 16, basedOnDays: 30 },
})

function alerts(state: string, says: string, answer: Reply, some: Partial<PageState> = {}): PageState {
  return { page: 'Alerts', state, url: '/alerts', says, ...some, replies: { ...MATCHES, alerts: answer } }
}

function builder(state: string, says: string, replies: Replies, url = BEGUN): PageState {
  return { page: 'Alert builder', state, url, says, replies }
}

const BEGUN =
  '/alerts/new?name=Clinics&keyword=northwind&keyword=%22pale+harbour%22&keyword=!!&category=Ransomware'

export const ALERT_STATES: readonly PageState[] = [
  alerts('full', 'Energy', reply(anAlertList(PROFILES))),
  alerts('a profile open', 'Why did a threat not match?', reply(anAlertList(PROFILES)), {
    url: '/alerts?profile=p-1',
  }),
  alerts('just created', 'was created.', reply(anAlertList(PROFILES)), { url: '/alerts?created=p-1' }),
  alerts('empty', 'No alert profiles yet', reply(anAlertList([]))),
  alerts(
    'hostile text',
    'Alerts',
    reply(
      anAlertList(
        Object.values(NASTY_STRINGS).map((text, at) =>
          aProfile(`h-${at}`, { name: text, keywords: [text], categories: [text] }),
        ),
      ),
    ),
  ),
  alerts('loading', 'Alerts', 'never'),
  alerts('not in the plan', 'new ones run in Lantern', refuse('plan_not_allowed', 403)),
  alerts('not offered', 'This vendor offers no profiles in its account', refuse('not_offered', 404)),
  alerts('failed', 'Profiles of the vendor’s account are missing', refuse('upstream_unavailable', 502)),
  builder('empty', 'Create profile', { 'alert-profiles/backtest': reply(aBacktest()) }, '/alerts/new'),
  builder('with its backtest', 'Energy', { 'alert-profiles/backtest': reply(FULL) }),
  builder('too much noise', 'Create profile', {
    'alert-profiles/backtest': reply({
      ...FULL,
      matches: 900,
      forecast: { perWeek: 210, low: 180, high: 240, basedOnDays: 30 },
    }),
  }),
  builder('no match', 'Create profile', { 'alert-profiles/backtest': reply(aBacktest()) }),
  builder('backtest on its way', 'Create profile', { 'alert-profiles/backtest': 'never' }),
  builder('window empty', 'Nothing to compare with yet', {
    'alert-profiles/backtest': refuse('window_empty', 503),
  }),
]
