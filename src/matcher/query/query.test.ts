import fc from 'fast-check'
import { expect, test } from 'vitest'
import { randomQuery } from '#test/support/query/random-queries.ts'
import { completeAt } from './complete-query.ts'
import { chipsOf, removeChip, setField } from './edit-query.ts'
import { explainQuery } from './explain-query.ts'
import { parseQuery } from './parse-query.ts'
import { printQuery, quoteText } from './print-query.ts'
import { testsOf } from './query-tests.ts'
import { conjunctsOf, leavesOf } from './query-tree.ts'

const TODAY = '2026-11-22'
const explain = (text: string) => explainQuery(parseQuery(text).tree, { today: TODAY })

test.each([
  [
    '(hospital OR klinik) country:DE,AT after:yesterday -university',
    '(hospital or klinik) and (country is Germany or Austria) and published on 2026-11-21 or later and not university',
  ],
  // OR binds least, NOT most.
  ['a or b and c', 'a or (b and c)'],
  ['a OR NOT b c', 'a or (not b and c)'],
  ['-(a OR b) c', 'not (a or b) and c'],
  ['list:suppliers match:to-confirm', 'matching the list “suppliers” and with a match to confirm'],
  ['list:* entry:"Okapi Ltd"', 'matching any list and matching an entry with "okapi ltd"'],
  // At an edge, quoted or behind a dash they are words.
  ['a or', 'a and "or"'],
  ['"or" a', '"or" and a'],
  ['a -or b', 'a and not "or" and b'],
  ['not for sale', '"not" and for and sale'],
  ['NOT acme', 'not acme'],
  // A dash leaves out only where a word begins.
  ['side-loading --force - a', '"side loading" and force and a'],
  [
    'https://x.example:8080/a 2001:db8::1 a@b.example',
    '"https x example 8080 a" and "2001 db8 1" and "a b example"',
  ],
  ['„Lock Bit“ «acme»', '"lock bit" and acme'],
  ['bank* ba*k', 'bank… and "ba k"'],
  [
    'actor:*,x -country:* source:* victim:"*a"',
    '(with any actor or actor has x) and not with any country and seen anywhere and victim has a',
  ],
  ['severity:>=high severity:<high', 'severity is high or above and severity is below high'],
  ['on:2024-02 before:7d', 'published from 2024-02-01 to 2024-02-29 and published before 2026-11-16'],
  [
    'ACTOR:"lock \\"bit",x is:starred has:comment id:a*',
    '(actor has "lock bit" or x) and starred by the team and with a comment and id is a…',
  ],
  [
    'has:analysis,evidence -has:note source:dread.example,t.me/*',
    '(with an analysis or with evidence) and not with a comment and (seen at dread.example or below it or seen at t.me/…)',
  ],
  ['*** ()', ''],
  ['on:yesterday..today', 'published from 2026-11-21 to 2026-11-22'],
  ['on:2026-11-01..today', 'published from 2026-11-01 to 2026-11-22'],
  [
    'Sector:finance group:akira tag:ddos level:>=high since:7d -date:today',
    'industry has finance and actor has akira and category has ddos and severity is high or above and published on 2026-11-16 or later and not published on 2026-11-22',
  ],
])('understands %s', (text, explained) => {
  expect(parseQuery(text).faults).toEqual([])
  expect(explain(text)).toBe(explained)
})

