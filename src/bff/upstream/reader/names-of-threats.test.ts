import { describe, expect, test } from 'vitest'
import { styles } from '#test/support/vendor-shapes/shapes.ts'
import { named } from '#test/support/vendor-shapes/usual-names.ts'
import { readThreatList } from './read-threat-list.ts'
import { readThreatRecord } from './read-threat-record.ts'

describe('a threat', () => {
  const TEXTS = {
    title: 'title headline name',
    excerpt: 'excerpt summary description snippet abstract',
    category: 'category threat_category threat_type type',
    severity: 'severity risk_level risk threat_level',
    content: 'content body full_text text',
    sourceUrl: 'source_url source_link url link',
  }
  test.each(named(TEXTS))('has its $member as $name', ({ member, name }) => {
    expect(readThreatRecord('v1', 'thr_1', { id: 'thr_1', [name]: 'the text' })).toMatchObject({
      [member]: 'the text',
      otherFields: [],
    })
  })

  const LISTS = {
    actors: 'threat_actors threat_actor actors actor groups group threat_group',
    industries: 'industries industry sectors sector',
    organizations: 'organizations organisations organization organisation companies company victim targets',
    domains: 'domains domain websites website',
  }
  test.each(named(LISTS))('has its $member as $name', ({ member, name }) => {
    expect(readThreatRecord('v1', 'thr_1', { id: 'thr_1', [name]: ['one', 'two'] })).toMatchObject({
      [member]: ['one', 'two'],
      otherFields: [],
    })
  })

  test.each(['countries', 'victim_countries', 'country'])('has its countries as %s', (name) => {
    const record = readThreatRecord('v1', 'thr_1', { id: 'thr_1', [name]: ['Germany', 'Peru'] })
    expect(record?.countries.map(({ code }) => code)).toEqual(['DE', 'PE'])
  })

  const PARTS = {
    code: 'country_code code iso2 alpha2',
    name: 'name country_name country',
  }
  test.each(named(PARTS))('has a country whose $member is $name', ({ member, name }) => {
    const [value, known] = member === 'code' ? ['PE', { name: 'Perú' }] : ['Perú', { code: 'PE' }]
    const record = readThreatRecord('v1', 'thr_1', { id: 'thr_1', countries: [{ ...known, [name]: value }] })
    expect(record?.countries).toEqual([{ code: 'PE', name: 'Perú' }])
  })

  test.each([
    ...['published_at', 'posted_at', 'published', 'posted', 'published_date', 'date'],
    ...['discovered_at', 'created_at'],
  ])('is of the day in %s', (name) => {
    const record = readThreatRecord('v1', 'thr_1', { id: 'thr_1', [name]: '2026-03-10' })
    expect(record?.publishedAt).toBe('2026-03-10T00:00:00.000Z')
  })

  test.each(['id', 'threat_id', 'record_id', 'uuid'])('is known by %s', (name) => {
    expect(readThreatRecord('v1', 'thr_1', { [name]: 'thr_1' })).toMatchObject({ id: 'thr_1' })
  })

  test.each(['victims', 'victim', 'targets', 'target'])('has %s in parts', (name) => {
    const victims = {
      countries: ['Peru'],
      industries: ['Food'],
      organizations: ['N'],
      domains: ['n.example'],
    }
    expect(readThreatRecord('v1', 'thr_1', { id: 'thr_1', [name]: victims })).toMatchObject({
      countries: [{ code: 'PE', name: 'Peru' }],
      industries: ['Food'],
      organizations: ['N'],
      domains: ['n.example'],
    })
  })

  test.each(['name', 'names'])('has victims with a %s', (name) => {
    const record = readThreatRecord('v1', 'thr_1', { id: 'thr_1', victims: { [name]: 'N', size: 'small' } })
    expect(record?.organizations).toEqual(['N'])
  })

  test.each(['evidence', 'screenshots', 'images', 'attachments'])('has its evidence as %s', (name) => {
    const record = readThreatRecord('v1', 'thr_1', { id: 'thr_1', [name]: ['https://x.example/1.png'] })
    expect(record?.evidence).toEqual([{ type: null, url: 'https://x.example/1.png' }])
  })

  const PICTURE = { url: 'url href src link image', type: 'type kind label' }
  test.each(named(PICTURE))('has evidence whose $member is $name', ({ member, name }) => {
    const known = { url: { type: 'png' }, type: { url: 'png' } }[member]
    const evidence = [{ ...known, [name]: 'png' }]
    expect(readThreatRecord('v1', 'thr_1', { id: 'thr_1', evidence })?.evidence).toEqual([
      { type: 'png', url: 'png' },
    ])
  })
})

