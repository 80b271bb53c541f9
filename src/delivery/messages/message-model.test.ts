import { expect, test } from 'vitest'
import {
  aDigest,
  aGroup,
  aMatchesMessage,
  aNotifiedThreat,
  aShiftDigest,
  aTestMessage,
} from '#test/fixtures/message-fixtures.ts'
import { formatLine } from './format-text.ts'
import { createMessageModel } from './message-model.ts'
import { writeCard } from './write-card.ts'
import { writeEmail } from './write-email.ts'
import { writeSlack } from './write-slack.ts'

const SPACE = { threats: 5, textLength: 300 }

test('says of one match what it is, why it matched, and where it is', () => {
  const { subject, heading, causes, threats, more, link } = createMessageModel(aMatchesMessage(), SPACE)
  expect({ subject, heading, causes, more }).toEqual({
    subject: 'Critical: Acme Corp, claimed by NightOwl · Acme and suppliers',
    heading: null,
    causes: 'profile “Acme and suppliers”',
    more: null,
  })
  expect(threats).toEqual([
    {
      section: null,
      severity: 'Critical',
      isCritical: true,
      title: 'Acme Corp listed on a leak site',
      link: 'https://lantern.example/threats/threat-1?set=v1',
      matched: '“acme” and “acme corp”',
      facts: [
        { label: 'Victim', value: 'Acme Corp' },
        { label: 'Actor', value: 'NightOwl' },
        { label: 'Country', value: 'Germany' },
        { label: 'Category', value: 'Ransomware' },
        { label: 'Published', value: '22 Nov 2026, 14:05 UTC' },
      ],
    },
  ])
  expect(link).toEqual({ label: 'Open in Lantern', url: 'https://lantern.example/threats/threat-1?set=v1' })
})

test('says of a group how many there are, how many critical, and all that is behind it', () => {
  const model = createMessageModel(aGroup(), SPACE)
  expect(model).toMatchObject({
    subject: 'Critical: Acme Corp, claimed by NightOwl (+12 more) · Acme and suppliers and 4 more',
    heading: '13 new matches, 5 critical',
    causes: 'profile “Acme and suppliers”, profile “Energy”, profile “Germany, critical” and 2 more',
    more: '8 more, 3 critical',
    link: { label: 'Show all 13 in Lantern', url: 'https://lantern.example/threats?found=1' },
  })
  expect(model.threats).toHaveLength(5)
  expect(createMessageModel(aGroup(), { ...SPACE, threats: 1 }).more).toBe('12 more, 4 critical')
  expect(createMessageModel(aGroup({ count: 5, criticalCount: 2 }), SPACE)).toMatchObject({ more: null })
})

test.each([
  ['no severity', { severity: null }, 'New match: Acme Corp, claimed by NightOwl (+2 more) · Ports'],
  [
    'news of a case',
    { news: 'also claimed by qilin' },
    'Critical: Acme Corp, also claimed by qilin (+2 more) · Ports',
  ],
  [
    'news with a header of its own',
    { news: 'also claimed by q\r\nBcc: eve@evil.example' },
    'Critical: Acme Corp, also claimed by q Bcc: eve[@]evil[.]example (+2 more) · Ports',
  ],
  ['no actor', { actor: null }, 'Critical: Acme Corp (+2 more) · Ports'],
  ['no victim', { victim: null }, 'Critical: Acme Corp listed on a leak site (+2 more) · Ports'],
  [
    'a long victim',
    { victim: `Okapi ${'Holding '.repeat(20)}` },
    'Critical: Okapi Holding Holding Holding Holding H…, claimed by NightOwl (+2 more) · Ports',
  ],
  [
    'a header of its own',
    { victim: 'Okapi\r\nBcc: eve@evil.example', actor: '\u202eniliq' },
    'Critical: Okapi Bcc: eve[@]evil[.]example, claimed by ‹U+202E›niliq (+2 more) · Ports',
  ],
])('a subject begins with the severity, where there is %s', (_, changes, subject) => {
  const message = { causes: [{ name: 'Ports' }], threats: [aNotifiedThreat(changes)], count: 3 }
  expect(createMessageModel(aMatchesMessage(message), SPACE).subject).toBe(subject)
})

const OKAPI = {
  kind: 'supplier',
  listName: 'Suppliers',
  entryName: 'Okapi Ltd',
  certainty: 'certain',
  rule: 'domain',
  text: 'okapi.example',
} as const
const REASON = 'Supplier: Okapi Ltd (certain: same domain okapi[.]example, list Suppliers)'

