import { describe, expect, test } from 'vitest'
import { readThreatList } from './read-threat-list.ts'
import { readThreatRecord } from './read-threat-record.ts'

const readOne = (members: object) => readThreatRecord('v1', 'thr_1', { id: 'thr_1', ...members })

describe('the countries of a threat', () => {
  test.each([
    [
      'names and codes',
      ['Germany', 'PE', 'Atlantis'],
      [
        ['DE', 'Germany'],
        ['PE', 'PE'],
        [null, 'Atlantis'],
      ],
    ],
    [
      'one each',
      ['Germany', 'DE', 'Atlantis', 'Atlantis'],
      [
        ['DE', 'Germany'],
        [null, 'Atlantis'],
      ],
    ],
    [
      'objects',
      [{ code: 'DE', name: 'Deutschland' }, { iso2: 'PE' }, {}],
      [
        ['DE', 'Deutschland'],
        ['PE', 'PE'],
      ],
    ],
    ['a code that is none, with a name', [{ code: 'X9', name: 'Peru' }], [['PE', 'Peru']]],
    [
      'a map of counts',
      { Germany: 3, Peru: 1 },
      [
        ['DE', 'Germany'],
        ['PE', 'Peru'],
      ],
    ],
    ['nothing', [], []],
  ])('are read from %s', (_, countries, expected) => {
    expect(readOne({ countries })?.countries.map(({ code, name }) => [code, name])).toEqual(expected)
  })

  test('join a name with the code beside it, and list others after that', () => {
    const countries = ['Deutschland', 'Peru']
    expect(readOne({ countries, country_code: 'DE' })?.countries).toEqual([
      { code: 'DE', name: 'Deutschland' },
      { code: 'PE', name: 'Peru' },
    ])
    expect(readOne({ countries: [{ code: 'DE', name: 'Germany' }] })?.countries).toEqual([
      { code: 'DE', name: 'Germany' },
    ])
  })

  test('are those of its victims first, where there are any', () => {
    const own = { country: 'Germany', country_code: 'DE' }
    expect(readOne({ victims: { countries: ['Peru'] }, ...own })?.countries).toEqual([
      { code: 'PE', name: 'Peru' },
    ])
    expect(readOne({ victims: { countries: [] }, ...own })?.countries).toEqual([
      { code: 'DE', name: 'Germany' },
    ])
  })
})

describe('the victims of a threat', () => {
  test('are read from their own object first, then from the record', () => {
    const victims = { industries: ['Food'], organizations: ['N'] }
    expect(readOne({ victims, industries: ['not this'], domains: ['n.example'] })).toMatchObject({
      industries: ['Food'],
      organizations: ['N'],
      domains: ['n.example'],
    })
  })

  test('may be only names', () => {
    expect(readOne({ victims: ['N', { name: 'M' }] })?.organizations).toEqual(['N', 'M'])
    expect(readOne({ victims: { name: 'N' }, organizations: ['M'] })?.organizations).toEqual(['M'])
  })
})

describe('a value that is not a date', () => {
  test.each([
    ['words', 'last week', 'last week'],
    ['a number', 20_260_310, '20260310'],
    ['the beginning of too many words', `${'x'.repeat(99)}😀`, `${'x'.repeat(99)}\ufffd`],
    ['nothing, where it is blank', ' ', undefined],
    ['nothing, where it is a flag', true, undefined],
    ['nothing, where it is an object', { from: 'Monday' }, undefined],
  ])('is shown as %s', (_, published_at, dateText) => {
    expect(readOne({ published_at })).toMatchObject({ publishedAt: null })
    expect(readOne({ published_at })?.dateText).toBe(dateText)
  })

  test('is not shown if another member has a date, and stays among the other fields', () => {
    const threat = readOne({ published_at: 'last week', created_at: '2026-03-10' })
    expect(threat?.publishedAt).toBe('2026-03-10T00:00:00.000Z')
    expect(threat).not.toHaveProperty('dateText')
    expect(threat?.otherFields).toEqual([{ path: 'published_at', value: 'last week' }])
  })
})

