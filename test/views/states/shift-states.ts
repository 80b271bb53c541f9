import { QUIET_SHIFT, SHIFT } from '#test/fixtures/shift-fixtures.ts'
import { type PageState, type Replies, refuse, reply } from '../page-state.ts'

function shift(state: string, says: string, replies: Replies): PageState {
  return { page: 'Shift', state, url: `/shift?since=${SHIFT.since}`, says, replies }
}

export const SHIFT_STATES: readonly PageState[] = [
  shift('full', 'Grace Example: 2 cases', { shift: reply(SHIFT) }),
  shift('quiet', 'No new claim since then.', { shift: reply(QUIET_SHIFT) }),
  shift('loading', 'Last 8 hours', { shift: 'never' }),
  shift('failed', 'What happened (internal)', { shift: refuse('internal', 500) }),
]
