import type { FullTextSearch } from '#contract/bff/full-text-search.ts'
import type { SetState, Source } from '#contract/bff/source.ts'
import type { ThreatList } from '#contract/bff/threat-list.ts'
import { aThreat, aThreatList } from '#test/fixtures/threat-fixtures.ts'
import { NASTY_STRINGS } from '#test/support/app/nasty-strings.ts'
import { FRESH, type PageState, refuse, reply } from '../page-state.ts'
import { SOURCE } from '../stand-in-bff.ts'

const SEARCHED = { searchedAt: '2026-11-21T12:01:00.000Z', repeatableAt: '2099-01-01T00:00:00.000Z' }

const NEVER: FullTextSearch = { words: '"pale harbour" vault', refusal: null, isStored: false, last: null }

const found = (some: Partial<NonNullable<FullTextSearch['last']>> = {}): FullTextSearch => ({
  ...NEVER,
  last: { ...SEARCHED, found: 100, added: 41, nextOffset: 100, more: 230, ...some },
})

const THREATS: ThreatList['threats'] = [
  { ...aThreat('f-1'), foundIn: 'fullText' },
  aThreat('f-2'),
  {
    ...aThreat('f-3', { title: 'A long title of a post that goes on and on. '.repeat(6) }),
    foundIn: 'fullText',
  },
]
const LIST = { ...aThreatList([], { freshness: FRESH }), threats: THREATS, total: 3 }

function withEarlier(earlier: Partial<SetState>): Source {
  return { ...SOURCE, sets: { ...SOURCE.sets, earlier: { ...SOURCE.sets.earlier, ...earlier } } }
}

function state(name: string, says: string, search: FullTextSearch, some: Partial<PageState> = {}): PageState {
  return {
    page: 'Threats',
    state: `full texts: ${name}`,
    url: '/threats?q=%22pale+harbour%22+vault',
    says,
    ...some,
    replies: { threats: reply(LIST), 'full-text-searches': reply(search), ...some.replies },
  }
}

export const FULL_TEXT_STATES: readonly PageState[] = [
  state('never searched', 'Search full texts at the vendor (1 call)', NEVER),
  state('some found', '230 more at the vendor', found()),
  state('none found, long ago', 'Search again (1 call)', {
    ...found({ found: 0, added: 0, nextOffset: null, more: 0, repeatableAt: '2026-11-21T13:01:00.000Z' }),
  }),
  state('nothing to send', 'Full texts cannot be searched at the vendor.', {
    words: null,
    refusal: 'Only words and phrases that must hold can be sent to the vendor, and this search has none.',
    isStored: false,
    last: null,
  }),
  state('no calls left', 'No calls are left today', NEVER, {
    replies: {
      source: reply(
        withEarlier({
          budgets: { day: { limit: 100, remaining: 0, resetsAt: '2099-01-01T00:00:00.000Z' }, minute: null },
        }),
      ),
    },
  }),
  state('forbidden', 'Your plan does not include the earlier API', NEVER, {
    replies: { source: reply(withEarlier({ status: 'forbidden' })) },
  }),
  state('not known', 'Full texts cannot be searched at the vendor now.', NEVER, {
    replies: { 'full-text-searches': refuse('database_unavailable', 503) },
  }),
  state('hostile words', 'This list may lack threats', {
    ...NEVER,
    words: Object.values(NASTY_STRINGS).join(' ').slice(0, 500),
  }),
]
