import { expect, test } from 'vitest'
import { explainEntry } from './explain-entry.ts'
import { normaliseName } from './normalise-name.ts'

test.for([
  ['The Okapi & Zebu Company, Inc.', 'okapi zebu'],
  ['Okapi und Zebu GmbH & Co. KG', 'okapi zebu'],
  ['OKAPI S.p.A.', 'okapi'],
  ['Okapi A/S', 'okapi'],
  ['Okapi Sp. z o.o.', 'okapi'],
  ['Okapi S.A. de C.V.', 'okapi'],
  ['PT Okapi Tbk', 'okapi'],
  ['J.C. Okapi', 'jc okapi'],
  ["O'Kapi’s", 'okapis'],
  ['Ökapí', 'okapi'],
  ['おかぴ株式会社', 'お か ひ\u309a'.normalize('NFC')],
  // A name that is a legal form keeps it.
  ['Group', 'group'],
  ['The', ''],
  ['', ''],
])('normalises “%s” to “%s”', ([name, expected]) => {
  expect(normaliseName(name ?? '')).toBe(expected)
})

test.for([
  ['Delta', /Many organisations/],
  ['The First Group', /Many organisations/],
  ['First National Bank', /Many organisations/],
  ['Okap Ltd', /short/],
  ['日本', /short/],
  ['& Co.', /short/],
  ['—', /no letters/],
] as const)('explains why “%s” alone is never certain', ([name, reason]) => {
  expect(explainEntry({ name }).everydayName).toMatch(reason)
})

test.for(['Okapi Ltd', 'Okapi Bank', 'トヨタ自動車', 'Окапи'])('accepts “%s” as distinctive', (name) => {
  expect(explainEntry({ name })).toEqual({ everydayName: null })
})
