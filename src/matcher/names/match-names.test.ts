import { expect, test } from 'vitest'
import { matchNames } from './match-names.ts'
import { createNameIndex } from './name-index.ts'

function matchOne(name: string, text: string, { site, own }: { site?: string; own?: string } = {}) {
  const index = createNameIndex([{ id: '1', name, domains: own ? [own] : [] }])
  const named = { title: text, victim: null, domains: site ? [site] : [], country: null }
  const [match, ...others] = matchNames(index, named)
  expect(others).toEqual([])
  return match ? `${match.certainty} ${match.rule}` : 'none'
}

test.for([
  ['Okapilane Ltd', 'OKAPILANE'],
  ['Okapilane Logistics GmbH & Co. KG', 'okapilane logistics'],
  ['Okapilane and Sons', 'Okapilane & Sons, LLC'],
  ['The Okapilane Group', 'Okapilane Holdings S.p.A.'],
  ['Okapilane Sp. z o.o.', 'Okapilane'],
  ['Okapilane, S. de R.L. de C.V.', 'Okapilane Pty Ltd'],
  ['PT Okapilane Tbk', 'Okapilane Sdn. Bhd.'],
  ['株式会社おかぴ運輸', 'おかぴ運輸'],
  ['ООО Окапитранс', 'Окапитранс'],
  ['Müllersdorf AG', 'Muellersdorf'],
  ['Okapi-Lane', 'OkapiLane'],
  ["Okapi's Lane", 'Okapis Lane'],
  ['Okapilane Intl', 'Okapilane International'],
  ['Okapilane &amp; Zebu', 'Okapilane & Zebu'],
  // A zero-width space, and a Cyrillic letter that looks like a Latin one.
  ['Okapilane', 'Okapi\u200blane'],
  ['Okapilane', 'Ok\u0430pilane'],
  ['Okapilane', '\u202eOkapilane'],
])('is certain that “%s” is “%s”', ([name, text]) => {
  expect(matchOne(name ?? '', text ?? '')).toBe('certain name')
})

test.for([
  ['Okapilane', 'Okapilane.example.com', 'to-confirm brand-in-domain'],
  ['Okapilane', 'okapilane.org', 'to-confirm brand-in-domain'],
  ['Okapilane', 'mail.okapilane-cargo.org', 'to-confirm brand-in-domain'],
  ['Okapilane', 'Data of Okapilane, 20 GB, for sale', 'to-confirm name-in-text'],
  ['Okapilane', 'Okapilane - HACKED AND 100 GB LEAKED', 'to-confirm name-in-text'],
  ['Okapilane', 'Okapilane (US)', 'to-confirm name-in-text'],
  ['Okapilane Freight Services', 'Okapilane', 'to-confirm abbreviation'],
  ['Okapi Zebu Gnu Corporation', 'OZGC', 'to-confirm abbreviation'],
  ['OZGC', 'Okapi Zebu Gnu Corporation', 'to-confirm abbreviation'],
  ['Okapilane Freight', 'Okapilnae Frieght', 'to-confirm similar'],
  ['Okapilane Freight', 'okapilanefrei...', 'to-confirm similar'],
  ['Okapilane & Zebu Ltd', 'okapilaneandzebu.com', 'to-confirm brand-in-domain'],
  ['Okap Group Ltd', 'okapgroup.com', 'to-confirm brand-in-domain'],
  ['OZG - Okapi Zebu Gnu', 'Okapi Zebu Gnu', 'to-confirm name-in-text'],
  ['Okapilane', 'Okapilane / Zebulane', 'to-confirm name-in-text'],
  ['Okapilanes', 'Okapi Lanes Oslo', 'to-confirm name-in-text'],
  ['Okapi Zebu Local Bank', 'Okapi Zebu Bank', 'to-confirm abbreviation'],
  ['Okapilane Medicina Laboral', 'okapilane.org', 'to-confirm brand-in-domain'],
  ['Okapi Medicina Laboral', 'okapi.org', 'none'],
  ['Brothers Mutual Insurance', 'www.brothersmutual.org', 'to-confirm brand-in-domain'],
  ['Okap Technologies', 'okaptechnologies.org', 'to-confirm brand-in-domain'],
  ['Les Produits Okapi Inc.', 'Produits Okapi', 'to-confirm name-in-text'],
  ['Universit\u00e9 de Okapiville', 'University of Okapiville', 'to-confirm similar'],
  ['AS Okapilane', 'okapilane', 'certain name'],
  ['Delta', 'Delta', 'to-confirm name'],
  ['First National Bank', 'First National Bank Ltd', 'to-confirm name'],
  ['Delta', 'Delta Okapi Lines', 'none'],
  ['Okapilane 2', 'Okapilane 3', 'none'],
  ['Northern Okapi Health', 'Southern Okapi Health', 'none'],
  ['Okapilane', 'Zebulane', 'none'],
  ['Okapilane', '', 'none'],
  ['—', '—', 'none'],
])('compares “%s” with “%s”: %s', ([name, text, expected]) => {
  expect(matchOne(name ?? '', text ?? '')).toBe(expected)
})

