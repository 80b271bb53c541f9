import { expect, test } from 'vitest'
import { momentsOfDays } from '#bff/time/start-of-day.ts'
import type { Threat } from '#contract/bff/threat.ts'
import { parseQuery } from '#matcher/query/parse-query.ts'
import type { DaySpan } from '#matcher/query/query-days.ts'
import type { TeamMarked } from '#matcher/query/query-tests.ts'
import { findByQuery } from './find-by-query.ts'
import { createDictionaries, type IndexRows, rowTime, toRows } from './index-rows.ts'
import { countFieldTexts, searchedText, termsOf } from './threat-terms.ts'

const NOW_MS = Date.UTC(2026, 2, 10, 12)
const MARKED: TeamMarked = {
  isRead: true,
  isStarred: true,
  isClosed: false,
  isOverdue: true,
  hasComment: true,
  ownerId: 'u-1',
  ownerText: 'Ada Example ada@corp.example',
  isOwnerActive: false,
}

function threat(id: string, day: string | null, some: Partial<Threat> = {}): Threat {
  return {
    id,
    set: 'v1',
    title: null,
    excerpt: null,
    category: null,
    severity: null,
    actors: [],
    countries: [],
    industries: [],
    organizations: [],
    domains: [],
    redacted: [],
    publishedAt: day && `${day}T12:00:00.000Z`,
    ...some,
  }
}

const THREATS = [
  threat('bank-1', '2026-03-10', {
    title: 'North Bank of Ems loses data',
    category: 'Data Breach',
    severity: 'critical',
    actors: ['Ashfall'],
    countries: [{ code: 'DE', name: 'Germany' }],
    organizations: ['North Bank of Ems'],
    domains: ['bank.example'],
    industries: ['Finance'],
    listSays: { analysis: true, source: 'forum.example' },
  }),
  threat('bank-2', '2026-03-08', {
    title: 'Bank of north Ems',
    category: 'Ransomware',
    severity: 'high',
    actors: ['Ashfall Two', 'Mire'],
    countries: [{ code: 'AT', name: 'Austria' }],
    domains: ['mail.bank.example'],
    listSays: { analysis: false, source: null },
  }),
  threat('port-bank', '2026-03-06', {
    title: 'Port closed',
    category: 'DDoS',
    severity: 'low',
    countries: [{ code: null, name: 'Atlantis' }],
    organizations: ['Port Authority'],
    domains: ['bank.example.port.example'],
  }),
  threat('undated', null, {
    title: 'Harbour and bankers',
    category: 'Ransomware',
    domains: ['docks.example'],
  }),
] as const

function indexOf(threats: readonly Threat[], dictionaries = createDictionaries()): IndexRows {
  const facts = threats.map((one) => ({
    id: one.id,
    at: rowTime(one.publishedAt ? Date.parse(one.publishedAt) : NOW_MS, one.publishedAt === null),
    terms: termsOf(one).map(({ term }) => term),
    searchedText: searchedText(one),
    fieldTexts: countFieldTexts(one),
  }))
  return toRows(dictionaries, facts)
}

const CONTEXT = {
  momentsOf: (days: DaySpan) => momentsOfDays(days, 'UTC', NOW_MS),
  marksOf: (id: string) => (id === 'bank-2' ? MARKED : undefined),
  readerId: 'u-1',
}

function find(text: string, threats: readonly Threat[] = THREATS): string[] {
  const { tree, faults } = parseQuery(text)
  expect(faults).toEqual([])
  if (!tree) throw new Error('No query')
  const index = indexOf(threats)
  const found = findByQuery(index, tree, CONTEXT)
  return index.ids.filter((_, row) => found.has(row)).toSorted()
}