test.each([
  ['country: DE', 'country:DE'],
  ['severity:>=hgih', 'severity:>=high'],
  ['after:22.11.2026', 'after:2026-11-22'],
  ['before:yesteday', 'before:yesterday'],
  ['on:2026-02-30', null],
  ['a is:stared', 'a is:starred'],
  ['(a OR b', '(a OR b)'],
  ['a) b', 'a b'],
  ['country:DE,', null],
  ['has:evidenc', 'has:evidence'],
  ['severity:low..high', null],
  // A sign is never dropped from a value.
  ['a severity:!high b', 'a -severity:high b'],
  ['country:!DE', '-country:DE'],
  ['-country:!DE,!FR', 'country:DE,FR'],
  ['country:DE,!FR', 'country:DE -country:FR'],
  ['actor:-lock*', '-actor:lock*'],
  ['actor:!', null],
  ['after:2026-11-01..2026-11-10', 'on:2026-11-01..2026-11-10'],
  ['a OR before:yesterday..today', 'a OR on:yesterday..today'],
  ['on:2026-11-10..2026-11-01', 'on:2026-11-01..2026-11-10'],
  ['on:today..yesterday', 'on:yesterday..today'],
  // Days that exclude each other.
  ['after:30d before:60d', 'after:60d before:30d'],
  ['a before:2026-01-01 (b c) after:2026-02', 'a before:2026-02 (b c) after:2026-01-01'],
  ['a OR (b since:2026-02-01 before:2025)', 'a OR (b since:2025 before:2026-02-01)'],
  ['(after:today) a before:today', 'on:today a'],
  ['on:2026-01 after:2026-02-01 a', 'on:2026-01  a'],
  ['a on:yesterday on:today', 'a on:yesterday '],
  ['country:DE|FR', 'country:DE,FR'],
  ['country:+DE', 'country:DE'],
  ['actor:*bit', 'actor:bit'],
  ['actor:lo*bit', 'actor:lo*'],
  ['actor:lock~2', 'actor:lock'],
  ['victim:/ba.k/', null],
  ['country:DE;FR', 'country:DE,FR'],
  ['country:=DE', 'country:DE'],
  ['actor:==lock', 'actor:lock'],
  ['severity:!=high', '-severity:high'],
  // A sign before a field is no text either.
  ['a !country:DE', 'a -country:DE'],
  ['-!country:DE', 'country:DE'],
  ['+actor:"lock bit"', 'actor:"lock bit"'],
  // Severities are four.
  ['severity:urgent', 'severity:critical'],
  ['-severity:crtical', '-severity:critical'],
  ['level:whatever', null],
  ['severity:urg*', null],
  ['severity:>critical', 'severity:critical'],
  ['severity:<low', 'severity:low'],
  // What other tools write in the place of a colon.
  ['country=DE', 'country:DE'],
  ['actor!=lock a', '-actor:lock a'],
  ['-actor!=lock', 'actor:lock'],
  ['country:DE severity>high', 'country:DE severity:>high'],
  ['sector=fin*', 'industry:fin*'],
  ['until:today', 'before:today'],
  ['title:"data leak" a', '"data leak" a'],
  ['id:*', null],
  ['source:***', null],
  ['actor:>=x', 'actor:"x"'],
  ['victim:***', null],
  ['((((((a))))))', null],
  ['x'.repeat(2_001), null],
  [Array.from({ length: 51 }, (_, at) => `w${at}`).join(' OR '), null],
])('reports the position and the nearest fix of the error in %s', (text, fixed) => {
  const [fault] = parseQuery(text).faults
  expect(fault?.message).toMatch(/\.$/)
  const { from = -1, to = -1, fix } = fault ?? {}
  expect(from >= 0 && from <= to && to <= text.length).toBe(true)
  expect(fix === undefined ? null : text.slice(0, from) + fix + text.slice(to)).toBe(fixed)
  if (fixed !== null) expect(parseQuery(fixed).faults).toEqual([])
})