test.each([
  [{ id: 7 }, '7'],
  [{ id: Number.MAX_SAFE_INTEGER }, String(Number.MAX_SAFE_INTEGER)],
  [{ id: 2 ** 53, uuid: 'a' }, 'a'],
  [{ id: 0.5, uuid: 'a' }, 'a'],
  [{ id: ' ', uuid: 'a' }, ' '],
  [{ id: '', uuid: 'a' }, 'a'],
])('the id of %j is %s', (record, id) => {
  expect(readThreatList('v1', [record])?.threats[0]?.id).toBe(id)
})

describe('a placeholder for withheld text', () => {
  test.each([
    ...[
      '[redacted]',
      '[ redacted ]',
      '(withheld)',
      '{hidden}',
      '<masked>',
      '**redacted**',
      '[Redacted by plan]',
      '[REDACTED]',
      '[Hidden on trial plans]',
    ],
    ...['REDACTED', ' redacted ', '***', '████', '■■■', '▇▇▇', '•••', '█*█', `[redacted${' x'.repeat(30)}]`],
  ])('is %s', (title) => {
    expect(readOne({ title })).toMatchObject({ title: null, redacted: ['title'] })
  })

  test.each([
    ...['**', 'a ***', '*** b', '[redacted] and more', 'so [redacted]', '[redactedly]', '*redacted*'],
    ...[
      'redacted]',
      '[redacted',
      'Redacted Inc',
      'The Redacted',
      `[redacted${' x'.repeat(31)}]`,
      '[not redacted]',
      'Hidden Valley Foods',
      'A*** C**',
      '[SELLING] access',
      'Restricted data of N',
      '(hidden) gems',
      'redacted files of N',
    ],
  ])('is not %s', (title) => {
    expect(readOne({ title })).toMatchObject({ title, redacted: [] })
  })

  test('is reported once for each member', () => {
    const domains = ['[redacted]', '[redacted]']
    expect(readOne({ title: '[redacted]', domains })?.redacted).toEqual(['title', 'domains'])
  })
})

describe('the requested record', () => {
  const record = { id: 'thr_1', title: 'This' }
  test.each([
    ['among others', [{ id: 'thr_0', title: 'Other' }, record]],
    ['in a list in an envelope', { results: [{ id: 'thr_0' }, record], total: 2 }],
    ['before one that it holds itself', { ...record, record: { id: 'thr_1', title: 'Inner' } }],
    ['beside another', { threat: record, previous: { id: 'thr_0' } }],
    ['of an answer that has it twice', { data: record, result: record }],
  ])('is found %s', (_, body) => {
    expect(readThreatRecord('v1', 'thr_1', body)?.title).toBe('This')
  })

  test.each([
    ['one of another name', { related: record }],
    ['one in an object of another name', { sources: { threat: record }, more: 1 }],
  ])('is not %s', (_, body) => {
    expect(readThreatRecord('v1', 'thr_1', body)).toBeNull()
  })
})

test('a name within its details is the title of the threat', () => {
  expect(readOne({ details: { name: 'Northwind' } })?.title).toBe('Northwind')
})

test.each(['actors', 'victims', 'evidence', 'analysis'])('a name within its %s is not', (object) => {
  expect(readOne({ [object]: { headline: 'Not the title' } })?.title).toBeNull()
})

describe('where it was found', () => {
  const [first, second] = ['https://a.example/1', 'http://b.onion/2']
  test.each([
    ['at its one address', { sources: first }, first],
    ['at the one of a list', { sources: [first] }, first],
    ['at an address without a scheme', { sources: ['forum.example/post/1'] }, 'forum.example/post/1'],
    ['at the first of several', { sources: [{ url: first }, { url: second }] }, first],
    ['at the first that is an address', { sources: [{ name: 'Dread' }, 'Dread', second] }, second],
    ['nowhere that is told', { sources: ['Dread', 'a forum'] }, null],
    ['nowhere, by one name alone', { sources: 'Dread' }, null],
  ])('is %s', (_, members, sourceUrl) => {
    expect(readOne(members)?.sourceUrl).toBe(sourceUrl)
  })

  test('leaves what else is known of several sources among the other fields', () => {
    const sources = [{ url: first, name: 'Dread' }, { url: second }]
    expect(readOne({ sources })?.otherFields).toEqual([
      { path: 'sources[0].url', value: first },
      { path: 'sources[0].name', value: 'Dread' },
      { path: 'sources[1].url', value: second },
    ])
    const texts = readOne({ sources: [first, second] })
    expect(texts?.sourceUrl).toBe(first)
    expect(texts?.otherFields).toEqual([
      { path: 'sources[0]', value: first },
      { path: 'sources[1]', value: second },
    ])
    expect(readOne({ sources: [first] })?.otherFields).toEqual([])
  })
})

