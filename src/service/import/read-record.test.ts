import { expect, test } from 'vitest'
import { readRecord } from './read-record.ts'

const minimal = { source: 'feed', source_id: '1', category: 'Ransomware' }
const read = (record: object) => readRecord(JSON.stringify(record))

test('reads a leak-site post', () => {
  const post = {
    ...minimal,
    title: 'Northwind Clinics  ',
    group: 'glassheron',
    victim: 'Northwind Clinics',
    discovered: '2021-09-09T00:00:00.000Z',
    published: '2021-08-30T12:00:00+02:00',
    country: 'de',
    sector: 'Healthcare',
    website: 'https://www.Northwind.example/clinics',
    group_site: 'demo-not-a-real-address.onion',
    reposts: ['2024-03-07'],
  }
  expect(read(post)).toEqual({
    threat: {
      source: 'feed',
      sourceId: '1',
      title: 'Northwind Clinics  ',
      summary: '',
      excerpt: '',
      content: expect.stringContaining('\nreposts: 2024-03-07'),
      searched: ['Northwind Clinics  ', '', expect.any(String), ...Array(3).fill(expect.any(String))],
      category: 'Ransomware',
      severity: 'critical',
      isSeverityDerived: true,
      countries: ['DE'],
      threatActors: ['glassheron'],
      industries: ['Healthcare'],
      organizations: ['Northwind Clinics'],
      domains: ['www.northwind.example'],
      publishedAt: '2021-08-30T10:00:00.000Z',
      sourceUrl: 'http://demo-not-a-real-address.onion/',
      evidence: [],
      analysis: null,
      isDemo: false,
    },
  })
})

test('leaves dates out of the text when they are to be moved', () => {
  const post = {
    ...minimal,
    discovered: '2021-09-09T00:00:00Z',
    reposts: ['2024-03-07'],
    website: 'a.example',
  }
  const answer = readRecord(JSON.stringify(post), { keepsDates: false })
  const content = 'threat' in answer ? answer.threat.content : ''
  expect(content).toContain('website: a.example')
  expect(content).not.toMatch(/20\d\d-/)
})

test('composes a title where there is none, from what is known', () => {
  const claim = { ...minimal, group: 'glassheron', sector: 'Energy', country: 'US' }
  expect(read(claim)).toMatchObject({ threat: { title: 'Ransomware: glassheron, Energy, United States' } })
  expect(read(minimal)).toMatchObject({
    threat: { title: 'Ransomware', organizations: [], threatActors: [] },
  })
})

test('takes the best date a source gives, and none where it gives none', () => {
  const dates = {
    published: '2023-01-03T00:00:00Z',
    discovered: '2023-01-02T00:00:00Z',
    end_date: '2023-01-01',
  }
  const { published, ...unpublished } = dates
  expect(read({ ...minimal, ...dates })).toMatchObject({
    threat: { publishedAt: '2023-01-03T00:00:00.000Z' },
  })
  expect(read({ ...minimal, ...unpublished })).toMatchObject({
    threat: { publishedAt: '2023-01-02T00:00:00.000Z' },
  })
  expect(read({ ...minimal, end_date: '2023-01-01' })).toMatchObject({
    threat: { publishedAt: '2023-01-01T00:00:00.000Z' },
  })
  expect(read(minimal)).toMatchObject({ threat: { publishedAt: null } })
})

test('keeps open categories, several countries and the sources of an incident', () => {
  const incident = {
    ...minimal,
    category: 'Defacement',
    victim: 'Not available',
    countries: ['AM', 'Freedonia'],
    country: 'AM',
    sectors: ['Media', 'Unknown'],
    description: 'Pages were defaced.',
    refs: ['https://news.example/1', 'https://news.example/2'],
  }
  expect(read(incident)).toMatchObject({
    threat: {
      category: 'Defacement',
      countries: ['AM', 'Freedonia'],
      industries: ['Media'],
      organizations: [],
      summary: 'Pages were defaced.',
      sourceUrl: 'https://news.example/1',
      severity: 'low',
    },
  })
})

test('cuts a long description between words, and keeps it whole in the content', () => {
  const description = `${'Calls of '.repeat(44)}AT&T and others`
  const answer = read({ ...minimal, description })
  expect(answer).toMatchObject({
    threat: { summary: `${'Calls of '.repeat(44).trim()}…`, content: expect.stringContaining(description) },
  })
  expect('threat' in answer && answer.threat.excerpt).toMatch(/(?:Calls|of)…$/)
})

test('leaves nothing of a text that is one word, and longer than there is room for', () => {
  expect(read({ ...minimal, description: 'x'.repeat(401) })).toMatchObject({ threat: { summary: '…' } })
})

