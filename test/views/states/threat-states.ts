import type { VictimCase } from '#contract/bff/case.ts'
import type { ThreatDetail } from '#contract/bff/threat.ts'
import type { MissingParts } from '#contract/bff/threat-list.ts'
import { aThreat, aThreatDetail } from '#test/fixtures/threat-fixtures.ts'
import { NASTY_STRINGS } from '#test/support/app/nasty-strings.ts'
import { FRESH, type PageState, type Replies, refuse, reply, STALE } from '../page-state.ts'

const MARK = { at: '2026-11-21T12:00:00.000Z', who: 'bob@lantern.example' }

const RELATED = reply({
  groups: [
    {
      relation: 'actor',
      value: 'Pale Harbour',
      threats: [aThreat('a-2'), aThreat('a-3')],
      unavailable: null,
    },
    { relation: 'victim', value: 'Northwind Clinics', threats: [], unavailable: null },
    { relation: 'country', value: 'DE', threats: [], unavailable: 'Threats are still being read.' },
  ],
  freshness: FRESH,
})

const CASE: VictimCase = {
  id: '12',
  claims: [
    {
      threat: aThreat('a-3', { title: 'Northwind Clinics, for sale', actors: ['Grey Broker'] }),
      reason: { threatId: 'a-1', rule: 'domain', text: 'northwind.example' },
    },
    { threat: aThreat('a-1'), reason: { threatId: 'a-2', rule: 'hand', text: 'bob@lantern.example' } },
    { threat: aThreat('a-2', { publishedAt: '2026-11-02T08:30:00.000Z' }), reason: null },
  ],
  claimCount: 3,
  revision: 0,
  actorCount: 2,
  offers: [
    {
      threat: aThreat('a-4', { title: 'North Wind' }),
      reason: { threatId: 'a-1', rule: 'name-in-name', text: 'Northwind' },
    },
  ],
}

const BESIDE: Replies = {
  'threats/a-1/case': reply({ found: CASE, isComparing: false }),
  'threats/a-1/stored': reply(null),
  'threats/a-1/related': RELATED,
  'threats/a-1/profiles': reply({
    profiles: [
      { id: 'p-1', name: 'Clinics', verdict: 'matches', keywords: ['northwind'], categories: [] },
      { id: 'p-2', name: 'Energy', verdict: 'no_keyword', keywords: [], categories: [] },
    ],
    freshness: FRESH,
  }),
  'threats/a-1/evidence/0': refuse('picture_unavailable', 422),
  'triage/a-1/history': reply({
    events: [{ ...MARK, id: '1', action: 'note', reason: null, text: 'Asked the clinic.', isUndone: false }],
  }),
}

const threat = (some: Partial<ThreatDetail> = {}, freshness = FRESH) =>
  reply({ threat: aThreatDetail('a-1', some), freshness })

const listed = (missing: MissingParts, freshness = FRESH) => {
  const details = { content: null, sourceUrl: null, analysis: null, records: [] }
  return reply({ threat: aThreatDetail('a-1', details), freshness, missing })
}

function page(state: string, says: string, replies: Replies): PageState {
  return { page: 'Threat', state, url: '/threats/a-1', says, replies: { ...BESIDE, ...replies } }
}

const NASTY = Object.values(NASTY_STRINGS)
const EVERYTHING = NASTY.map((text) => text.slice(0, 2_000)).join('\n')

export const THREAT_STATES: readonly PageState[] = [
  page('full', 'A clinic group is extorted.', {
    'threats/a-1': threat({
      evidence: [
        { type: 'screenshot', url: 'https://cdn.example/1.png', picture: '/bff/threats/a-1/evidence/0' },
      ],
      otherFields: [{ path: 'meta.tags[0]', value: 'extortion' }],
    }),
  }),
  page('bare', 'Threat a-1', {
    'threats/a-1': threat({
      excerpt: null,
      content: null,
      analysis: null,
      sourceUrl: null,
      severity: null,
      category: null,
      actors: [],
      countries: [],
      industries: [],
      organizations: [],
      domains: [],
      publishedAt: null,
    }),
    'threats/a-1/related': reply({ groups: [], freshness: FRESH }),
    'triage/a-1/history': reply({ events: [] }),
  }),
  page('withheld by the plan', 'Withheld', {
    'threats/a-1': threat({
      title: null,
      content: null,
      sourceUrl: null,
      analysis: null,
      redacted: ['title', 'content', 'sourceUrl', 'analysis'],
    }),
  }),
  page('stale', 'This is what Lantern knew', { 'threats/a-1': threat({}, STALE) }),
  page('hostile text', 'Raw record', {
    'threats/a-1': threat({
      title: NASTY_STRINGS['right-to-left override'] ?? '',
      content: EVERYTHING,
      actors: NASTY,
      organizations: NASTY,
      otherFields: NASTY.map((value, at) => ({ path: `path[${at}]`, value })),
    }),
  }),
  page('stored, details on their way', 'Asking the vendor', {
    'threats/a-1': 'never',
    'threats/a-1/stored': listed({ state: 'reading', because: 'the vendor is being queried' }),
  }),
  page('stored, details away', 'Not available now, because', {
    'threats/a-1': listed({ state: 'unavailable', because: 'the vendor took too long to answer' }, STALE),
  }),
  page('stored, gone from the vendor', 'Gone from the vendor', {
    'threats/a-1': listed(
      { state: 'gone', because: 'the vendor does not have this record any more' },
      { ...STALE, staleReason: 'The vendor does not have this record any more.' },
    ),
  }),
  page('half of it in the plan', 'your plan does not include the earlier API', {
    'threats/a-1': reply({
      threat: aThreatDetail('a-1', { content: null }),
      freshness: FRESH,
      missing: {
        state: 'unavailable',
        because: 'API v1 gave none, and your plan does not include the earlier API',
      },
    }),
  }),
  page('look-alikes', 'but а is Cyrillic', {
    'threats/a-1': threat({
      title: 'Data of \u0430pple.com and northwind.example for sale',
      organizations: ['northwind.example', '\u0430\u0441\u0435.com', 'Почта'],
      domains: ['\u0430pple.com'],
    }),
  }),
  page('loading', 'Threats', { 'threats/a-1': 'never' }),
  page('not found', 'Threat not found', { 'threats/a-1': refuse('not_found', 404) }),
  page('outside the plan', 'This threat lies outside your plan', {
    'threats/a-1': refuse('plan_not_allowed', 403),
  }),
  page('failed', 'This threat did not load', { 'threats/a-1': refuse('upstream_timeout', 504) }),
]
