import { describe, expect, test } from 'vitest'
import { styles } from '#test/support/vendor-shapes/shapes.ts'
import { join, named } from '#test/support/vendor-shapes/usual-names.ts'
import { readActorList } from './read-actor-list.ts'
import { readCountryStatistics } from './read-country-statistics.ts'

describe('an actor', () => {
  // Two more of each kind, so that nothing is taken for being the only one.
  const rivals = { w1: 'Rival', w2: 'Other', n1: 7, n2: 8, t1: '2020-01-01', t2: '2020-01-02' }
  const readOne = (members: object) => readActorList([{ ...rivals, ...members }])?.actors[0]

  test.each([
    ...['name', 'actor_name', 'threat_actor_name', 'threat_actor', 'actor', 'group_name', 'group'],
    ...['title', 'label'],
  ])('has its name as %s', (name) => {
    expect(readOne({ [name]: 'LockBit' })?.name).toBe('LockBit')
  })

  test.each([
    ...['mentions', 'mention_count', 'mentions_count', 'total_mentions', 'mentions_total', 'count', 'total'],
    ...[
      'threats',
      'threat_count',
      'total_threats',
      'posts',
      'post_count',
      'hits',
      'occurrences',
      'incidents',
    ],
  ])('has its mentions as %s', (name) => {
    expect(readOne({ name: 'LockBit', [name]: 12 })?.mentions).toBe(12)
  })

  const EVENTS = 'observed observation seen active activity mentioned mention posted post threat -'
  test.each([
    ...join('latest last most_recent', EVENTS, '- at date time on').split(' '),
    ...['observed_at', 'observed', 'seen_at', 'date'],
    ...join('observed seen observations', 'last latest').split(' '),
  ])('was last seen as %s says', (name) => {
    const actor = readOne({ name: 'LockBit', [name]: '2026-03-10' })
    expect(actor?.latestObservedAt).toBe('2026-03-10T00:00:00.000Z')
  })

  test.each([
    ...['categories', 'category', 'threat_categories', 'threat_category'],
    ...['types', 'type', 'threat_types', 'associated_categories', 'associated_category'],
    ...['category_list', 'tags', 'threat_tags', 'labels', 'associated_threat_categories'],
  ])('has its categories as %s, as texts or objects', (name) => {
    for (const style of Object.values(styles)) {
      const spelled = style(name.replaceAll('_', ' '))
      for (const value of [['DDoS'], [{ name: 'DDoS' }], [{ id: 4, label: 'DDoS' }], 'DDoS', { DDoS: 4 }]) {
        const actor = readOne({ name: 'LockBit', [spelled]: value })
        expect(actor?.categories, spelled).toEqual(['DDoS'])
      }
    }
  })
})

describe('a list of actors', () => {
  test.each(['data', 'threat_actors', 'actors', 'results', 'items', 'entries', 'records', 'groups'])(
    'is %s',
    (name) => {
      const body = { others: [{ name: 'not this' }], [name]: ['LockBit'] }
      expect(readActorList(body)?.actors).toMatchObject([{ name: 'LockBit' }])
    },
  )

  test.each(['threat_actors', 'actors', 'groups'])('may be a map named %s', (name) => {
    expect(readActorList({ [name]: { LockBit: 12 } })?.actors).toMatchObject([
      { name: 'LockBit', mentions: 12 },
    ])
  })
})

