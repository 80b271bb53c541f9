import type { Random } from '#test/support/random.ts'
import { envelop, type Members, nest, shapeNames, shapeTime, styleOf } from './shapes.ts'

export const THREAT_ID = 'threat-1'

export type ExpectedThreat = { found: Members; others: string[] }

/** The detail of one v1 record in a shape by chance, and what a reader must find in it. */
export function shapeThreat(random: Random): { body: unknown; expected: ExpectedThreat } {
  const style = styleOf(random)
  const time = shapeTime(random)
  const actors = random.some(['LockBit', '888', 'constructor'])
  const industries = random.some(['Energy', 'Retail'])
  const organizations = random.some(['Acme GmbH', 'Umbrella'])
  const analysis = random.pick<{ name: string; value: unknown; read: Members }>([
    { name: 'ai analysis', value: 'A running text.', read: analysisOf({ text: 'A running text.' }) },
    {
      name: 'ai analysis',
      value: {
        [style('risk level')]: 'high',
        summary: 'Short.',
        impact: 'Large.',
        recommendations: ['Patch'],
      },
      read: analysisOf({
        riskLevel: 'high',
        summary: 'Short.',
        impact: 'Large.',
        recommendations: ['Patch'],
      }),
    },
    {
      name: 'analysis',
      value: { overview: 'Short.', recommendations: { Patch: 1 } },
      read: analysisOf({ summary: 'Short.', recommendations: ['Patch'] }),
    },
    { name: 'impact', value: 'Large.', read: analysisOf({ impact: 'Large.' }) },
  ])
  const parts = [
    { member: 'title', name: 'title', value: 'A title', read: 'A title' },
    { member: 'excerpt', name: 'summary', value: 'A summary', read: 'A summary' },
    { member: 'category', name: 'category', value: 'DDoS', read: 'DDoS' },
    { member: 'severity', name: 'risk level', value: 'high', read: 'high' },
    { member: 'actors', name: 'threat actors', value: shapeNames(random, actors), read: actors },
    { member: 'publishedAt', name: 'published at', value: time.value, read: time.read },
    { member: 'content', name: random.pick(['content', 'full text']), value: 'Long text', read: 'Long text' },
    {
      member: 'sourceUrl',
      name: random.pick(['source url', 'url', 'source link']),
      value: 'http://x.onion/1',
      read: 'http://x.onion/1',
    },
    { member: 'analysis', ...analysis },
  ]
  const kept = parts.filter(() => random.chance(0.85))
  const read = new Map<string, unknown>(kept.map(({ member, read }) => [member, read]))
  const named = Object.fromEntries(kept.map(({ name, value }) => [style(name), value]))
  const hasExtra = random.chance(0.7)
  const extra = {
    [style('confidence percent')]: 80,
    source: { name: 'Dread', type: 'forum' },
    [style('cve ids')]: ['CVE-2026-1'],
  }
  const body = {
    id: THREAT_ID,
    ...nest(random, { ...named, ...(hasExtra && extra) }, Object.keys(named)),
    victims: { industries: shapeNames(random, industries), organizations, countries: ['DE'] },
  }
  const texts = [
    'title',
    'excerpt',
    'category',
    'severity',
    'publishedAt',
    'content',
    'sourceUrl',
    'analysis',
  ]
  return {
    body: envelop(random, 'threat', body),
    expected: {
      found: {
        ...Object.fromEntries(texts.map((member) => [member, read.get(member) ?? null])),
        actors: read.get('actors') ?? [],
        industries,
        organizations,
        domains: [],
        evidence: [],
      },
      others: hasExtra ? ['80', 'Dread', 'forum', 'CVE-2026-1'] : [],
    },
  }
}

function analysisOf(given: Members): Members {
  return { riskLevel: null, summary: null, impact: null, recommendations: [], text: null, ...given }
}
