import { expect, test } from 'vitest'
import { UsageError } from '#server/command-line.ts'
import { readKeysCommand } from './read-keys-command.ts'

test('reads a key with all its options', () => {
  const line =
    'create --account Acme --name SOC --earlier enterprise --earlier-per-minute 750 --v1 trial --trial-days 30'
  expect(readKeysCommand(line.split(' '))).toEqual({
    name: 'create',
    key: {
      account: 'Acme',
      name: 'SOC',
      earlierPlan: 'enterprise',
      earlierRequestsPerMinute: 750,
      v1Plan: 'trial',
      trialDays: 30,
    },
  })
})

test.each([
  ['list', { name: 'list' }],
  ['rotate key_1', { name: 'rotate', keyId: 'key_1', overlapHours: 24 }],
  ['rotate key_1 --overlap-hours 0', { name: 'rotate', keyId: 'key_1', overlapHours: 0 }],
  ['revoke key_1', { name: 'revoke', keyId: 'key_1' }],
  ['help', { name: 'help' }],
  ['create --help', { name: 'help' }],
])('reads %s', (line, command) => {
  expect(readKeysCommand(line.split(' '))).toEqual(command)
})

test.each([
  ['', 'Give a command'],
  ['frobnicate', 'There is no command "frobnicate"'],
  ['create', '--account: Use 1 to 200 characters without control characters.'],
  ['create --account a', '--name: Use 1 to 200 characters without control characters.'],
  ['create --account a --name b --v1 gold', '--v1: must be one of none, trial, protection, defend'],
  [
    'create --account a --name b --earlier gold',
    '--earlier: must be one of none, detection, professional, enterprise',
  ],
  ['create --account a --name b --trial-days 3', '--trial-days: is for the Trial plan'],
  [
    'create --account a --name b --v1 trial --trial-days x',
    '--trial-days: must be a whole number from 1 to 3650',
  ],
  ['create --account a --name b --earlier-per-minute 9', '--earlier-per-minute: is for the Enterprise plan'],
  ['create --account a --name b c', 'What is "c"?'],
  ['list all', 'What is "all"?'],
  ['revoke', 'Give one key id; `list` shows them'],
  ['rotate a b', 'Give one key id; `list` shows them'],
  ['rotate a --overlap-hours soon', '--overlap-hours: must be a number from 0 to 8760'],
  ['list --verbose', "Unknown option '--verbose'"],
])('refuses "%s"', (line, message) => {
  const read = () => readKeysCommand(line === '' ? [] : line.split(' '))
  expect(read).toThrow(UsageError)
  expect(read).toThrow(message)
})
