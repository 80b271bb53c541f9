import { expect, test } from 'vitest'
import {
  type DestinationFacts,
  isOfServer,
  judgeHealth,
  LATE_AFTER_MS,
  nameCause,
  remedyOf,
} from './destination-health.ts'

const NOW = new Date('2026-11-22T12:00:00Z')
const BEFORE = new Date('2026-11-22T11:00:00Z')

function facts(more: Partial<DestinationFacts> = {}): DestinationFacts {
  return {
    channel: 'slack',
    isOpenable: true,
    endedAt: null,
    provenAt: null,
    failingSince: null,
    fault: null,
    waitingSince: null,
    retriesAt: null,
    ...more,
  }
}

const FAULT = { code: '404', excerpt: 'no_service' }
const FAILING = { failingSince: BEFORE, fault: FAULT }

test.each([
  ['unproven', {}],
  ['proven', { provenAt: BEFORE }],
  ['proven', { provenAt: BEFORE, waitingSince: new Date(NOW.getTime() - LATE_AFTER_MS) }],
  ['late', { provenAt: BEFORE, waitingSince: new Date(NOW.getTime() - LATE_AFTER_MS - 1) }],
  ['failing', { provenAt: BEFORE, waitingSince: BEFORE, ...FAILING }],
  ['unopenable', { isOpenable: false, ...FAILING }],
  ['ended', { isOpenable: false, endedAt: BEFORE, ...FAILING }],
] as const)('a destination is %s', (state, more) => {
  expect(judgeHealth(facts(more), NOW)).toMatchObject({ state })
})

test('a destination that fails says since when, why, and what to do', () => {
  const retriesAt = new Date('2026-11-22T12:30:59Z')
  expect(judgeHealth(facts({ ...FAILING, retriesAt }), NOW)).toEqual({
    state: 'failing',
    since: '2026-11-22T11:00:00.000Z',
    provenAt: null,
    fault: FAULT,
    remedy: 'Create a new webhook there, and enter it here. Lantern tries again on 22 Nov 2026, 12:30 UTC.',
  })
})

test.each([
  ['email', null, 'The mail server refuses the login of SMTP_URL (535 5.7.8).', 'login', 'Correct user'],
  ['email', null, 'Email is not set up: SMTP_URL and MAIL_FROM are to be set.', 'setUp', 'Set SMTP_URL'],
  ['email', null, 'This is not an email address.', 'address', 'Check the email address'],
  ['email', null, 'This is not an e-mail address.', 'address', 'Check the email address'],
  ['email', '550 5.1.1', 'No such user', 'address', 'Check the email address'],
  ['email', '550', 'No such user', 'address', 'Check the email address'],
  ['email', '550 5.7.1', 'Spam', 'refusal', 'Look at the log'],
  ['email', '451', 'Try later', 'refusal', 'Look at the log'],
  [
    'email',
    null,
    'No connection to the mail server: connection refused.',
    'connection',
    'Check that the server',
  ],
  [
    'email',
    null,
    'No connection to the mail server: the host name of SMTP_URL is not found.',
    'dns',
    'Check the spelling',
  ],
  [
    'email',
    null,
    'The mail server has no TLS that can be trusted; SMTP_URL says how it is reached.',
    'tls',
    'Renew',
  ],
  ['email', null, 'NOTIFY_DOMAINS does not name the domain of this address.', 'domain', 'Add the domain'],
  ['slack', null, 'Host name not found.', 'dns', 'Check the spelling'],
  ['slack', null, 'Its TLS certificate is for another host.', 'tls', 'Renew'],
  ['slack', '404', 'no_service', 'gone', 'Create a new webhook'],
  ['webhook', '410', '', 'gone', 'Create a new webhook'],
  ['slack', '403', 'invalid_token', 'denied', 'Allow the webhook'],
  ['teams', '400', '', 'format', 'Check that the webhook'],
  ['teams', '302', 'It redirects to another address.', 'redirect', 'Enter the address'],
  ['slack', '429', '', 'limit', 'Wait'],
  ['webhook', '503', '', 'refusal', 'Look at the log'],
  [
    'webhook',
    null,
    'The destination was sealed by another SECRET: enter it again',
    'secret',
    'SECRET was replaced',
  ],
] as const)('%s that answers %s “%s” fails by %s', (channel, code, excerpt, cause, remedy) => {
  const named = nameCause(channel, { code, excerpt })
  expect(named).toBe(cause)
  expect(remedyOf(named, null)).toMatch(new RegExp(`^${remedy}`))
})

test('the fault of an address is not a fault of its server', () => {
  expect([isOfServer('address'), isOfServer('gone'), isOfServer('dns'), isOfServer('login')]).toEqual([
    false,
    false,
    true,
    true,
  ])
})