test.each([
  ['by one entry', [OKAPI], REASON],
  ['by several', [OKAPI, OKAPI, OKAPI], `${REASON} and 2 more`],
  [
    'by a long name',
    [{ ...OKAPI, entryName: 'Okapi '.repeat(80) }, OKAPI],
    expect.stringMatching(/^Supplier: Okapi .{250,280}… and 1 more$/),
  ],
  [
    'by a hostile name',
    [{ ...OKAPI, entryName: '\u202exo.example\r\nBcc: eve' }],
    'Supplier: ‹U+202E›xo[.]example Bcc: eve (certain: same domain okapi[.]example, list Suppliers)',
  ],
])('a threat that concerns its receiver %s says so first', (_, concerns, value) => {
  const message = aMatchesMessage({ threats: [aNotifiedThreat({ concerns })] })
  const [threat] = createMessageModel(message, SPACE).threats
  expect(threat?.facts[0]).toEqual({ label: 'Concerns us', value })
  const proof = {
    ...aTestMessage(),
    kind: 'test',
    causes: [],
    requestedBy: null,
    proof: 'Okapi',
    concerns,
  } as const
  const { paragraphs } = createMessageModel(proof, SPACE)
  expect(paragraphs.slice(1, 3)).toEqual([
    'Okapi',
    typeof value === 'string'
      ? `Concerns us: ${value}`
      : expect.stringMatching(/^Concerns us: Supplier: Okapi/),
  ])
})

test('leaves out what the vendor does not say', () => {
  const silent = { severity: null, category: null, actor: null, victim: ' ', publishedAt: null }
  const threats = [aNotifiedThreat({ ...silent, countries: [], matchedWords: [], title: ' ' })]
  const model = createMessageModel(aMatchesMessage({ causes: [], threats, criticalCount: 0 }), SPACE)
  expect(model.subject).toBe('New match: Untitled threat')
  expect(model.causes).toBeNull()
  expect(model.threats).toMatchObject([{ severity: null, matched: null, facts: [] }])
})

