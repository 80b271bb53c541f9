import { expect, test } from 'vitest'
import { describeNews, findNewFacts, readClaimFacts } from './claim-facts.ts'

const read = (title: string, excerpt = '') =>
  readClaimFacts({ title, excerpt, severity: 'high', actors: [] }).map(({ kind, text }) =>
    `${kind} ${text}`.trim(),
  )

test.each([
  ['OKAPI.EXAMPLE FILES  PART5 PUBLISHED', ['published']],
  ['Okapi Ltd: all files have been published', ['published']],
  ['Okapi Ltd, full leak', ['published']],
  ['Okapi Ltd: the data will be published', []],
  ['Okapi Ltd: no data was published yet', []],
  ['A report that the group published', []],
  ['Okapi Ltd', []],
  ['Okapi Ltd. Deadline: 2026-12-01', ['deadline 2026-12-01']],
  ['Okapi Ltd, deadline is 1 Dec 2026 at noon', ['deadline 1 Dec 2026']],
  ['Okapi Ltd, new deadline December 3rd, 2026', ['deadline December 3rd, 2026']],
  ['Okapi Ltd: deadline passed', ['deadline-passed']],
  ['Okapi Ltd: the timer has expired', ['deadline-passed']],
])('%s says %j', (title, facts) => {
  expect(read(title)).toEqual(facts)
})

test('an excerpt says as much as a title, in time that grows with its length', () => {
  expect(read('Okapi Ltd', 'Deadline: 01.12.2026')).toEqual(['deadline 01.12.2026'])
  expect(read('deadline '.repeat(20_000), 'files '.repeat(20_000))).toEqual([])
})

test('only what is not known of a case is news; a group’s versions are one group', () => {
  const facts = readClaimFacts({
    title: 'Okapi Ltd files published',
    excerpt: null,
    severity: 'Critical',
    actors: ['LockBit 3.0', 'Ashfall'],
  })
  const known = [
    { kind: 'actor', text: 'lockbit2' },
    { kind: 'published', text: '' },
  ] as const
  expect(findNewFacts(facts, known)).toEqual([
    { kind: 'critical', text: '' },
    { kind: 'actor', text: 'Ashfall' },
  ])
  expect(findNewFacts(facts, facts)).toEqual([])
  const [one, other] = ['888', '777'].map((text) => ({ kind: 'actor', text }) as const)
  expect(one && other && findNewFacts([one], [other])).toEqual([one])
})

test('describes news in a few words, the most urgent first', () => {
  expect(
    describeNews([
      { kind: 'published', text: '' },
      { kind: 'actor', text: 'Ashfall' },
      { kind: 'actor', text: 'Night Owl' },
      { kind: 'critical', text: '' },
    ]),
  ).toBe('now critical, also claimed by Ashfall, Night Owl, data published')
})