test.each<[string, string[]]>([
  ['bank', ['bank-1', 'bank-2', 'port-bank']],
  ['bank*', ['bank-1', 'bank-2', 'port-bank', 'undated']],
  ['"north bank"', ['bank-1']],
  ['"bank of north"', ['bank-2']],
  ['"north bank of" data', ['bank-1']],
  ['bank-nor*', []],
  ['of-nor*', ['bank-2']],
  ['nowhere', []],
  ['"nowhere bank"', []],
  ['bank OR harbour', ['bank-1', 'bank-2', 'port-bank', 'undated']],
  ['-bank', ['undated']],
  ['owner:*', ['bank-2']],
  ['owner:me', ['bank-2']],
  ['owner:inactive', ['bank-2']],
  ['owner:"inactive"', []],
  ['is:mine', ['bank-2']],
  ['is:overdue', ['bank-2']],
  ['status:investigating', ['bank-2']],
  ['status:new', ['bank-1', 'port-bank', 'undated']],
  ['owner:nobody', ['bank-1', 'port-bank', 'undated']],
  ['owner:example', ['bank-2']],
  ['owner:ada@corp.example', ['bank-2']],
  ['owner:grace', []],
  ['owner:"me"', []],
  ['bank -port', ['bank-1', 'bank-2']],
  ['country:DE', ['bank-1']],
  ['country:DE,AT', ['bank-1', 'bank-2']],
  ['country:atlantis', ['port-bank']],
  ['country:a*', ['bank-2', 'port-bank']],
  ['country:*', ['bank-1', 'bank-2', 'port-bank']],
  ['-country:*', ['undated']],
  ['severity:>=high', ['bank-1', 'bank-2']],
  ['severity:low', ['port-bank']],
  ['severity:*', ['bank-1', 'bank-2', 'port-bank']],
  ['actor:ashfall', ['bank-1', 'bank-2']],
  ['actor:"ashfall two"', ['bank-2']],
  ['actor:*', ['bank-1', 'bank-2']],
  ['-actor:*', ['port-bank', 'undated']],
  ['category:ransomware', ['bank-2', 'undated']],
  ['industry:finance', ['bank-1']],
  ['victim:bank', ['bank-1']],
  ['victim:port', ['port-bank']],
  ['victim:closed', []],
  ['victim:*', ['bank-1', 'port-bank']],
  ['domain:bank.example', ['bank-1', 'bank-2']],
  ['domain:port.example', ['port-bank']],
  ['domain:docks.example', ['undated']],
  ['domain:docks', []],
  ['domain:*', ['bank-1', 'bank-2', 'port-bank', 'undated']],
  ['after:2026-03-08', ['bank-1', 'bank-2']],
  ['before:2026-03-08', ['port-bank']],
  ['on:2026-03-08', ['bank-2']],
  ['id:bank-1', ['bank-1']],
  ['id:bank*', ['bank-1', 'bank-2']],
  ['is:starred', ['bank-2']],
  ['has:comment', ['bank-2']],
  ['has:note', ['bank-2']],
  ['-has:comment', ['bank-1', 'port-bank', 'undated']],
  ['has:analysis', ['bank-1']],
  ['-has:analysis', ['bank-2', 'port-bank', 'undated']],
  ['source:forum.example', ['bank-1']],
  ['-source:forum.example', ['bank-2', 'port-bank', 'undated']],
])('%s finds %j', (text, ids) => {
  expect(find(text)).toEqual(ids)
})

test('rows that follow each other in time are found, however many', () => {
  const at = (minute: number) => new Date(NOW_MS - minute * 60_000).toISOString()
  const many = Array.from({ length: 200 }, (_, minute) => ({
    ...threat(`id-${String(minute).padStart(3, '0')}`, null),
    publishedAt: at(minute * 10),
  }))
  const today = many.filter(({ publishedAt }) => publishedAt.startsWith('2026-03-10')).map(({ id }) => id)
  expect(today).toHaveLength(73)
  expect(find('on:2026-03-10', many)).toEqual(today)
  expect(find('before:2026-03-10', many)).toEqual(many.slice(73).map(({ id }) => id))
  expect(find('-on:2026-03-10', many)).toEqual(many.slice(73).map(({ id }) => id))
})