test('a test says that it is one, and holds what templates stumble over', () => {
  const { subject, heading, paragraphs } = createMessageModel(aTestMessage(), SPACE)
  expect([subject, heading]).toEqual(['[Lantern] Test of Lantern’s alerts', 'Test of Lantern’s alerts'])
  expect(paragraphs[0]).toMatch(/^This is a test: nothing has happened/)
  expect(paragraphs.join('\n')).toMatch(/".*'.*<.*🔔/)
})

test.each([
  ['an address', 'See https://evil.example/a now', 'See hxxps[:]//evil[.]example/a now'],
  ['a bare domain', 'acme.example is for sale', 'acme[.]example is for sale'],
  ['a line break', 'one\r\nBcc: eve', 'one Bcc: eve'],
  ['what turns text around', 'invoice\u202egpj.exe', 'invoice‹U+202E›gpj.exe'],
  ['what is not seen', 'pay\u200bpal', 'pay‹U+200B›pal'],
  ['marks without end', `Z${'\u0336'.repeat(80)}`, `Z${'\u0336'.repeat(4)}`],
  ['half a character', 'a\ud800b', 'a‹U+D800›b'],
])('neutralises %s', (_, text, model) => {
  expect(formatLine(text, 100)).toBe(model)
})

test.each([
  [
    'a family, whole or not at all',
    '👨\u200d👩\u200d👧\u200d👦👨\u200d👩\u200d👧\u200d👦',
    15,
    '👨\u200d👩\u200d👧\u200d👦…',
  ],
  ['before brackets would make it too long', 'a.example b.example', 12, 'a[.]example…'],
  ['a file so that no domain is left', 'evil.docx', 8, 'evil.…'],
])('cuts %s', (_, text, maxLength, model) => {
  expect(formatLine(text, maxLength)).toBe(model)
})

test.each([
  ['some concern', [0, 1], ['Concerns us (7)', null, 'Other matches', null]],
  ['none concerns', [], [null, null, null, null]],
  ['all concern', [0, 1, 2, 3], ['Concerns us (7)', null, null, null]],
])('a digest of which %s its receiver has the parts that there are', (_, concerning, sections) => {
  const threats = [0, 1, 2, 3].map((at) =>
    aNotifiedThreat({ id: `threat-${at}`, ...(concerning.includes(at) && { concerns: [OKAPI] }) }),
  )
  const digest = aDigest({ threats, concernCount: concerning.length === 0 ? 0 : 7 })
  expect(createMessageModel(digest, SPACE).threats.map(({ section }) => section)).toEqual(sections)
  const { text, html } = writeEmail(digest)
  const slack = writeSlack(digest)
  const card = writeCard(digest)
  for (const section of ['Concerns us (7)', 'Other matches'])
    for (const written of [text, html, slack, card])
      expect(written.split(section)).toHaveLength(sections.includes(section) ? 2 : 1)
})

test('a digest states its period, figures with changes, top values and failed deliveries', () => {
  const digest = createMessageModel(aDigest(), SPACE)
  expect(digest).toMatchObject({
    subject: '[Lantern] Weekly digest of “Acme and suppliers”: 11 cases, 12 claims',
    heading: '11 cases, 12 claims, 4 cases more than the week before',
    causes: null,
    paragraphs: [
      'Weekly digest of the profile “Acme and suppliers”, from Mon 23 Nov, 08:00 to Mon 30 Nov, 08:00 (Europe/Berlin).',
      'By severity: 2 critical, 9 high and 1 without a severity.',
      '2 messages could not be delivered to a…[@]corp[.]example: No such mailbox',
    ],
    more: '1 more',
    link: { label: 'Show all 11 in Lantern' },
  })
  expect(digest.threats).toHaveLength(10)
  expect(digest.threats.map(({ facts }) => facts.find(({ label }) => label === 'Claims')?.value)).toEqual([
    '2',
    ...Array.from({ length: 9 }),
  ])
})

test('a digest that an earlier Lantern wrote counts claims, and one of single claims counts cases alone', () => {
  expect(createMessageModel(aDigest({ cases: undefined }), SPACE)).toMatchObject({
    subject: '[Lantern] Weekly digest of “Acme and suppliers”: 12 claims',
    heading: '12 claims, 5 claims more than the week before',
    link: { label: 'Show all 12 in Lantern' },
  })
  const one = { count: 1, previousCount: 1, severities: [], concernCount: 0, newest: [] }
  const { heading } = createMessageModel(aDigest({ count: 1, cases: one }), SPACE)
  expect(heading).toBe('1 case, as many cases as the week before')
})

test.each([
  [
    'a week without matches',
    { previousCount: 5 },
    'Nothing matched this week.',
    'That is 5 cases fewer than the week before.',
  ],
  [
    'two empty weeks',
    { previousCount: 0 },
    'Nothing matched this week.',
    'That is as many cases as the week before.',
  ],
  [
    'a day',
    { since: '2026-11-29T07:00:00.000Z', previousCount: 1 },
    'Nothing matched on this day.',
    'That is 1 case fewer than the day before.',
  ],
  [
    'an outage',
    { since: '2026-11-27T07:00:00.000Z', previousCount: 3 },
    'Nothing matched in these 3 days.',
    'That is 3 cases fewer than the 3 days before.',
  ],
])('a digest of %s says so', (_, changes, heading, change) => {
  const digest = aDigest({ count: 0, severities: [], threats: [], undelivered: [], ...changes })
  const model = createMessageModel({ ...digest, pausedCount: 2 }, SPACE)
  expect(model.heading).toBe(heading)
  expect(model.paragraphs.slice(1)).toEqual([change, 'Not sent because the profile was paused: 2 claims.'])
  expect(model).toMatchObject({ more: null, threats: [], link: { label: 'Open the search in Lantern' } })
})

test.each([
  [
    { count: 12, mutedCount: 3 },
    '11 cases, 12 claims, 4 cases more than the week before',
    '3 claims were muted.',
  ],
  [
    { count: 12, isLinkExact: false },
    '11 cases, 12 claims, 4 cases more than the week before',
    'The link opens the search for the dates of these matches. It can show other threats, too.',
  ],
  [
    { count: 12, mutedCount: 1 },
    '11 cases, 12 claims, 4 cases more than the week before',
    '1 claim was muted.',
  ],
  [
    { count: 12, repeatedCount: 1 },
    '11 cases, 12 claims, 4 cases more than the week before',
    'Left out, with nothing new of a case: 1 claim.',
  ],
  [{ count: 0, severities: [], mutedCount: 2 }, 'Only muted matches this week.', '2 claims were muted.'],
])('a digest says how many matches were not sent, and why: %o', (changes, heading, sentence) => {
  const model = createMessageModel(aDigest({ threats: [], ...changes }), SPACE)
  expect(model).toMatchObject({ heading, paragraphs: expect.arrayContaining([sentence]) })
  if (changes.count === 0) expect(model.subject).toMatch(/: only muted matches$/)
})

test('a proof names its record, and says that it is a test of what is not new', () => {
  const message = {
    kind: 'test' as const,
    causes: [],
    requestedBy: 'Ada',
    link: 'https://lantern.example/',
    proof: 'Okapi breach',
  }
  const { subject, paragraphs } = createMessageModel(message, SPACE)
  expect(subject).toBe('[Lantern] Test of Lantern’s alerts')
  expect(paragraphs.slice(0, 3)).toEqual([
    'Proof: this stored record is the newest that matches. It is not new.',
    'Okapi breach',
    'This is a test: nothing has happened, and there is nothing to do.',
  ])
})

test('a digest of Shift has a heading or a sentence for each section', () => {
  const lines = [1, 2].map((at) => ({ title: `Victim ${at}`, value: 'see https://evil.example' }))
  const model = createMessageModel(aShiftDigest('Handover', lines), SPACE)
  expect(model).toMatchObject({
    subject: '[Lantern] Daily digest of “Handover”: 12 cases with new claims, 12 overdue',
    heading: '12 cases with new claims, 12 overdue',
    paragraphs: [
      'Daily digest of the profile “Handover”, from Sun 29 Nov, 08:00 to Mon 30 Nov, 08:00 (Europe/Berlin).',
      'Nobody wrote a comment.',
    ],
  })
  expect(model.threats.map(({ section }) => section)).toEqual([
    'Overdue (12 cases, 2 shown)',
    null,
    'Cases with new claims (12 cases, 2 shown)',
    null,
    'Closed (12 cases, 2 shown)',
    null,
  ])
  expect(model.threats[0]?.facts).toEqual([
    { label: 'By', value: 'Ada' },
    { label: 'Comment', value: 'see hxxps[:]//evil[.]example' },
  ])
})
