import { expect, test } from 'vitest'
import { DAY_MS } from '#contract/duration.ts'
import type { Claim } from './claim.ts'
import { claimKeys } from './claim-keys.ts'
import { compareClaims } from './compare-claims.ts'

const AT = Date.parse('2026-03-10T12:00:00.000Z')

function claim(victim: string, facts: Partial<Claim> = {}): Claim {
  return {
    id: victim,
    at: AT,
    title: null,
    victims: [victim],
    domains: [],
    countries: [],
    actors: [],
    categories: [],
    ...facts,
  }
}
const OKAPI = { domains: ['okapi.example'] }
const QILIN = { actors: ['qilin'] }

test.for<[what: string, one: Claim, other: Claim, expected: string | null]>([
  ['one domain', claim('Okapi', OKAPI), claim('Someone Else', OKAPI), 'certain domain'],
  [
    'a domain that many share',
    claim('Okapi', { domains: ['github.com'] }),
    claim('Lorisford', { domains: ['github.com'] }),
    null,
  ],
  ['one distinctive name', claim('Okapilane Ltd'), claim('OKAPILANE'), 'certain name'],
  [
    'one name with other domains',
    claim('Okapilane', OKAPI),
    claim('Okapilane', { domains: ['other.example'] }),
    'likely name',
  ],
  [
    'one name in two countries',
    claim('Okapilane', { countries: ['DE'] }),
    claim('Okapilane', { countries: ['FR'] }),
    'likely name',
  ],
  ['one everyday name', claim('Apex'), claim('Apex Ltd'), 'likely everyday-name'],
  ['one everyday name of one actor', claim('Apex', QILIN), claim('Apex - part 2', QILIN), 'certain repost'],
  [
    'one everyday name in two countries',
    claim('Apex', { countries: ['DE'] }),
    claim('Apex', { countries: ['FR'] }),
    null,
  ],
  ['three everyday words', claim('Family Health Center'), claim('FAMILY HEALTH CENTER'), 'certain name'],
  [
    'a cut name of one actor',
    claim('okapilanefrei...', QILIN),
    claim('okapilanefreight.example', QILIN),
    'certain repost',
  ],
  [
    'a cut name of another actor',
    claim('okapilanefrei...', QILIN),
    claim('okapilanefreight.example', { actors: ['play'] }),
    'likely name-in-name',
  ],
  [
    'one actor under two names',
    claim('Apex', { actors: ['hive'] }),
    claim('Apex', { actors: ['Hive Leak'] }),
    'certain repost',
  ],
  [
    'one actor in two versions',
    claim('Apex', { actors: ['lockbit2'] }),
    claim('Apex', { actors: ['LockBit 3.0'] }),
    'certain repost',
  ],
  [
    'an addition of one actor',
    claim('Okapilane Freight', QILIN),
    claim('Okapilane Freight (BONUS)', QILIN),
    'certain repost',
  ],
  ['a slip in a long name', claim('Okapilane Freigth'), claim('Okapilane Freight'), 'likely similar'],
  ['two everyday words', claim('Northern Insurance Okapi'), claim('Southern Insurance Okapi'), null],
  [
    'a name within a longer one',
    claim('Okapilane'),
    claim('Okapilane Tapirwerk Freight'),
    'likely name-in-name',
  ],
  ['initials', claim('OTDC'), claim('Okapilane Tapirwerk Dock Company'), 'likely abbreviation'],
  [
    'a name and its domain',
    claim('Okapilane'),
    claim('files', { domains: ['okapilane.example'] }),
    'certain brand-in-domain',
  ],
  ['masked names', claim('Oka****ne'), claim('Oka****ne'), null],
  ['masked names of one actor', claim('Oka****ne', QILIN), claim('OKA****NE', QILIN), 'likely repost'],
  ['names of which too little is visible', claim('O******', QILIN), claim('O******', QILIN), null],
  ['other masked names', claim('O????? L???', QILIN), claim('O????? Z???', QILIN), null],
  [
    'a domain that has the name of neither',
    claim('Okapi Police', { domains: ['cheap-hosting.example'] }),
    claim('Lorisford School', { domains: ['cheap-hosting.example'] }),
    'likely domain',
  ],
  [
    'a domain that has a word of one name',
    claim('Okapi Police', { domains: ['okapitown.example'] }),
    claim('Lorisford School', { domains: ['okapitown.example'] }),
    'certain domain',
  ],
  [
    'a domain that invented records share',
    claim('Okapi Police', { domains: ['example.com'] }),
    claim('Lorisford School', { domains: ['example.com'] }),
    null,
  ],
  [
    'a portal of authorities',
    claim('Okapi Police', { domains: ['okapi.gov'] }),
    claim('Lorisford School', { domains: ['okapi.gov'] }),
    'likely domain',
  ],
  [
    'a part of another actor',
    claim('Okapilane pt.2'),
    claim('Okapilane. Part 3 - PUBLISHED'),
    'certain name',
  ],
  [
    'a cut address of one actor',
    claim('https://okapilane-fr...', QILIN),
    claim('www.okapilane-freight.example', QILIN),
    'certain repost',
  ],
  [
    'a name at the beginning of a domain',
    claim('Okapilane'),
    claim('files', { domains: ['okapilanegroup.example'] }),
    'likely brand-in-domain',
  ],
  [
    'a short name and its domain',
    claim('Okapi'),
    claim('files', { domains: ['okapi.example'] }),
    'likely brand-in-domain',
  ],
  ['two victims', claim('Okapilane'), claim('Lorisford'), null],
  ['31 days', claim('Okapilane'), claim('Okapilane', { at: AT + 31 * DAY_MS }), null],
  ['no date', claim('Okapilane'), claim('Okapilane', { at: null }), 'likely name'],
])('%s', ([, one, other, expected]) => {
  for (const [first, second] of [
    [one, other],
    [other, one],
  ] as const) {
    const join = compareClaims(first, second)
    expect(join && `${join.certainty} ${join.rule}`).toBe(expected)
    if (join) expect(claimKeys(first).some((key) => claimKeys(second).includes(key))).toBe(true)
  }
})

test('a claim has few and short keys, whatever it says', () => {
  const text = `${'okapi '.repeat(500)}\u202e${'x'.repeat(5_000)}`
  const keys = claimKeys(
    claim(text, { title: text, domains: Array.from({ length: 90 }, (_, at) => `a${at}.example`) }),
  )
  expect(keys.length).toBeLessThanOrEqual(12)
  expect(keys.every((key) => key.length <= 80)).toBe(true)
  expect(claimKeys(claim('', { victims: [] }))).toEqual([])
})