describe('its analysis', () => {
  const nothing = { riskLevel: null, summary: null, impact: null, recommendations: [], text: null }

  test('is null without any content', () => {
    expect(readOne({})?.analysis).toBeNull()
    expect(readOne({ analysis: {} })?.analysis).toBeNull()
    expect(readOne({ analysis: { confidence: 'low' } })?.analysis).toBeNull()
  })

  test.each([
    ['a text', { analysis: 'Likely.' }, { text: 'Likely.' }],
    ['recommendations alone', { analysis: { recommendations: ['Reset.'] } }, { recommendations: ['Reset.'] }],
    [
      'parts in it and beside it',
      { analysis: { summary: 'A leak.' }, impact: 'Large.' },
      { summary: 'A leak.', impact: 'Large.' },
    ],
    [
      'parts in it before those beside it',
      { analysis: { impact: 'Large.' }, ai_impact: 'Small.' },
      { impact: 'Large.' },
    ],
    [
      'an object and a text',
      { analysis: { summary: 'A leak.' }, assessment: 'Likely.' },
      { summary: 'A leak.', text: 'Likely.' },
    ],
  ])('is read from %s', (_, members, analysis) => {
    expect(readOne(members)?.analysis).toEqual({ ...nothing, ...analysis })
  })

  test('has the recommendations that can be read; others stay among the other fields', () => {
    const analysis = { recommendations: [{ owner: 'IT' }, null], mitigations: ['Reset.', null] }
    expect(readOne({ analysis })).toMatchObject({
      analysis: { recommendations: ['Reset.'] },
      otherFields: [{ path: 'analysis.recommendations[0].owner', value: 'IT' }],
    })
    expect(readOne({ analysis: { recommendations: [], mitigations: ['Reset.'] } })?.analysis).toMatchObject({
      recommendations: ['Reset.'],
    })
  })

  test('is withheld where its parts are', () => {
    const analysis = { risk_level: '***', recommendations: ['[redacted]', 'Reset.'] }
    expect(readOne({ analysis })).toMatchObject({
      analysis: { ...nothing, recommendations: ['Reset.'] },
      redacted: ['analysis'],
    })
    expect(readOne({ analysis: '[redacted]' })).toMatchObject({ analysis: null, redacted: ['analysis'] })
  })
})

test('its evidence is what has an address; what has none stays among the other fields', () => {
  const evidence = [{ note: 'on request' }]
  expect(readOne({ evidence, screenshots: ['https://x.example/1.png'] })).toMatchObject({
    evidence: [{ type: null, url: 'https://x.example/1.png' }],
    otherFields: [{ path: 'evidence[0].note', value: 'on request' }],
  })
  expect(readOne({ evidence: [], screenshots: ['https://x.example/1.png'] })?.evidence).toHaveLength(1)
})

test('its evidence is a hundred pictures at most', () => {
  const evidence = Array.from({ length: 101 }, (_, at) => `https://x.example/${at}.png`)
  expect(readOne({ evidence })?.evidence).toHaveLength(100)
})

test('its raw JSON is cut at 1 MiB, between characters', () => {
  const { json = '' } = readOne({ content: 'x', more: '😀'.repeat(600_000) }) ?? {}
  expect(json).toHaveLength(1024 * 1024)
  expect(json.isWellFormed()).toBe(true)
  expect(readOne({ content: 'x' })?.json).toBe('{"id":"thr_1","content":"x"}')
})

test('a list reads of its records no inner object by its own names', () => {
  const record = { id: 'thr_1', details: { title: 'Not this' }, source: { url: 'x' } }
  expect(readThreatList('v1', [record])?.threats[0]?.title).toBeNull()
})