test.each([
  ['a or b', 'operator', '"or"'],
  ['a or', 'word', null],
  ['not a', 'word', 'NOT'],
  ['contry:DE', 'name', 'country'],
  ['foo:bar', 'name', null],
  ['sectr:finance', 'name', 'industry'],
  ['country:DE,Germny', 'value', 'Germany'],
  ['country:unitedkingdom', 'value', '"United Kingdom"'],
  ['category:ransmware', 'value', 'Ransomware'],
  ['a ***', 'unused', null],
  ['a "b c', 'open', '"b c"'],
  ['a || b', 'sign', 'OR'],
  ['!acme b', 'sign', '-acme'],
  ['*bank', 'sign', 'bank'],
  ['ba*k', 'sign', 'ba*'],
  ['acme~2', 'sign', 'acme'],
  ['"a b"~5 c', 'sign', ''],
  ['/ba.k/ a', 'sign', null],
])('says of %s what a reader may not expect', (text, kind, fix) => {
  const { hints, faults } = parseQuery(text)
  expect(faults).toEqual([])
  expect(hints).toMatchObject([{ kind, ...(fix !== null && { fix }) }])
})

test.each([
  ['DR Congo', 'Congo - Kinshasa'],
  ['America', 'United States'],
  ['U.S.', 'United States'],
  ['u.s', 'United States'],
  ['England', 'United Kingdom'],
  ['U.A.E.', 'United Arab Emirates'],
])('finds the country of “%s”', (name, country) => {
  const { hints, faults } = parseQuery(`country:"${name}"`)
  expect([hints, faults]).toEqual([[], []])
  expect(explain(`country:"${name}"`)).toBe(`country is ${country}`)
})

test('offers the choice of a name that two countries have, and finds both', () => {
  const { hints, faults, tree } = parseQuery('a country:Congo')
  expect(faults).toEqual([])
  expect(hints).toEqual([
    {
      kind: 'shared',
      from: 10,
      to: 15,
      message:
        '“Congo” is the name of CD (Congo - Kinshasa) and CG (Congo - Brazzaville): all of them are found.',
      choices: ['CD', 'CG'],
    },
  ])
  const field = leavesOf(tree).find((leaf) => leaf.kind === 'field')
  const context = { momentsOf: () => ({ start: 0, end: 0 }), marksOf: () => undefined }
  expect(field && testsOf(field, context)).toContainEqual({ kind: 'country', codes: ['CD', 'CG'] })
})

test.each([
  'after:2026-11-01 before:30d',
  'after:30d OR before:60d',
  'after:30d -before:60d',
  'after:30d before:60d,today',
  'after:yesterday before:today on:2d',
  'on:2026-01 after:2026-01-31 before:2026-02',
])('accepts days that do not exclude each other: %s', (text) => {
  expect(parseQuery(text).faults).toEqual([])
})

test('gives no hint for an address, capitals or quoted text', () => {
  expect(
    parseQuery('https://x.example/~a/b?c=d a OR b AND "or" NOT c "foo:bar" "!x" x=1 what? c* and/or').hints,
  ).toEqual([])
})

test('gives no hint for a possible or quoted value', () => {
  const known =
    'country:de,germany,united,bosnia,uk,Atlantis,g* category:breach,Extortion severity:"info",HIGH,>=low,hi*'
  expect(parseQuery(`${known} country:"Germny" actor:lokbit`)).toMatchObject({ hints: [], faults: [] })
})

test('takes a long list of words, which nothing joins', () => {
  const text = Array.from({ length: 120 }, (_, at) => `w${at}`).join(' ')
  expect(parseQuery(text).faults).toEqual([])
})

test('answers any text, with places that lie within it and a printed form that stays', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc
      .array(
        fc.constantFrom(
          ...'()"-,:*\\ <>.'.split(''),
          'or',
          'NOT',
          'is:',
          'on:7d',
          'a',
          '“',
          '語',
          '!',
          'level:',
          'until:',
          '=',
        ),
        {
          maxLength: 30,
        },
      )
      .map((pieces) => pieces.join('')),
    randomQuery,
  )
  let printed = 0
  fc.assert(
    fc.property(text, (given) => {
      const { tree, faults, hints } = parseQuery(given)
      const places = [...faults, ...hints, ...leavesOf(tree), ...conjunctsOf(tree)]
      for (const { from, to } of places) expect(0 <= from && from <= to && to <= given.length).toBe(true)
      completeAt(given, Math.floor(given.length / 2))
      if (faults.length > 0) return
      const again = printQuery(tree)
      const reread = parseQuery(again)
      expect(reread.faults, again).toEqual([])
      expect(printQuery(reread.tree)).toBe(again)
      expect(explainQuery(reread.tree, { today: TODAY }), given).toBe(explainQuery(tree, { today: TODAY }))
      printed++
    }),
    { seed: 2026, numRuns: 2_000 },
  )
  expect(printed).toBeGreaterThan(1_000)
})

