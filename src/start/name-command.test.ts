import { expect, test } from 'vitest'
import { nameCommand } from './name-command.ts'

const RELEASE = { version: '1.2.3', gitHead: '0123456789ab' }
const CLONE = { version: '1.2.3' }

test.each([
  [RELEASE, '', 'lantern migrate'],
  [RELEASE, 'verify --noted N:HASH', 'lantern migrate verify --noted N:HASH'],
  [CLONE, '', 'npm run -s migrate'],
  [CLONE, 'verify --noted N:HASH', 'npm run -s migrate -- verify --noted N:HASH'],
])('in %j, a command with the words %j is %s', (facts, words, command) => {
  expect(nameCommand('migrate', words, facts)).toBe(command)
})
