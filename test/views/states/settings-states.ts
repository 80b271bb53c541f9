import type { Factors } from '#contract/bff/factor.ts'
import type { Key, Keys } from '#contract/bff/key.ts'
import type { ServiceKey } from '#contract/bff/service-key.ts'
import { makeList } from '#test/fixtures/list-fixtures.ts'
import { AUDIT_EVENT, BOB, CALL_LEDGER, FEED_ADDRESS } from '#test/fixtures/settings-fixtures.ts'
import { aThreatList } from '#test/fixtures/threat-fixtures.ts'
import { type PageState, type Replies, refuse, reply } from '../page-state.ts'
import { SOURCE, signedInAs } from '../stand-in-bff.ts'

const REFUSAL = {
  at: '2026-11-20T14:02:00.000Z',
  words: 'This key was revoked by its owner',
  retryAt: '2099-01-01T00:00:00.000Z',
}
const V1: Key = {
  set: 'v1',
  from: 'settings',
  isShared: false,
  lastFour: '4f9c',
  setAt: '2026-11-01T09:00:00.000Z',
  setBy: 'ada@lantern.example',
  isUnreadable: false,
  status: 'valid',
  refusal: null,
  state: SOURCE.sets.v1,
}
const EARLIER: Key = {
  ...V1,
  set: 'earlier',
  isShared: true,
  state: { ...V1.state, status: 'forbidden', reason: 'The Professional plan is needed.' },
}
const KEYS: Keys = {
  kind: 'vendor',
  origin: 'https://api.vendor.example',
  keys: { v1: V1, earlier: EARLIER },
  trialExpiresAt: '2026-12-01T00:00:00.000Z',
}
const EMBEDDED: Key = { ...V1, from: 'embedded', setAt: null, setBy: null }
const SERVICE_KEY: ServiceKey = {
  id: 'k-1',
  account: 'blue-team',
  name: 'scripts',
  earlierPlan: 'professional',
  v1Plan: 'protection',
  status: 'active',
  endsAt: null,
  requestsToday: 12,
  isOwn: false,
}
function settings(state: string, says: string, tab: string, replies: Replies): PageState {
  const url = `/settings?tab=${tab}`
  return { page: 'Settings', state, url, says, replies: { session: signedInAs('admin'), ...replies } }
}

const OWN_LIST = makeList({ name: 'Our brands', kind: 'own' })

function welcome(state: string, says: string, replies: Replies = {}, search = ''): PageState {
  return {
    page: 'Welcome',
    state,
    url: `/welcome${search}`,
    says,
    replies: { threats: refuse('window_empty', 503), lists: reply({ lists: [] }), ...replies },
  }
}

function calls(state: string, says: string, replies: Replies): PageState {
  return {
    page: 'API calls',
    state,
    url: '/settings/calls',
    says,
    replies: { session: signedInAs('admin'), ...replies },
  }
}

export const SETTINGS_STATES: readonly PageState[] = [
  settings('profile', 'Change password', 'profile', { threats: refuse('window_empty', 503) }),
  welcome('questions', 'become a list that your team sees'),
  welcome('questions to somebody with a list', 'Our brands', { lists: reply({ lists: [OWN_LIST] }) }),
  welcome(
    'found',
    '7 threats',
    {
      lists: reply({ lists: [OWN_LIST] }),
      threats: reply(aThreatList([], { total: 7 })),
    },
    '?show=found',
  ),
  welcome(
    'comparing',
    'comparing with all stored threats',
    {
      lists: reply({ lists: [{ ...OWN_LIST, isMatching: true }] }),
    },
    '?show=found',
  ),
  settings('second factor', 'Work laptop', 'profile', {
    threats: refuse('window_empty', 503),
    factors: reply<Factors>({
      hasPassword: true,
      totp: { createdAt: '2026-11-20T08:00:00.000Z' },
      passkeys: [
        {
          id: 'p-1',
          name: 'Work laptop',
          createdAt: '2026-11-20T08:00:00.000Z',
          usedAt: '2026-11-21T09:00:00.000Z',
        },
      ],
      recoveryCodes: 9,
      isRequired: true,
    }),
  }),
  settings('keys of a vendor', '…4f9c', 'api', { keys: reply(KEYS) }),
  settings('a key refused', 'api.vendor.example', 'api', {
    keys: reply({
      ...KEYS,
      keys: { v1: { ...V1, status: 'refused', refusal: REFUSAL }, earlier: EARLIER },
    }),
  }),
  settings('a key that cannot be opened', 'SECRET', 'api', {
    keys: reply({ ...KEYS, keys: { v1: { ...V1, isUnreadable: true }, earlier: EARLIER } }),
  }),
  settings('keys of the embedded service', 'blue-team', 'api', {
    keys: reply({
      kind: 'embedded',
      origin: 'http://127.0.0.1:4174',
      trialExpiresAt: null,
      keys: { v1: EMBEDDED, earlier: { ...EMBEDDED, set: 'earlier' } },
    }),
    'service-keys': reply({
      keys: [
        SERVICE_KEY,
        { ...SERVICE_KEY, id: 'k-2', name: 'dashboard', isOwn: true },
        { ...SERVICE_KEY, id: 'k-3', name: 'old', status: 'ended', endsAt: '2026-11-02T00:00:00.000Z' },
      ],
    }),
  }),
  settings('users', 'bob@lantern.example', 'users', {
    users: reply({
      users: [
        BOB,
        {
          ...BOB,
          id: 'u-3',
          email: 'eve@lantern.example',
          name: 'Eve',
          state: 'invited',
          linkExpiresAt: '2026-11-24T00:00:00.000Z',
        },
      ],
    }),
    'feed-addresses': reply({ addresses: [FEED_ADDRESS] }),
  }),
  settings('due times', 'Save due times', 'cases', {
    'due-times': reply({ critical: 4, high: 24, medium: 72, low: null }),
  }),
  settings('audit log', 'User changed', 'audit', {
    audit: reply({ events: [AUDIT_EVENT], nextCursor: '7' }),
  }),
  settings('for others than admins', 'Only admins see Users', 'users', { session: signedInAs('analyst') }),
  settings('failed', 'What happened (internal)', 'users', {
    users: refuse('internal', 500),
    'feed-addresses': reply({ addresses: [] }),
  }),
  calls('full', 'ada@lantern.example', { calls: reply(CALL_LEDGER) }),
  calls('empty', 'No calls yet', { calls: reply({ calls: [], hours: [] }) }),
  calls('for others than admins', 'What happened (role_not_allowed)', {
    calls: refuse('role_not_allowed', 403),
  }),
]
