import { expect, test } from 'vitest'
import { splitEmails, splitKeywords } from './split-values.ts'

test.each([
  ['acme', ['acme']],
  ['acme corp', ['acme corp']],
  ['acme, contoso;\nnorth  wind\r\n', ['acme', 'contoso', 'north wind']],
  ['"acme, inc", contoso', ['"acme, inc"', 'contoso']],
  ['株式会社、アクメ', ['株式会社', 'アクメ']],
  ['"never closed, acme\ncontoso', ['"never closed, acme', 'contoso']],
  [' , ;', []],
])('reads the keywords %j', (text, keywords) => {
  expect(splitKeywords(text)).toEqual(keywords)
})

test.each([
  ['ada@lantern.example', ['ada@lantern.example']],
  ['ada@lantern.example bob@lantern.example;', ['ada@lantern.example', 'bob@lantern.example']],
  ['Ada <ada@lantern.example>, Bob <bob@lantern.example>', ['ada@lantern.example', 'bob@lantern.example']],
])('reads the addresses %j', (text, addresses) => {
  expect(splitEmails(text)).toEqual(addresses)
})
