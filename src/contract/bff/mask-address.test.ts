import { expect, test } from 'vitest'
import { maskAddresses, maskDestinations, maskEmail, maskWebhook } from './mask-address.ts'

test.each([
  ['ada@corp.example', 'a…@corp.example'],
  ['a@corp.example', 'a…@corp.example'],
  ['"a@b"@corp.example', '"…@corp.example'],
  ['@corp.example', '…'],
  ['xoxb-a-secret', '…'],
  ['', '…'],
])('an email address %j shows its domain and one letter: %s', (address, masked) => {
  expect(maskEmail(address)).toBe(masked)
})

test.each([
  ['https://hooks.slack.com/services/T0/B0/x7ab12', 'hooks.slack.com/…ab12'],
  ['https://hooks.slack.com/abcdefghijklmno', 'hooks.slack.com/…lmno'],
  ['https://hooks.slack.com/abcdefghijklmn', 'hooks.slack.com/…'],
  ['https://x.example/hook?token=abcdefgh', 'x.example/…efgh'],
  ['https://ada:secret@x.example:8443/', 'x.example/…'],
  ['hooks.slack.com/services', '…'],
])('a webhook %s shows its host, and its end where enough is hidden: %s', (address, masked) => {
  expect(maskWebhook(address)).toBe(masked)
})

test('a destination that is not set is none, and not a masked one', () => {
  expect(maskDestinations({ email: [], slack: null, teams: null })).toEqual({
    email: [],
    slack: null,
    teams: null,
  })
})

const WEBHOOK = 'https://hooks.slack.com/services/T0AAAAAA/B0BBBBBB/abcdefghijkl'

test.each([
  ['whole', `No: ${WEBHOOK}`, 'No: …'],
  [
    'without its scheme',
    'No: hooks.slack.com/services/T0AAAAAA/B0BBBBBB/abcdefghijkl.',
    'No: hooks.slack.com/services/T0AAAAAA/B0BBBBBB/….',
  ],
  ['its secret alone', 'The token abcdefghijkl is bad', 'The token … is bad'],
  ['cut off', 'No: https://hooks.slack.com/serv', 'No: …'],
  ['encoded', 'No: https%3A%2F%2Fhooks.slack.com%2Fabcdefghijkl', 'No: https%3A%2F%2Fhooks.slack.com%2F…'],
  ['short words of it', 'services of slack are off', 'services of slack are off'],
])('words that repeat a webhook do not give it away: %s', (_, words, masked) => {
  expect(maskAddresses(words, [WEBHOOK])).toBe(masked)
})

test('words without an address of ours lose those of others too', () => {
  expect(maskAddresses('Ask help@vendor.example or see https://vendor.example/docs now.', [])).toBe(
    'Ask … or see … now.',
  )
  expect(maskAddresses('keywords.0 is too short', [WEBHOOK])).toBe('keywords.0 is too short')
})

test('masks both addresses if one begins with the other', () => {
  const addresses = ['first-secret-a', 'first-secret-a-and-more']
  expect(maskAddresses('no first-secret-a-and-more', addresses)).toBe('no …')
})

test('addresses of one profile that read alike are numbered', () => {
  const email = ['mia@corp.example', 'ada@corp.example', 'max@corp.example']
  expect(maskDestinations({ email, slack: null, teams: null }).email).toEqual([
    ...['m…@corp.example', 'a…@corp.example', 'm…@corp.example (2)'],
  ])
})
