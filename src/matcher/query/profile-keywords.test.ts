import { expect, test } from 'vitest'
import { profileKeywords } from './profile-keywords.ts'

test.each([
  ['', [], []],
  ['acme', ['acme'], []],
  ['hospital OR ("data leak" OR klinik)', ['hospital', 'data leak', 'klinik'], []],
  ['(hospital OR klinik) country:DE -university', ['hospital', 'klinik'], ['country:DE', '-university']],
  ['"lock bit" acme', ['lock bit'], ['acme']],
  ['bank* (acme OR country:DE)', [], ['bank*', '(acme OR country:DE)']],
  ['acme (', [], ['acme (']],
])('of %j a profile can have %j', (text, keywords, left) => {
  expect(profileKeywords(text)).toEqual({ keywords, left })
})
