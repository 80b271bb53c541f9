import { expect, test } from 'vitest'
import { aProfile } from '#test/fixtures/alert-fixtures.ts'
import { findProfiles } from './find-profiles.ts'

const profiles = [
  aProfile('p-1', { name: 'Spital Zürich', keywords: ['"pale harbour"'], categories: [] }),
  aProfile('p-2', { name: 'Banks', keywords: ['north bank'], categories: ['DDoS'] }),
]

test.each([
  ['', ['p-1', 'p-2']],
  ['zuri', ['p-1']],
  ['harbour', ['p-1']],
  ['ddos', ['p-2']],
  ['ank', []],
  ['bank north', []],
])('%j finds %j', (text, ids) => {
  expect(findProfiles(profiles, text).map(({ id }) => id)).toEqual(ids)
})
