import { expect, test } from 'vitest'
import { COUNTRY_CODES, countryName, findCountryCode } from './country.ts'
import { readCountryCode } from './read-country-code.ts'

const SPELLINGS: Record<string, readonly string[]> = {
  AE: ['UAE', 'U.A.E.', 'United Arab Emirates (the)'],
  AG: ['Antigua and Barbuda'],
  BA: ['Bosnia and Herzegovina', 'BOSNIA & HERZEGOVINA'],
  BN: ['Brunei Darussalam'],
  BO: ['Bolivia (Plurinational State of)', 'Plurinational State of Bolivia'],
  CD: [
    'DR Congo',
    'D.R. Congo',
    'Congo (the Democratic Republic of the)',
    'Congo, The Democratic Republic of the',
  ],
  CG: ['Congo', 'Congo (the)', 'Republic of the Congo', 'Congo, Republic of the'],
  CI: ["Cote d'Ivoire", 'Côte d’Ivoire', 'Ivory Coast'],
  CN: ["People's Republic of China"],
  CV: ['Cabo Verde', 'Cape Verde'],
  FK: ['Falkland Islands (the) [Malvinas]'],
  GB: ['UK', 'United Kingdom of Great Britain and Northern Ireland (the)'],
  GM: ['The Gambia', 'Gambia, The'],
  GQ: ['Guinea (Equatorial)'],
  IR: ['Iran, Islamic Republic of', 'Iran (Islamic Republic of)'],
  KN: ['Saint Kitts and Nevis', 'St. Kitts and Nevis', 'St Kitts & Nevis'],
  KP: ['Korea (North)', 'Korea, North', "Korea (the Democratic People's Republic of)"],
  KR: ['Korea', 'Korea, South', 'Korea (the Republic of)'],
  LA: ["Lao People's Democratic Republic (the)"],
  LC: ['Saint Lucia'],
  MD: ['Republic of Moldova', 'Moldova, Republic of'],
  MK: ['Macedonia (the former Yugoslav Republic of)'],
  MM: ['Myanmar', 'Burma'],
  MO: ['Macau', 'Macao'],
  NL: ['The Netherlands', 'Netherlands (Kingdom of the)', ' the  netherlands '],
  PS: ['Palestine', 'State of Palestine', 'Palestine, State of'],
  SS: ['Sudan (South)'],
  SY: ['Syrian Arab Republic'],
  TR: ['Türkiye', 'Turkiye', 'Turkey'],
  TT: ['Trinidad and Tobago'],
  TW: ['Taiwan', 'Taiwan (Province of China)', 'Republic of China'],
  US: ['U.S.A.', 'United States of America (the)'],
  VA: ['Holy See', 'Holy See (Vatican City State)'],
  VG: ['Virgin Islands (British)'],
  VI: ['Virgin Islands (U.S.)'],
}
test.each(Object.entries(SPELLINGS))('reads %s in %j', (code, spellings) => {
  expect(spellings.map(readCountryCode)).toEqual(spellings.map(() => code))
})

test('reads every code and the name that we give it', () => {
  for (const code of COUNTRY_CODES) {
    const name = countryName(code) ?? expect.fail(code)
    expect([code, name, code.toLowerCase()].map(readCountryCode)).toEqual([code, code, code])
    expect(findCountryCode(name)).toBe(code)
  }
})

test.each([
  '',
  '()',
  'The',
  'St.',
  'Atlantis',
  'Paris, France',
  'Lebanon, Pennsylvania',
  'Georgia, USA',
  'Georgia (USA)',
  'State of Georgia',
  "People's Democratic Republic of Korea",
  'Turkish Republic of Northern Cyprus',
  'Virgin Islands',
])('takes %j for no country', (text) => {
  expect(readCountryCode(text)).toBeNull()
})

test.for(['(', ',', '()', ' )', 'a(', 'a ', 'republic ', ' of'])(
  'reads a long run of %j in linear time',
  // Work that grows with the square of the length takes minutes.
  { timeout: 60_000 },
  (piece) => {
    expect(readCountryCode(`${piece.repeat(500_000)}x`)).toBeNull()
  },
)