test('a quoted text matches itself literally, with any characters', () => {
  const text = fc.string({ unit: 'binary', maxLength: 20 })
  const isItself = fc.property(text, (given) => {
    const { tree, faults } = parseQuery(quoteText(`a${given}`))
    expect(faults).toEqual([])
    expect(tree).toMatchObject({ kind: 'word', text: `a${given}`.trim() })
  })
  fc.assert(isItself, { seed: 2026, numRuns: 500 })
})

test('shows required conditions as chips, and the rest as text', () => {
  expect(chipsOf('(a OR b) country:DE,AT -actor:"lock bit" c')).toEqual([
    { kind: 'raw', text: '(a OR b)' },
    { kind: 'field', name: 'country', values: ['DE', 'AT'], isNegated: false, text: 'country:DE,AT' },
    { kind: 'field', name: 'actor', values: ['lock bit'], isNegated: true, text: '-actor:"lock bit"' },
    { kind: 'raw', text: 'c' },
  ])
  expect(chipsOf('a OR country:DE')).toEqual([{ kind: 'raw', text: '(a OR country:DE)' }])
})

test.each([
  ['adds to what joins by OR', setField('a OR b', 'country', ['DE']), '(a OR b) country:DE'],
  [
    'replaces in its place',
    setField('a country:DE b', 'country', ['FR', 'New, "Zealand"']),
    'a country:FR,"New, \\"Zealand\\"" b',
  ],
  ['leaves out', setField('a AND country:DE or', 'country', []), 'a "or"'],
  ['keeps what it does not know', setField('-country:DE', 'country', ['FR']), '-country:DE country:FR'],
  ['quotes what would be a sign', setField('', 'actor', ['-=TWELVE=-', '!x']), 'actor:"-=TWELVE=-","!x"'],
  [
    'quotes a severity that is none of the four',
    setField('level:low', 'severity', ['low', 'info']),
    'severity:low,"info"',
  ],
  ['removes a chip', removeChip('a (b OR c) d', 1), 'a d'],
])('%s', (_, edited, expected) => {
  expect(edited).toBe(expected)
})

test.each([
  ['a cou', 5, { kind: 'name', text: 'cou', from: 2, to: 5, offers: ['country:'] }],
  ['sec', 3, { kind: 'name', offers: ['industry:'] }],
  ['sector:fi', 9, { kind: 'value', name: 'industry', text: 'fi', from: 7, to: 9 }],
  ['-is:st', 6, { kind: 'value', name: 'is', text: 'st', from: 4, to: 6, offers: ['starred'] }],
  ['actor:a,lo', 10, { kind: 'value', name: 'actor', text: 'lo', from: 8, to: 10, offers: [] }],
  ['severity:>=', 11, { kind: 'value', name: 'severity', text: '', from: 11, to: 11 }],
  ['actor:"lock b', 13, { kind: 'value', name: 'actor', text: 'lock b', from: 6, to: 13 }],
])('knows what is being typed in %s', (text, offset, expected) => {
  expect(completeAt(text, offset)).toMatchObject(expected)
})

test('offers nothing within a phrase', () => {
  expect(completeAt('"a cou"', 5)).toBeNull()
})

test('a match is certain or to confirm', () => {
  expect(parseQuery('match:certian').faults).toEqual([
    { from: 6, to: 13, message: '“certian” is not known here: use certain, to-confirm.', fix: 'certain' },
  ])
})
