import type { Coverage } from '#contract/bff/coverage.ts'
import type { HistoryLoad, HistoryLoads } from '#contract/bff/history-load.ts'
import { aThreat, aThreatList } from '#test/fixtures/threat-fixtures.ts'
import { FRESH, type PageState, type Replies, reply } from '../page-state.ts'
import { signedInAs } from '../stand-in-bff.ts'

const JULY = { from: '2026-07-01T00:00:00.000Z', to: '2026-08-01T00:00:00.000Z' }
const OFFER = { ...JULY, isBackTo: false, calls: 14, callsLeft: 86 }
const COVERAGE: Coverage = {
  status: 'part',
  from: JULY.to,
  to: '2026-11-21T12:00:00.000Z',
  gaps: [{ ...JULY, why: 'notRead' }],
}
/** July is being loaded. */
export const READING: HistoryLoad = {
  id: '7',
  ...JULY,
  state: 'reading',
  requestedBy: 'Ada Example',
  requestedAt: FRESH.fetchedAt,
  pages: 3,
  pagesExpected: 14,
  records: 300,
  added: 40,
  reachedFrom: null,
  reason: null,
}

function ofPast(state: string, says: string, loads: Partial<HistoryLoads>, replies: Replies = {}): PageState {
  const threats = [aThreat('a-1'), aThreat('a-2')]
  return {
    page: 'Threats',
    state,
    url: '/threats?from=2026-07-01',
    says,
    replies: {
      threats: reply(aThreatList(threats, { freshness: { ...FRESH, coverage: COVERAGE } })),
      'history-loads': reply<HistoryLoads>({ loads: [], offer: null, refusal: null, ...loads }),
      ...replies,
    },
  }
}

/** Lists that reach past what is stored. */
export const HISTORY_STATES: readonly PageState[] = [
  ofPast('a month can be loaded', 'Load July 2026 (about 14 calls, 86 left today)', { offer: OFFER }),
  ofPast('a month is being loaded', 'page 3 of about 14', { loads: [READING] }),
  ofPast('a load waits for calls', 'Few calls are left', {
    loads: [
      {
        ...READING,
        reason:
          'Few calls are left, and they are kept for new threats and for people: it goes on by itself at 18:00 UTC.',
      },
    ],
  }),
  ofPast(
    'a load, for a viewer',
    'page 3 of about 14',
    { loads: [READING] },
    { session: signedInAs('viewer') },
  ),
]
