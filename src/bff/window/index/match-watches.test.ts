import { expect, test } from 'vitest'
import { prepareProfiles } from '#matcher/match-profiles.ts'
import { heldThreat } from '#test/support/alerts/start-alerts.ts'
import { Random } from '#test/support/random.ts'
import { createDictionaries, toRows } from './index-rows.ts'
import { matchWatches } from './match-watches.ts'
import { searchedText, termsOf } from './threat-terms.ts'

const WORDS = [
  'lock',
  'bit',
  'Lock',
  'acme',
  'Ácme',
  '株式',
  '会社',
  'ไทย',
  'l\u200bock',
  '3.0',
  '-',
  'straße',
]
const CATEGORIES = ['Ransomware', 'ransomware', 'DDoS', '***', null]

test('finds exactly what the matcher finds', async () => {
  const random = new Random(2026)
  const text = (most: number) =>
    Array.from({ length: 1 + random.below(most) }, () => random.pick(WORDS)).join(' ')
  const threats = Array.from({ length: 400 }, (_, at) =>
    heldThreat({
      id: `t${at}`,
      title: text(4),
      excerpt: text(6),
      category: random.pick<string | null>(CATEGORIES),
      organizations: [text(2), text(2)],
      publishedAt: new Date(Date.UTC(2026, 0, 1) + at * 60_000).toISOString(),
    }),
  )
  const watches = Array.from({ length: 60 }, (_, at) => ({
    id: String(at),
    keywords: Array.from({ length: random.below(4) }, () => text(3)),
    categories: random.chance(0.5) ? random.some(['RANSOMWARE', 'DDoS', '***']) : [],
  }))
  const facts = threats.map((threat) => ({
    id: threat.id,
    at: Date.parse(threat.publishedAt ?? ''),
    terms: termsOf(threat).map(({ term }) => term),
    searchedText: searchedText(threat),
  }))
  const rows = toRows(createDictionaries(), facts)

  const scanned = new Set<string>()
  const all = { start: Number.NEGATIVE_INFINITY, end: Number.POSITIVE_INFINITY }
  const compared = await matchWatches(rows, { watches, bounds: all }, ({ row, watch, keyword }) => {
    const hit = `${rows.ids[row]} ${watch} ${watches[watch]?.keywords[keyword]}`
    scanned.add(hit)
  })

  const match = prepareProfiles(watches)
  const wanted = threats.flatMap((threat) =>
    match({ category: threat.category ?? '', searchText: searchedText(threat) }).flatMap(
      ({ profileId, keywords }) => keywords.map((keyword) => `${threat.id} ${profileId} ${keyword.text}`),
    ),
  )
  expect(compared).toBe(400)
  expect(wanted.length).toBeGreaterThan(500)
  expect(scanned).toEqual(new Set(wanted))
})

test('compares a time alone: its first moment, not its end', async () => {
  const facts = [1, 2, 3].map((at) => ({ id: `t${at}`, at, terms: [], searchedText: ' acme ' }))
  const rows = toRows(createDictionaries(), facts)
  const found: (string | undefined)[] = []
  const watch = { keywords: ['acme'], categories: [] }
  const asked = { watches: [watch], bounds: { start: 1, end: 3 } }
  expect(await matchWatches(rows, asked, ({ row }) => found.push(rows.ids[row]))).toBe(2)
  expect(found).toEqual(['t2', 't1'])
})

test('stops once nobody waits for it', async () => {
  const facts = Array.from({ length: 30_000 }, (_, at) => ({
    id: `t${at}`,
    at,
    terms: [],
    searchedText: ' acme ',
  }))
  const rows = toRows(createDictionaries(), facts)
  const patience = new AbortController()
  let hits = 0
  const asked = { watches: [{ keywords: ['acme'], categories: [] }], bounds: { start: 0, end: 30_000 } }
  const scan = matchWatches(rows, { ...asked, signal: patience.signal }, () => {
    hits++
    patience.abort()
  })
  await expect(scan).rejects.toThrow()
  expect(hits).toBe(10_000)
})
