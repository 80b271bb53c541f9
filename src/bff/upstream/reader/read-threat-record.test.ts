import { expect, test } from 'vitest'
import { earlierDetail, v1Detail } from '#test/support/upstream-records.ts'
import { readThreatRecord } from './read-threat-record.ts'

const analysis = { summary: 'A leak.', impact: 'Contracts.', recommendations: ['Reset.', 'Watch.'] }

test('reads the detail of v1', () => {
  const body = { data: v1Detail({ analysis }) }
  expect(readThreatRecord('v1', 'thr_1', body)).toMatchObject({
    content: null,
    sourceUrl: 'http://ashfall.onion/post/1',
    analysis: { riskLevel: null, ...analysis, text: 'Likely a real breach.' },
    evidence: [],
    otherFields: [],
    json: JSON.stringify(body.data),
  })
})

test('reads that a severity was made by a rule, and takes nothing else for it', () => {
  const read = (value: unknown) => {
    const body = { data: { ...v1Detail(), severity_derived: value } }
    return readThreatRecord('v1', 'thr_1', body)?.isSeverityDerived
  }
  expect([true, false, 'true', 1, null].map(read)).toEqual([true, ...Array(4).fill(undefined)])
})

test('reads the detail of the earlier set', () => {
  const evidence = [{ type: 'screenshot', url: 'https://cdn.example/1.png' }]
  const body = earlierDetail({ evidence })
  expect(readThreatRecord('earlier', 'thr_1', body)).toMatchObject({
    content: 'We have 80 GB of Northwind Foods.',
    sourceUrl: 'http://ashfall.onion/post/1',
    analysis: {
      riskLevel: 'high',
      summary: 'A leak is announced.',
      impact: 'Contracts may be exposed.',
      recommendations: ['Reset shared credentials.'],
      text: null,
    },
    evidence,
    otherFields: [],
    json: JSON.stringify(body),
  })
})

test.each([
  ['two envelopes', { data: { threat: v1Detail() } }],
  ['a list of one', { data: [v1Detail()] }],
  ['a bare list', [v1Detail()]],
  ['an envelope in another case', { Response: { Threat: v1Detail() } }],
  ['an envelope with something else in it', { data: { threat: v1Detail(), related: [{ id: 'thr_2' }] } }],
  ['an envelope with an id of its own', { id: 'request-1', data: v1Detail() }],
])('finds the record in %s', (_, body) => {
  expect(readThreatRecord('v1', 'thr_1', body)).toMatchObject({
    title: 'Northwind Foods - 80 GB',
    json: JSON.stringify(v1Detail()),
  })
})

test('does not say the same paragraph twice', () => {
  const body = { data: v1Detail({ analysis, ai_analysis: 'A leak.' }) }
  expect(readThreatRecord('v1', 'thr_1', body)?.analysis).toMatchObject({ summary: 'A leak.', text: null })
})

test('keeps the values that no member holds, with their paths', () => {
  const body = {
    data: {
      ...v1Detail(),
      meta: { tags: ['a', { deep: true }], score: 0.5 },
      victims: { ...v1Detail().victims, employees: 120 },
      title_original: 'Nordwind',
      nothing: null,
      empty: '',
    },
  }
  expect(readThreatRecord('v1', 'thr_1', body)?.otherFields).toEqual([
    { path: 'victims.employees', value: '120' },
    { path: 'meta.tags[0]', value: 'a' },
    { path: 'meta.tags[1].deep', value: 'true' },
    { path: 'meta.score', value: '0.5' },
    { path: 'title_original', value: 'Nordwind' },
  ])
})

test('shows a field that it could not read among the others', () => {
  const body = { data: { ...v1Detail(), published_at: 'last week', title: { en: 'Northwind' } } }
  expect(readThreatRecord('v1', 'thr_1', body)).toMatchObject({
    title: null,
    publishedAt: null,
    dateText: 'last week',
    otherFields: [{ path: 'title.en', value: 'Northwind' }],
  })
})

test('keeps a bounded number of other fields, each of a bounded length', () => {
  const many = Object.fromEntries(
    Array.from({ length: 500 }, (_, index) => [`field_${index}`, 'x'.repeat(9_000)]),
  )
  const fields = readThreatRecord('v1', 'thr_1', { data: { ...v1Detail(), ...many } })?.otherFields ?? []
  expect(fields).toHaveLength(200)
  expect(fields[0]?.value).toHaveLength(4_096)
})

test('reports the members that a plan withholds', () => {
  const body = earlierDetail({
    content: '[redacted]',
    source_url: '[redacted]',
    evidence: [{ type: 'screenshot', url: '[redacted]' }],
    ai_analysis: {
      risk_level: 'high',
      summary: '[redacted]',
      impact: '[redacted]',
      recommendations: ['[redacted]'],
    },
  })
  expect(readThreatRecord('earlier', 'thr_1', body)).toMatchObject({
    content: null,
    sourceUrl: null,
    evidence: [],
    analysis: { riskLevel: 'high', summary: null, impact: null, recommendations: [] },
    redacted: ['content', 'sourceUrl', 'analysis', 'evidence'],
  })
})

test.each([
  [{ evidence: 'https://a.example/1.png' }, [{ type: null, url: 'https://a.example/1.png' }]],
  [
    { screenshots: [{ href: 'https://a.example/1.png' }, 7, {}] },
    [
      { type: null, url: 'https://a.example/1.png' },
      { type: null, url: '7' },
    ],
  ],
  [{ evidence: {} }, []],
  [{ evidence: null }, []],
])('reads the evidence of %j', (changes, expected) => {
  const { evidence: _, ...record } = earlierDetail()
  expect(readThreatRecord('earlier', 'thr_1', { ...record, ...changes })?.evidence).toEqual(expected)
})

test.each([null, [[]], 'x', {}, { data: null }, { error: 'x' }, { data: v1Detail({ id: 'thr_2' }) }])(
  'finds no record in %j',
  (body) => {
    expect(readThreatRecord('v1', 'thr_1', body)).toBeNull()
  },
)