test('cuts between characters as a reader sees them', () => {
  const description = `${'👨‍👩‍👧‍👦'.repeat(60)} end`
  const answer = read({ ...minimal, description })
  expect(answer).toMatchObject({ threat: { content: expect.stringContaining(description) } })
  expect('threat' in answer && answer.threat.summary).toMatch(/^(?:👨‍👩‍👧‍👦)+…$/u)
})

test('reads a record as the v1 routes answer it', () => {
  const record = {
    id: 'thr_1',
    title: 'Northwind',
    summary: 'A claim.',
    category: 'Data Breach',
    threat_actors: ['inkwell'],
    victims: { countries: ['Germany'], industries: ['Retail'], organizations: ['Northwind'], domains: [] },
    risk_level: 'low',
    ai_analysis: 'Likely old data.',
    published_at: '2026-06-01T00:00:00.000Z',
  }
  expect(read(record)).toMatchObject({
    threat: {
      source: 'api',
      sourceId: 'thr_1',
      countries: ['DE'],
      severity: 'low',
      analysis: { summary: 'Likely old data.', impact: '', recommendations: [] },
    },
  })
  expect(read({ ...record, source: 'vendor', source_id: '7' })).toMatchObject({
    threat: { source: 'vendor', sourceId: '7' },
  })
})

test('reads a record as the earlier routes answer it', () => {
  const record = {
    id: 'thr_2',
    title: 'Northwind',
    category: 'DDoS',
    country: 'Sweden',
    country_code: 'SE',
    threat_actor: '',
    posted_at: '2026-06-01T00:00:00Z',
    severity: 'medium',
    excerpt: 'Down.',
    content: 'Down since noon.',
    source_url: '',
    evidence: [{ type: 'Screenshot', url: 'https://pictures.example/1.png' }],
    ai_analysis: { risk_level: 'medium', summary: '', impact: '', recommendations: [] },
  }
  expect(read(record)).toMatchObject({
    threat: {
      countries: ['SE'],
      threatActors: [],
      content: 'Down since noon.',
      sourceUrl: null,
      evidence: [{ type: 'Screenshot', url: 'https://pictures.example/1.png' }],
      analysis: null,
    },
  })
})

test('says what is wrong with a record it cannot use', () => {
  expect(readRecord('{"source":')).toEqual({ problem: 'not JSON' })
  expect(readRecord('[1]')).toEqual({ problem: expect.stringContaining('expected record') })
  expect(readRecord('"text"')).toEqual({ problem: expect.stringContaining('expected record') })
  expect(read({ source: 'feed', category: 'DDoS' })).toEqual({
    problem: 'source_id is missing',
  })
  const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
  expect(readRecord(JSON.stringify(minimal).replace('}', `,"x":${deep}}`))).toEqual({
    problem: 'nested too deeply',
  })
  expect(read({ ...minimal, title: 'x', category: '' })).toEqual({
    problem: expect.stringMatching(/^category: /),
  })
  expect(read({ ...minimal, victim: 'x'.repeat(501) })).toEqual({
    problem: expect.stringMatching(/^organizations\.0: /),
  })
})

test('no name of a member is special', () => {
  const answer = readRecord(
    '{"source":"f","source_id":"1","category":"c","__proto__":{"title":"x"},"constructor":1}',
  )
  expect(answer).toMatchObject({ threat: { title: 'c', content: expect.stringContaining('constructor: 1') } })
})

test.each([
  ['2026-06-01T08:00:00', 'has no offset: end it with Z, or such as +02:00'],
  ['2026-13-01', 'has month 13'],
  ['2026-02-30T08:00:00Z', 'has day 30, and 2026-02 has 28'],
  ['2026-06-01T24:00:00Z', 'has hour 24'],
  ['2026-06-01T08:60:00Z', 'has minute 60'],
  ['0000-01-01', 'has the year 0000: only 1000 to 2999 are taken'],
  ['yesterday', 'is no ISO 8601 date such as 2026-06-01 or 2026-06-01T08:00:00Z'],
])('says of the date %s that it %s', (date, fault) => {
  expect(read({ ...minimal, published: date })).toEqual({ problem: `published ${fault}` })
  const record = { id: '1', title: 't', category: 'c', country: '', country_code: '', threat_actor: '' }
  const posted = { ...record, posted_at: date, severity: 'low', excerpt: '' }
  expect(read({ ...minimal, discovered: date, end_date: '2026-01-01' })).toEqual({
    problem: `discovered ${fault}`,
  })
  expect(read(posted)).toEqual({
    problem: expect.stringContaining(date.includes('T') ? fault : 'posted_at '),
  })
})