test.for<[string, string, { site?: string }, string]>([
  ['a site', 'Zebu', { site: 'okapilane.org' }, 'certain domain'],
  ['a host at the beginning', 'https://www.okapilane.org/ FILES PART 7', {}, 'certain domain'],
  ['a host below it', 'mail.okapilane.org', {}, 'certain domain'],
  ['a host beside other words', 'Login of okapilane.org', {}, 'to-confirm domain'],
  ['an address of mail', 'x@okapilane.org', {}, 'to-confirm domain'],
  ['the name at another site', 'Okapilane', { site: 'okapilane.net' }, 'to-confirm shared-name'],
  ['a look-alike', 'okapilane.org.zebu.net', {}, 'to-confirm brand-in-domain'],
])('finds the domain of an entry in %s', ([, text, site, expected]) => {
  expect(matchOne('Okapilane', text, { own: 'okapilane.org', ...site })).toBe(expected)
})

test.for([
  ['oka.de', 'Oka.de leaked', 'certain domain'],
  ['oka.de', 'Data of mail.oka.de', 'to-confirm domain'],
  ['oka.co', 'www.oka.co', 'certain domain'],
  ['oka.de', 'oka.de.zebu.net', 'none'],
  ['oka.de', 'zoka.de', 'none'],
])('finds the short domain %s in “%s”: %s', ([own, text, expected]) => {
  expect(matchOne('Okapilane', text ?? '', { own: own ?? '' })).toBe(expected)
})

test('compares no site with the first word of many names', () => {
  const entriesOf = (count: number) =>
    Array.from({ length: count }, (_, at) => ({
      id: `${at}`,
      name: `Okapilane ${at + 20}x zebu`,
      domains: [],
    }))
  const text = { title: 'okapilane.org', victim: null, domains: [], country: null }
  expect(matchNames(createNameIndex(entriesOf(3)), text)).toHaveLength(3)
  expect(matchNames(createNameIndex(entriesOf(4)), text)).toEqual([])
})

test('is not certain between organisations of one name', () => {
  const index = createNameIndex([
    { id: '1', name: 'Okapilane Ltd', domains: ['okapilane.org'] },
    { id: '2', name: 'Okapilane GmbH', domains: ['okapilane.net'] },
  ])
  const matches = matchNames(index, { title: '', victim: 'Okapilane', domains: [], country: null })
  expect(matches).toEqual([
    { entryId: '1', certainty: 'to-confirm', rule: 'shared-name', text: 'Okapilane' },
    { entryId: '2', certainty: 'to-confirm', rule: 'shared-name', text: 'Okapilane' },
  ])
})

test('names the words of the threat', () => {
  const index = createNameIndex([{ id: '1', name: 'Okapi & Zebu Ltd', domains: [] }])
  const title = 'Sale: OKAPI and Zebu, 20 GB'
  expect(matchNames(index, { title, victim: null, domains: [], country: null })).toMatchObject([
    { rule: 'name-in-text', text: 'OKAPI and Zebu' },
  ])
})

// Work that grows with the square of a text, or with all entries, takes minutes: the timeout ends it.
test.for([
  ['one word', 'a'.repeat(1_000_000), 0],
  ['words', 'okapi lane '.repeat(100_000), 20_000],
  ['dots', 'a.'.repeat(500_000), 0],
  ['hosts', 'okapilane.org '.repeat(50_000), 20_000],
  ['brackets', '('.repeat(500_000), 0],
  ['entities', '&#8217;'.repeat(100_000), 0],
  ['accents', `a${'\u0301'.repeat(500_000)}`, 0],
] as const)('compares a megabyte of %s with 20,000 names', { timeout: 60_000 }, ([, text, count]) => {
  const entries = Array.from({ length: 20_000 }, (_, at) => ({
    id: String(at),
    name: `okapi lane ${at}`,
    domains: [`okapilane${at}.org`],
  }))
  const index = createNameIndex(entries)
  expect(matchNames(index, { title: text, victim: text, domains: [], country: null })).toHaveLength(count)
})