describe('the analysis of a threat', () => {
  test.each(['ai_analysis', 'analysis', 'threat_analysis', 'assessment', 'ai'])('is %s', (name) => {
    const record = readThreatRecord('v1', 'thr_1', { id: 'thr_1', [name]: { summary: 'Short.' } })
    expect(record?.analysis).toMatchObject({ summary: 'Short.', text: null })
  })

  const INSIDE = {
    riskLevel: 'risk_level risk severity',
    summary: 'summary overview',
    impact: 'impact',
    recommendations: 'recommendations recommendation',
  }
  test.each(named(INSIDE))('has its $member as $name', ({ member, name }) => {
    const record = readThreatRecord('v1', 'thr_1', { id: 'thr_1', analysis: { [name]: 'the text' } })
    const value = member === 'recommendations' ? ['the text'] : 'the text'
    expect(record).toMatchObject({ severity: null, excerpt: null, analysis: { [member]: value } })
  })

  const BESIDE = {
    summary: 'ai_summary analysis_summary',
    impact: 'impact ai_impact analysis_impact',
    recommendations: 'recommendations recommendation ai_recommendations analysis_recommendations',
  }
  test.each(named(BESIDE))('may stand beside: its $member as $name', ({ member, name }) => {
    const record = readThreatRecord('v1', 'thr_1', { id: 'thr_1', [name]: 'the text' })
    const value = member === 'recommendations' ? ['the text'] : 'the text'
    expect(record?.analysis).toEqual({
      riskLevel: null,
      summary: null,
      impact: null,
      recommendations: [],
      text: null,
      [member]: value,
    })
  })
})

describe('a list of threats', () => {
  const records = [{ id: 'thr_1' }]
  test.each(['data', 'threats', 'results', 'items', 'records'])('is %s', (name) => {
    const others = [{ id: 'not this' }]
    expect(readThreatList('v1', { others, [name]: records })?.threats).toHaveLength(1)
  })

  test.each(['data', 'result', 'results', 'response', 'payload'])('may be one deeper, in %s', (name) => {
    expect(readThreatList('v1', { [name]: { threats: records, others: [{}] } })?.threats).toHaveLength(1)
  })

  const META = { total: 'total total_count', cursor: 'cursor next_cursor next' }
  test.each(named(META))('has its $member as $name', ({ member, name }) => {
    const value = member === 'total' ? 700 : 'zz'
    expect(readThreatList('v1', { data: records, meta: { [name]: value } })).toMatchObject({
      [member]: value,
    })
  })

  test.each(['meta', 'pagination', 'paging'])('has what is told of it in %s', (name) => {
    expect(readThreatList('v1', { data: records, [name]: { total: 700 } })?.total).toBe(700)
  })
})

describe('a v1 detail, in each spelling', () => {
  const spellings = Object.entries(styles)
  const read = (members: object) => readThreatRecord('v1', 'thr_1', { id: 'thr_1', ...members })
  const ADDRESS = 'http://ashfall.onion/post/1'

  test.each(spellings)('has its source under any usual name: %s', (_, style) => {
    for (const name of [
      'source',
      'sources',
      'source url',
      'source link',
      'link',
      'links',
      'post url',
      'references',
    ]) {
      for (const value of name.endsWith('s') ? [ADDRESS, [ADDRESS]] : [ADDRESS]) {
        expect(read({ [style(name)]: value }), name).toMatchObject({ sourceUrl: ADDRESS, otherFields: [] })
      }
    }
  })

  test.each(spellings)('loses nothing of several sources, or of what is no address: %s', (_, style) => {
    const several = read({ [style('sources')]: [{ name: 'Dread', url: ADDRESS }, { name: 'Telegram' }] })
    expect(several?.sourceUrl).toBe(ADDRESS)
    expect(several?.otherFields.map(({ value }) => value)).toEqual(['Dread', ADDRESS, 'Telegram'])
    const two = read({ [style('source links')]: [ADDRESS, 'http://b.onion'] })
    expect(two).toMatchObject({
      sourceUrl: ADDRESS,
      otherFields: [{ value: ADDRESS }, { value: 'http://b.onion' }],
    })
    expect(read({ [style('source')]: 'forum' })).toMatchObject({
      sourceUrl: null,
      otherFields: [{ value: 'forum' }],
    })
    expect(read({ source: { [style('url')]: ADDRESS, name: 'Dread' } })).toMatchObject({
      sourceUrl: ADDRESS,
      otherFields: [{ path: 'source.name', value: 'Dread' }],
    })
  })

  test.each(spellings)('has what to do under any usual name: %s', (_, style) => {
    for (const name of [
      'recommended actions',
      'mitigations',
      'mitigation steps',
      'remediation',
      'next steps',
    ]) {
      for (const value of [
        ['Patch'],
        'Patch',
        [{ action: 'Patch' }],
        [{ title: 'Patch' }],
        [{ text: 'Patch' }],
      ]) {
        const expected = { analysis: { recommendations: ['Patch'] } }
        expect(read({ [style(name)]: value }), name).toMatchObject(expected)
        expect(read({ [style('ai analysis')]: { [style(name)]: value } }), name).toMatchObject(expected)
      }
    }
    expect(read({ [style('potential impact')]: 'Large.' })?.analysis?.impact).toBe('Large.')
  })
})
