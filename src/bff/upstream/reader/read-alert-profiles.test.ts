import { describe, expect, test } from 'vitest'
import { vendorProfile } from '#test/support/alerts/start-alerts.ts'
import { readAlertProfile, readAlertProfiles } from './read-alert-profiles.ts'

const HARBOUR = {
  id: 'alp_1',
  name: 'Harbour',
  keywords: ['quayside', '"lock bit"'],
  categories: ['Ransomware'],
  destinations: { email: ['a…@lantern.example'], slack: 'hooks.slack.com/…ab12', teams: null },
  triggeredCount: 3,
  createdAt: '2026-03-10T12:00:00.000Z',
  updatedAt: '2026-03-10T12:00:00.000Z',
}
const { slack } = vendorProfile().notifications

describe('finds the profiles', () => {
  test.each([
    ['as documented', { alert_profiles: [vendorProfile()] }],
    ['bare', [vendorProfile()]],
    ['in an envelope', { data: { alertProfiles: [vendorProfile()] }, meta: { total: 1 } }],
    ['under another name', { alerts: [vendorProfile()] }],
  ])('%s', (_, body) => {
    expect(readAlertProfiles(body)).toEqual({ profiles: [HARBOUR], unreadable: 0 })
  })

  test.each([null, 'text', {}, { error: 'no' }, { data: null }])('but not in %j', (body) => {
    expect(readAlertProfiles(body)).toBeNull()
  })

  test('and distinguishes an empty list from no list', () => {
    expect(readAlertProfiles({ alert_profiles: [] })).toEqual({ profiles: [], unreadable: 0 })
  })
})

test.each([
  [
    'camel case',
    {
      profileId: 'alp_1',
      profileName: 'Harbour',
      createdAt: '2026-03-10T12:00:00Z',
      updatedAt: '2026-03-10T12:00:00Z',
      triggeredCount: 3,
    },
  ],
  [
    'other words',
    { uuid: 'alp_1', title: 'Harbour', created: 1_773_144_000, modified: 1_773_144_000, trigger_count: '3' },
  ],
])('reads %s', (_, names) => {
  const { keywords, categories, notifications } = vendorProfile()
  expect(readAlertProfile({ profile: { ...names, keywords, categories, notifications } })).toEqual(HARBOUR)
})

test.each([
  ['flat', { email: 'ada@lantern.example', slack_webhook_url: slack }],
  ['objects of no address', { email: { value: 'ada@lantern.example' }, slack: { value: slack } }],
  ['objects', { destinations: { emails: ['ada@lantern.example'], slack: { url: slack }, teams: null } }],
])('reads destinations that are %s', (_, destinations) => {
  const { notifications: _notifications, ...rest } = vendorProfile()
  expect(readAlertProfile({ ...rest, ...destinations })).toEqual(HARBOUR)
})

test('gives nothing of a destination away that is no address, or a short one', () => {
  const notifications = { email: ['secret'], slack: 'xoxb-secret-token', teams: 'https://x.example/abcd' }
  expect(readAlertProfile(vendorProfile({ notifications }))?.destinations).toEqual({
    email: ['…'],
    slack: '…',
    teams: 'x.example/…',
  })
})

test.each([null, 'text', [], {}, { id: '' }, { id: null, name: 'x' }])(
  'an entry costs only itself: %j',
  (entry) => {
    expect(readAlertProfiles({ alert_profiles: [entry, vendorProfile()] })).toMatchObject({
      profiles: [{ id: 'alp_1' }],
      unreadable: 1,
    })
  },
)

test.each([
  [{ keywords: null }, { keywords: [] }],
  [{ keywords: { a: 1 } }, { keywords: ['a'] }],
  [{ categories: 'DDoS' }, { categories: ['DDoS'] }],
  [{ notifications: 'none' }, { destinations: { email: [], slack: null, teams: null } }],
  [{ triggered_count: -1 }, { triggeredCount: null }],
  [{ created_at: 'yesterday' }, { createdAt: null }],
  [{ updated_at: '2026-03-11T08:00:00Z' }, { updatedAt: '2026-03-11T08:00:00.000Z' }],
  [{ name: null }, { name: 'alp_1' }],
])('a bad field costs only itself: %j', (changes, expected) => {
  expect(readAlertProfile(vendorProfile(changes))).toMatchObject(expected)
})

test('a profile with only an id uses it as its name, and has no other values', () => {
  expect(readAlertProfile({ id: 7 })).toEqual({
    id: '7',
    name: '7',
    keywords: [],
    categories: [],
    destinations: { email: [], slack: null, teams: null },
    triggeredCount: null,
    createdAt: null,
    updatedAt: null,
  })
})

test('reads at most a thousand of a list, and counts the rest as not read', () => {
  const profiles = Array(1_001).fill({ id: 'a' })
  expect(readAlertProfiles(profiles)).toMatchObject({ profiles: { length: 1_000 }, unreadable: 1 })
})
