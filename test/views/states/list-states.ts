import type { HistoryLoads } from '#contract/bff/history-load.ts'
import { ENTRY_ID, LIST_ID, makeEntry, makeList, makeMatch } from '#test/fixtures/list-fixtures.ts'
import { type PageState, type Replies, type Reply, refuse, reply } from '../page-state.ts'
import { signedInAs } from '../stand-in-bff.ts'
import { READING } from './history-states.ts'

const ENTRIES = [
  makeEntry('Okapi Ltd', {
    domains: ['okapi.example', 'okapi.test'],
    note: 'Delivers the scanners of all warehouses',
    key: '4711',
    weight: 'critical',
    matched: { certain: 1, toConfirm: 2 },
    latestAt: '2026-11-20T09:00:00.000Z',
  }),
]
const LIST: Readonly<Record<string, Reply>> = {
  lists: reply({ lists: [makeList()] }),
  [`lists/${LIST_ID}`]: reply(makeList()),
  [`lists/${LIST_ID}/entries`]: reply({ entries: ENTRIES, total: 1 }),
  [`lists/${LIST_ID}/matches`]: reply({ matches: [makeMatch()], total: 1 }),
}
const NO_MATCHES = reply({ matches: [], total: 0 })

function lists(state: string, says: string, replies: Replies): PageState {
  return { page: 'Lists', state, url: '/lists', says, replies }
}

function list(state: string, says: string, replies: Replies = {}): PageState {
  return { page: 'List', state, url: `/lists/${LIST_ID}`, says, replies: { ...LIST, ...replies } }
}

function entry(state: string, says: string, replies: Replies = {}): PageState {
  const url = `/lists/${LIST_ID}/entries/${ENTRY_ID}`
  return { page: 'Entry', state, url, says, replies: { ...LIST, ...replies } }
}

const OLDER: Replies = {
  'history-loads': reply<HistoryLoads>({
    loads: [],
    offer: {
      from: '2026-07-01T00:00:00.000Z',
      to: '2026-08-01T00:00:00.000Z',
      isBackTo: false,
      calls: 14,
      callsLeft: 86,
    },
    refusal: null,
  }),
}

const FAILED = refuse('internal', 500)
/** After a decision, all is read again. */
const OUTDATED: Replies = {
  ...Object.fromEntries(Object.entries(LIST).map(([path, first]) => [path, { first, later: FAILED }])),
  [`lists/${LIST_ID}/decisions`]: { status: 204, body: null },
}

export const LIST_STATES: readonly PageState[] = [
  lists('as usual', 'Suppliers', {
    lists: reply({
      lists: [
        makeList(),
        makeList({
          id: '11111111-1111-4111-8111-111111111112',
          name: 'A name of many words, longer than a column of the table is wide, as people write them',
          kind: 'own',
          isShared: false,
          isMatching: true,
        }),
      ],
    }),
  }),
  lists('none yet', 'No list yet', { lists: reply({ lists: [] }) }),
  lists('none yet, for a viewer', 'Analysts make lists', {
    session: signedInAs('viewer'),
    lists: reply({ lists: [] }),
  }),
  lists('loading', 'Loading the lists', { lists: 'never' }),
  lists('failed', 'What happened (internal)', { lists: refuse('internal', 500) }),
  { page: 'New list', state: 'as usual', url: '/lists/new', says: 'Choose a CSV file', replies: {} },
  {
    page: 'New list',
    state: 'for a viewer',
    url: '/lists/new',
    says: 'Analysts make lists',
    replies: { session: signedInAs('viewer') },
  },
  list('as usual', '7 of your suppliers were listed in the last 12 months'),
  list('for a viewer', '7 of your suppliers were listed', { session: signedInAs('viewer') }),
  list('still compared', 'Comparing the entries', {
    [`lists/${LIST_ID}`]: reply(makeList({ isMatching: true })),
    [`lists/${LIST_ID}/matches`]: NO_MATCHES,
  }),
  list('nothing matches', 'No stored threat matches', { [`lists/${LIST_ID}/matches`]: NO_MATCHES }),
  list('gone', 'What happened (not_found)', { [`lists/${LIST_ID}`]: refuse('not_found', 404) }),
  { ...list('add entries', 'One a line, such as'), press: 'Add entries' },
  { ...list('edit the list', 'Share with the team'), press: 'Edit list' },
  { ...list('edit an entry', 'With commas or spaces between them'), press: 'Edit Okapi Ltd' },
  entry('listed', 'Listed in 3 stored threats', OLDER),
  entry('to confirm', 'To confirm: 2 stored threats may be about it', {
    [`lists/${LIST_ID}/entries`]: reply({
      entries: [makeEntry('Okapi Ltd', { matched: { certain: 0, toConfirm: 2 } })],
      total: 1,
    }),
  }),
  entry('never listed', 'Load July 2026 (about 14 calls, 86 left today)', {
    ...OLDER,
    [`lists/${LIST_ID}/entries`]: reply({ entries: [makeEntry('Okapi Ltd')], total: 1 }),
    [`lists/${LIST_ID}/matches`]: NO_MATCHES,
  }),
  entry('older months are loading', 'page 3 of about 14', {
    'history-loads': reply<HistoryLoads>({ loads: [READING], offer: null, refusal: null }),
  }),
  {
    ...entry('refresh failed beside old data', 'not current. What happened (internal)', OUTDATED),
    press: 'Confirm',
  },
  entry('for a viewer', 'What this rests on', { session: signedInAs('viewer') }),
  entry('gone', 'This entry is gone', { [`lists/${LIST_ID}/entries`]: reply({ entries: [], total: 0 }) }),
  entry('failed', 'What happened (internal)', { [`lists/${LIST_ID}`]: refuse('internal', 500) }),
  { ...entry('edit it', 'With commas or spaces between them'), press: 'Edit entry' },
]
