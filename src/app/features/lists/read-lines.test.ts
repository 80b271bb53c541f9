import { expect, test } from 'vitest'
import { readLines } from './read-lines.ts'

test.each([
  ['Okapi Ltd', 'Okapi Ltd', []],
  ['Okapi Ltd, okapi.example', 'Okapi Ltd', ['okapi.example']],
  ['Okapi Ltd;https://www.okapi.example/about\tokapi.test', 'Okapi Ltd', ['okapi.test', 'www.okapi.example']],
  ['Okapi, S.A.', 'Okapi, S.A.', []],
  ['Okapi, S.p.A.', 'Okapi, S.p.A.', []],
  ['Okapi Ltd, corp.okapi.example', 'Okapi Ltd', ['corp.okapi.example']],
  ['Okapi Ltd, co-op.example', 'Okapi Ltd', ['co-op.example']],
  ['Okapi, Co. KG', 'Okapi, Co. KG', []],
  ['okapi.example', 'okapi.example', ['okapi.example']],
  ['Okapi, Inc.', 'Okapi, Inc.', []],
  ['Okapi, Inc., OKAPI.example', 'Okapi, Inc.', ['okapi.example']],
  ['  Ok\u200bapi \u202e ', 'Okapi', []],
  ['=cmd|calc', '=cmd|calc', []],
  ['<b>Okapi</b>', '<b>Okapi</b>', []],
  ['St. Anna Hospital', 'St. Anna Hospital', []],
])('reads the line %j', (line, name, domains) => {
  expect(readLines(line)).toEqual({
    entries: [{ name, domains, note: null, key: null, weight: 'normal' }],
    lines: [{ line: 1, text: line }],
    refused: [],
    repeated: [],
    reduced: line.includes('https')
      ? [{ line: 1, text: 'https://www.okapi.example/about', domain: 'www.okapi.example' }]
      : [],
  })
})

test('refuses a line that cannot be an entry, by its number, and reads the others', () => {
  const { entries, refused } = readLines(
    `Okapi, 192.0.2.1\n\nZebra\r\nHidden, abcdefgh.onion\n${'x'.repeat(201)}`,
  )

  expect(entries.map(({ name }) => name)).toEqual(['Zebra'])
  expect(refused.map(({ line, reason }) => [line, reason])).toEqual([
    [1, expect.stringContaining('IP address')],
    [4, expect.stringContaining('onion')],
    [5, expect.stringContaining('200 characters')],
  ])
})

test('reads a repeated line once, in whatever letter case and order of domains', () => {
  const { entries, repeated } = readLines('Okapi, a.example, b.example\nOKAPI, b.example, a.example\nOkapi')

  expect(entries).toHaveLength(2)
  expect(repeated).toEqual([{ line: 2, name: 'OKAPI' }])
})