describe('statistics of a country', () => {
  const NOW = Date.parse('2026-03-01T10:00:00Z')
  const TOTALS = ['count total counts value number', 'total number_of num counts count totals']
  const countNames = (nouns: string) =>
    [nouns, join(nouns, TOTALS[0] ?? ''), join(TOTALS[1] ?? '', nouns)].join(' ')

  const COUNTS = {
    threats: countNames('threats threat records incidents stored_threats'),
    actors: countNames('actors actor threat_actors threat_actor groups active_actors stored_actors'),
    victims: countNames('victims victim organizations organisations stored_victims'),
  }
  test.each(named(COUNTS))('have $member as $name', ({ member, name }) => {
    expect(readCountryStatistics('PE', { [name]: 12 }, NOW)).toMatchObject({ [member]: 12, otherFields: [] })
  })

  const topNames = (nouns: string) =>
    [nouns, join('top most_active leading', nouns), join(nouns, 'top')].join(' ')
  const LISTS = {
    topActors: topNames('actors threat_actors groups'),
    topIndustries: topNames('industries sectors industry sector'),
  }
  test.each(named(LISTS))('have $member as $name', ({ member, name }) => {
    const body = { [name]: [{ name: 'the first', count: 3 }] }
    expect(readCountryStatistics('PE', body, NOW)).toMatchObject({
      [member]: [{ name: 'the first', count: 3 }],
      otherFields: [],
    })
  })

  test.each([
    ...join(
      'trend trends daily_trend threat_trend',
      '- 30d 30days 30day days daily data points values series',
    ).split(' '),
    ...['last_30_days', '30_day_trend', '30d_trend', 'thirty_day_trend'],
    ...['daily', 'timeline', 'history', 'series', 'activity'],
  ])('have their trend as %s', (name) => {
    const others = { w1: { '2020-01-01': 1 }, w2: { '2020-01-01': 2 } }
    const body = { ...others, [name]: { '2026-03-01': 12 } }
    expect(readCountryStatistics('PE', body, NOW)?.trend).toEqual([{ date: '2026-03-01', count: 12 }])
  })

  test.each([
    ...['summary', 'cached_summary', 'ai_summary', 'overview', 'briefing', 'description', 'analysis'],
    ...join('summary cached_summary ai_summary', 'text content body summary').split(' '),
  ])('have their summary as %s', (name) => {
    expect(readCountryStatistics('PE', { [name]: 'Calm.' }, NOW)).toMatchObject({ summary: 'Calm.' })
  })

  test.each([...['country_code', 'code', 'iso2', 'alpha2', 'iso_code', 'iso', 'country_iso', 'country']])(
    'are not those of another country that %s names',
    (name) => {
      expect(readCountryStatistics('PE', { threats: 1, [name]: 'DE' }, NOW)).toBeNull()
    },
  )

  test.each(['country_name', 'name', 'country'])('call their country what %s says', (name) => {
    expect(readCountryStatistics('PE', { threats: 1, [name]: 'Perú' }, NOW)?.name).toBe('Perú')
  })

  test.each(['country', 'statistics', 'stats', 'country_statistics', 'country_stats'])(
    'may be in %s',
    (name) => {
      const body = { [name]: { code: 'PE', threats: 12, inner: { victims: 3 } } }
      const country = readCountryStatistics('PE', body, NOW)
      expect(country).toMatchObject({ code: 'PE', threats: 12, victims: 3 })
    },
  )

  const PAIRS = {
    name: 'name actor actor_name threat_actor group industry sector category title label key',
    count: 'count total threats threat_count mentions value victims n',
  }
  test.each(named(PAIRS))('name with counts: the $member is $name', ({ member, name }) => {
    const known = { name: { count: 3 }, count: { name: 'the first' } }[member]
    const value = member === 'name' ? 'the first' : 3
    const rivals = { w1: 'Rival', w2: 'Other', n1: 7, n2: 8 }
    const body = { top_actors: [{ ...rivals, ...known, [name]: value }] }
    expect(readCountryStatistics('PE', body, NOW)?.topActors).toEqual([{ name: 'the first', count: 3 }])
  })

  const POINTS = {
    date: 'date day at time timestamp period bucket label x',
    count: 'count threats threat_count total value mentions n y',
  }
  test.each(named(POINTS))('have days: the $member is $name', ({ member, name }) => {
    const known = { date: { count: 3 }, count: { date: '2026-03-01' } }[member]
    const value = member === 'date' ? '2026-03-01' : 3
    const rivals = { t1: '2020-01-01', t2: '2020-01-02', n1: 7, n2: 8 }
    const body = { trend: [{ ...rivals, ...known, [name]: value }] }
    expect(readCountryStatistics('PE', body, NOW)?.trend).toEqual([{ date: '2026-03-01', count: 3 }])
  })
})
