import { expect, test } from 'vitest'
import type { Threat } from '#contract/bff/threat.ts'
import type { ClaimFact } from '#matcher/cases/claim-facts.ts'
import { decideMatches, type FoundMatch } from './decide-matches.ts'
import type { HeldMatch } from './evaluation-queries.ts'

const threat = (changes: Partial<Threat>): Threat => ({
  id: 'one',
  set: 'v1',
  title: 'Okapi Ltd',
  excerpt: null,
  category: 'Ransomware',
  severity: 'high',
  actors: ['Ashfall'],
  countries: [],
  industries: [],
  organizations: ['Okapi Ltd'],
  domains: [],
  publishedAt: '2026-03-10T08:00:00.000Z',
  redacted: [],
  ...changes,
})
const found = (changes: Partial<Threat>, given: Partial<FoundMatch> = {}): FoundMatch => ({
  threat: threat(changes),
  caseId: '7',
  passing: 'enqueued',
  isRenamed: false,
  ...given,
})
const held = (changes: Partial<HeldMatch>): HeldMatch => ({
  id: 'before',
  caseId: '7',
  state: 'enqueued',
  isCritical: false,
  facts: [{ kind: 'actor', text: 'Ashfall' }],
  ...changes,
})
const decide = (some: readonly FoundMatch[], matches: readonly HeldMatch[], facts: ClaimFact[] = []) =>
  decideMatches(some, matches, () => facts).map(({ id, state, event, news }) => ({ id, state, event, news }))

test('the first claim of a case is sent, those that follow are not, in whatever order they come', () => {
  const first = found({ id: 'first' })
  const later = found({ id: 'later', publishedAt: '2026-03-11T08:00:00.000Z' })
  const undated = found({ id: 'undated', publishedAt: null })
  expect(decide([undated, later, first], [])).toEqual([
    { id: 'first', state: 'enqueued', event: 'threat:first', news: null },
    { id: 'later', state: 'repeated', event: null, news: null },
    { id: 'undated', state: 'repeated', event: null, news: null },
  ])
  expect(decide([first, later], []).map(({ state }) => state)).toEqual(['enqueued', 'repeated'])
})

test('sends each claim that is in no case', () => {
  const some = [found({ id: 'one' }, { caseId: null }), found({ id: 'two' }, { caseId: null })]
  expect(decide(some, [held({ caseId: null })]).map(({ event }) => event)).toEqual([
    'threat:one',
    'threat:two',
  ])
})

test.each<[string, Partial<Threat>, string]>([
  ['another group', { actors: ['Night Owl'] }, 'also claimed by Night Owl'],
  ['published data', { title: 'Okapi Ltd files published' }, 'data published'],
  ['a deadline', { title: 'Okapi Ltd, deadline 2026-12-01' }, 'deadline 2026-12-01'],
  ['a passed deadline', { title: 'Okapi Ltd, deadline passed' }, 'deadline passed'],
  ['critical', { severity: 'Critical' }, 'now critical'],
])('a later claim is sent for %s, once', (_name, changes, news) => {
  const claim = found({ id: 'new', ...changes })
  const again = found({ id: 'newer', publishedAt: '2026-03-12T08:00:00.000Z', ...changes })
  expect(decide([claim, again], [held({})])).toEqual([
    { id: 'new', state: 'enqueued', event: 'threat:new', news },
    { id: 'newer', state: 'repeated', event: null, news: null },
  ])
})

test('a record that was sent is sent again for what is new in it, and for nothing else', () => {
  const own = held({ id: 'one' })
  expect(decide([found({ countries: [{ code: 'FR', name: 'France' }] })], [own])).toEqual([])
  expect(decide([found({ title: 'Okapi Ltd files published' })], [own])).toEqual([
    { id: 'one', state: 'enqueued', event: 'published:one', news: 'data published' },
  ])
  expect(decide([found({ severity: 'critical' })], [own])[0]?.event).toBe('critical:one')
})

test('a record that names its actor later is not news, but makes the actor known', () => {
  const own = held({ id: 'one', facts: [] })
  const [named] = decideMatches([found({})], [own], () => [])
  expect(named).toMatchObject({ state: 'enqueued', event: null, facts: [{ kind: 'actor', text: 'Ashfall' }] })
  expect(decide([found({}), found({ id: 'two' })], [own]).map(({ event }) => event)).toEqual([null, null])
})

test('an old match without facts makes all facts of its record known, except a rise to critical', () => {
  const facts: ClaimFact[] = [
    { kind: 'actor', text: 'Ashfall' },
    { kind: 'critical', text: '' },
  ]
  const old = held({ facts: null })
  expect(decide([found({})], [old], facts)).toMatchObject([{ state: 'repeated' }])
  expect(decide([found({ severity: 'critical' })], [old], facts)).toMatchObject([{ news: 'now critical' }])
  expect(
    decide([found({ severity: 'critical' })], [held({ facts: null, isCritical: true })], facts),
  ).toMatchObject([{ state: 'repeated' }])
})

test('a muted record is not sent until it is renamed, and does not mute a later claim', () => {
  const muted = held({ id: 'one', state: 'muted' })
  expect(decide([found({}, { passing: 'muted' })], [])).toMatchObject([{ state: 'muted', event: null }])
  expect(decide([found({ id: 'two' })], [muted])).toMatchObject([{ event: 'threat:two' }])
  expect(decide([found({})], [muted])).toEqual([])
  expect(decide([found({}, { isRenamed: true })], [muted])).toMatchObject([{ event: 'threat:one' }])
})

test('a case of claims that were taken out of another one was never sent', () => {
  const repeated = held({ id: 'taken-out', caseId: '8', state: 'repeated' })
  expect(decide([found({}, { caseId: '8' })], [held({}), repeated])).toEqual([
    { id: 'one', state: 'enqueued', event: 'threat:one', news: null },
  ])
})

test('a fact known only from a claim that left the case is news', () => {
  const repeated = held({ id: 'repeated', state: 'repeated', facts: [{ kind: 'actor', text: 'Night Owl' }] })
  const claim = found({ id: 'new', actors: ['Night Owl'] })
  expect(decide([claim], [held({}), repeated])).toMatchObject([{ news: 'also claimed by Night Owl' }])
})

test('a repeated claim is sent as itself once it says something new', () => {
  const repeated = held({ id: 'one', state: 'repeated' })
  expect(decide([found({ title: 'Okapi Ltd files published' })], [held({}), repeated])).toEqual([
    { id: 'one', state: 'enqueued', event: 'threat:one', news: 'data published' },
  ])
})
