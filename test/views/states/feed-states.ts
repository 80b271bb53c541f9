import type { ConditionAnswer } from '#contract/bff/condition.ts'
import type { Coverage } from '#contract/bff/coverage.ts'
import type { Threat } from '#contract/bff/threat.ts'
import type { FacetAnswer, ThreatList } from '#contract/bff/threat-list.ts'
import { aThreat, aThreatList } from '#test/fixtures/threat-fixtures.ts'
import { NASTY_STRINGS } from '#test/support/app/nasty-strings.ts'
import { FRESH, type PageState, type Reply, refuse, reply, STALE } from '../page-state.ts'
import { signedInAs } from '../stand-in-bff.ts'
import { FULL_TEXT_STATES } from './full-text-states.ts'

const SEVERITIES = ['critical', 'high', 'medium', 'low', null]

const THREATS: readonly Threat[] = Array.from({ length: 24 }, (_, at) =>
  aThreat(`a-${at}`, {
    severity: SEVERITIES[at % SEVERITIES.length] ?? null,
    publishedAt: new Date(Date.parse('2026-11-21T12:00:00Z') - at * 5_400_000).toISOString(),
  }),
)

const HOSTILE: readonly Threat[] = Object.entries(NASTY_STRINGS).map(([name, text], at) =>
  aThreat(`h-${at}`, {
    title: text,
    excerpt: `${name}: ${text}`,
    actors: [text],
    organizations: [text],
    countries: [{ code: null, name: text }],
    domains: [text],
    category: text,
    severity: text,
  }),
)

const LONG = 'An exceedingly long name of a holding company of holding companies '.repeat(8)

const list = (threats: readonly Threat[], some: Partial<ThreatList> = {}) =>
  reply(aThreatList([...threats], { freshness: FRESH, ...some }))

const FACETS: ThreatList['facets'] = {
  category: [{ value: 'Ransomware', count: 24 }],
  country: [{ value: 'DE', count: 24 }],
  actor: [{ value: 'Pale Harbour', count: 24 }],
  industry: [{ value: 'Healthcare', count: 24 }],
  severity: [
    { value: 'critical', count: 5 },
    { value: 'high', count: 5 },
  ],
}

const IN_PART: Coverage = {
  status: 'part',
  from: '2026-08-26T00:00:00.000Z',
  to: '2026-11-21T12:00:00.000Z',
  gaps: [
    { from: '2026-10-03T00:00:00.000Z', to: '2026-10-05T00:00:00.000Z', why: 'notRead' },
    { from: null, to: '2026-08-26T00:00:00.000Z', why: 'planWindow' },
  ],
}
const NONE: Coverage = {
  status: 'none',
  from: null,
  to: null,
  gaps: [{ from: null, to: '2026-11-21T12:00:00.000Z', why: 'notRead' }],
}

const MARK = { at: '2026-11-21T12:00:00.000Z', who: 'bob@lantern.example' }

function feed(state: string, says: string, threats: Reply, some: Partial<PageState> = {}): PageState {
  return { page: 'Threats', state, url: '/threats', says, ...some, replies: { threats, ...some.replies } }
}

export const FEED_STATES: readonly PageState[] = [
  feed('full', '24 cases', list(THREATS, { facets: FACETS })),
  feed(
    'filtered, searched and selected',
    'Clear all',
    list(THREATS.slice(0, 3), { understoodAs: '"pale harbour"' }),
    {
      url: '/threats?q=%22pale+harbour%22&severity=high&country=DE&within=7d&selected=a-1&selected=a-2',
    },
  ),
  feed('triaged', 'Closed', list(THREATS.slice(0, 4)), {
    replies: {
      'triage/states': reply({
        states: [
          { id: 'a-0', read: MARK, starred: null, closed: null, owner: null, notes: 0 },
          { id: 'a-1', read: MARK, starred: MARK, closed: null, owner: null, notes: 2 },
          {
            id: 'a-2',
            read: MARK,
            starred: null,
            closed: { ...MARK, reason: 'duplicate', text: null },
            owner: null,
            notes: 0,
          },
        ],
      }),
    },
  }),
  feed('for a viewer', '24 cases', list(THREATS), { replies: { session: signedInAs('viewer') } }),
  feed('loading', 'Loading…', 'never'),
  feed('empty', 'No threats yet', list([])),
  feed('nothing matches', 'No threats match', list([]), {
    url: `/threats?${new URLSearchParams([
      ['q', 'country:DE actor:qilni'],
      ['severity', 'low'],
      ['industry', LONG.slice(0, 500)],
      ['within', '7d'],
    ])}`,
    replies: {
      conditions: reply<ConditionAnswer>({
        conditions: [
          { name: 'q', part: 0, count: 192, nearest: [] },
          {
            name: 'q',
            part: 1,
            count: 0,
            nearest: [
              {
                field: 'actor',
                value: 'qilni',
                instead: 'Qilin',
                count: 152,
                place: { from: 17, to: 22, fix: 'Qilin' },
              },
            ],
          },
          { name: 'severity', count: 1_204, nearest: [] },
          {
            name: 'industry',
            count: 0,
            nearest: [{ field: 'industry', value: LONG, instead: `${LONG}s`, count: 1 }],
          },
          { name: 'within', count: 312, nearest: [] },
        ],
        more: 0,
        isExact: true,
      }),
      'facets/actor': reply<FacetAnswer>({ values: [], more: 0, isExact: false }),
    },
  }),
  feed('stale', 'This is what Lantern knew', list(THREATS, { freshness: STALE })),
  feed(
    'stored in part, inexact',
    'about 12,345 cases',
    list(THREATS, {
      total: 12_345,
      isTotalExact: false,
      freshness: { ...FRESH, coverage: IN_PART },
    }),
  ),
  feed(
    'nothing stored of the time',
    'No threats stored',
    list([], { freshness: { ...FRESH, coverage: NONE } }),
  ),
  feed(
    'withheld by the plan',
    'Withheld',
    list([
      aThreat('w-1', {
        title: null,
        excerpt: null,
        organizations: [],
        redacted: ['title', 'excerpt', 'organizations'],
      }),
    ]),
  ),
  feed('failed', 'What happened (internal)', refuse('internal', 500)),
  feed(
    'a filter refused',
    'What the reader can do about it',
    refuse('bad_request', 400, {
      fields: [{ name: 'from', reason: 'is not a year that records have' }],
    }),
    { url: '/threats?from=0900-01-01' },
  ),
  ...FULL_TEXT_STATES,
  feed('hostile text', `${HOSTILE.length} cases`, list(HOSTILE)),
  feed(
    'very long text',
    'An exceedingly long name',
    list([
      aThreat('l-1', {
        title: LONG,
        excerpt: LONG.repeat(9),
        actors: [LONG, LONG],
        organizations: [LONG, LONG],
        industries: [LONG],
      }),
    ]),
  ),
]
