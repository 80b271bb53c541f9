import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Threat } from '#contract/bff/threat.ts'
import { FACET_NAMES, type FacetName, type ThreatFilter } from '#contract/bff/threat-list.ts'
import { holdsKeyword, parseKeyword } from '#matcher/keyword.ts'
import { normaliseText, normaliseTexts } from '#matcher/normalise-text.ts'
import { anyWordOf } from '#matcher/query/query-tree.ts'
import { parseSearch } from '#matcher/search-query.ts'
import { propertyRuns } from '#test/support/property-runs.ts'
import { rowQueryOf } from '#test/support/query/row-query-of.ts'
import { countDays } from './count-days.ts'
import { findLeaves } from './find-by-query.ts'
import { createDictionaries, type IndexRows, mergeRows, toRows } from './index-rows.ts'
import { postingsOf } from './postings.ts'
import { facetsOf, readPage, selectRows } from './select-rows.ts'
import { atOnce } from './slices.ts'
import { searchedText, termsOf } from './threat-terms.ts'

type Record = Threat & { at: number }
type RowQuery = { filter: ThreatFilter; bounds: { start: number | null; end: number | null } }

// The naive evaluator: plain records, one by one, by the matcher's own functions.

const texts = new WeakMap<Threat, string>()

function textOf(threat: Threat): string {
  const known = texts.get(threat)
  if (known !== undefined) return known
  const { title, excerpt, actors, organizations, domains, industries, countries } = threat
  const names = countries.map(({ name }) => name)
  const own = [title ?? '', excerpt ?? '', ...actors, ...organizations, ...domains, ...industries, ...names]
  const text = normaliseTexts(own)
  texts.set(threat, text)
  return text
}

function fold(name: FacetName, value: string): string {
  return name === 'country' ? value.toUpperCase() : normaliseText(value).trim() || value
}

function valuesOf(threat: Threat, name: FacetName): string[] {
  const values = {
    category: [threat.category],
    country: threat.countries.map(({ code }) => code),
    actor: threat.actors,
    industry: threat.industries,
    severity: [threat.severity],
  }[name]
  return [...new Set(values.flatMap((value) => (value === null ? [] : fold(name, value))))]
}

/** Returns true if a record matches, whatever its values of one name. */
function matches(record: Record, { filter, bounds: { start, end } }: RowQuery, besides?: FacetName): boolean {
  return (
    (start === null || record.at >= start) &&
    (end === null || record.at < end) &&
    parseSearch(filter.q ?? '').keywords.every((keyword) => holdsKeyword(textOf(record), keyword)) &&
    FACET_NAMES.every((name) => {
      const wanted = (filter[name] ?? []).map((value) => fold(name, value))
      const own = valuesOf(record, name)
      return name === besides || wanted.length === 0 || wanted.some((value) => own.includes(value))
    })
  )
}

function tally(records: readonly Record[], name: FacetName): Map<string, number> {
  const counts = new Map<string, number>()
  for (const value of records.flatMap((record) => valuesOf(record, name))) {
    counts.set(`${name}:${value}`, (counts.get(`${name}:${value}`) ?? 0) + 1)
  }
  return counts
}

/** The keywords of a profile that a record holds, in one of its categories. */
function hitsOf(
  record: Record,
  { keywords, categories }: { keywords: string[]; categories: string[] },
): number[] {
  const isInCategory = matches(record, { filter: { category: [...categories] }, bounds: OPEN })
  return keywords.flatMap((text, at) => {
    const keyword = parseKeyword(text)
    return isInCategory && keyword && holdsKeyword(textOf(record), keyword) ? at : []
  })
}

const OPEN = { start: null, end: null }
const OPEN_MOMENTS = { start: Number.NEGATIVE_INFINITY, end: Number.POSITIVE_INFINITY }
const TIMES = 40
const RUNS = propertyRuns(250)

const piece = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      'lock',
      'bit',
      'LOCK',
      'b\u200bit',
      'ácme',
      'Acme',
      '株式',
      '会社',
      'ก\u0e38',
      '3.0',
      'ß',
      '-',
      '"',
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 4 }) },
)
const text = fc.array(piece, { maxLength: 6, size: 'max' }).map((pieces) => pieces.join(' '))
const phrase = fc.array(piece, { minLength: 1, maxLength: 3 }).map((pieces) => pieces.join(' '))
const value = fc.oneof(
  fc.constantFrom('LockBit', 'lockbit', 'Löckbit', '***', '会社', 'DDoS', 'High'),
  phrase,
)
const values = fc.array(value, { maxLength: 3 })
const code = fc.constantFrom('DE', 'de', 'FR', 'JP')
const moment = fc.integer({ min: 0, max: TIMES })
/** Most filters name little: else hardly a record would match. */
const seldom = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary })

const record = fc.record({
  at: moment,
  title: fc.option(text),
  excerpt: fc.option(text),
  category: fc.option(value),
  severity: fc.option(value),
  actors: values,
  industries: values,
  organizations: fc.array(text, { maxLength: 2 }),
  domains: fc.array(text, { maxLength: 1 }),
  countries: fc.array(fc.record({ code, name: text }), { maxLength: 2 }),
})
const records = fc.array(record, { maxLength: 30, size: 'max' }).map((some) =>
  some.map(
    (one, at): Record => ({
      ...one,
      id: `thr_${String(at).padStart(2, '0')}`,
      set: 'v1',
      publishedAt: new Date(one.at).toISOString(),
      redacted: [],
    }),
  ),
)
const queries: fc.Arbitrary<RowQuery> = fc.record({
  filter: fc.record({
    category: seldom(values),
    country: seldom(fc.array(code, { maxLength: 2 })),
    actor: seldom(values),
    industry: seldom(values),
    severity: seldom(values),
    q: fc.constantFrom(undefined, 'lock', 'acme lock', '"lock bit"', '"ácme acme', '会社', '3.0 - bit'),
  }),
  bounds: fc.record({ start: fc.option(moment, { freq: 2 }), end: fc.option(moment, { freq: 2 }) }),
})

/** The index as it comes to be: some records first, the others taken over later. */
function indexOf(all: readonly Record[]): IndexRows {
  const dictionaries = createDictionaries()
  const facts = all.map((one) => ({
    id: one.id,
    at: one.at,
    terms: termsOf(one).map(({ term }) => term),
    searchedText: searchedText(one),
  }))
  const stale = facts
    .slice(0, 3)
    .map((one) => ({ ...one, at: one.at + 1, terms: [], searchedText: ' stale ' }))
  const first = toRows(dictionaries, [...stale, ...facts.filter((_, at) => at > 2 && at % 3 === 0)])
  // If the first were searched before, later ones have postings of their own.
  if (all.length % 2 === 0) postingsOf(first)
  const rest = facts.filter((_, at) => at < 3 || at % 3 > 0)
  return atOnce(mergeRows(first, toRows(dictionaries, rest)))
}

function newestFirst(all: readonly Record[]): Record[] {
  return all.toSorted((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1))
}

test('finds, pages and counts by every filter as a scan of all records does', () => {
  let found = 0
  const agrees = fc.property(records, queries, fc.integer({ min: 1, max: 5 }), (all, query, limit) => {
    const rows = indexOf(all)
    const expected = newestFirst(all.filter((one) => matches(one, query)))
    const selector = { ...query, query: rowQueryOf(query.filter.q) }
    const selection = selectRows(rows, selector)
    expect(Array.from(selection.matched, (row) => rows.ids[row])).toEqual(expected.map(({ id }) => id))
    found += expected.length

    const paged: string[] = []
    let after = null
    do {
      const page = readPage(rows, selector, { after, limit })
      expect(page.ids.length).toBeLessThanOrEqual(limit)
      paged.push(...page.ids)
      expect(page.next !== null).toBe(paged.length < expected.length)
      expect(paged.length).toBeLessThanOrEqual(expected.length)
      after = page.next
    } while (after)
    expect(paged).toEqual(expected.map(({ id }) => id))

    const facets = facetsOf(rows, selection)
    for (const name of FACET_NAMES) {
      const others = all.filter((one) => matches(one, query, name))
      expect(new Map(facets[name].map(({ value, count }) => [value, count]))).toEqual(tally(others, name))
    }
  })
  fc.assert(agrees, RUNS)
  expect(found).toBeGreaterThan(2 * RUNS.numRuns)
})

test('counts each day as a scan of all records does', () => {
  const days = fc
    .uniqueArray(moment, { minLength: 2, maxLength: 6 })
    .map((starts) => starts.toSorted((a, b) => a - b))
  const by = fc.constantFrom(...FACET_NAMES)
  const agrees = fc.property(records, queries, days, by, (all, query, starts, name) => {
    const rows = indexOf(all)
    const counted = countDays(
      rows,
      { ...query, query: rowQueryOf(query.filter.q) },
      {
        starts,
        by: name,
        seriesFrom: 0,
        seriesEnd: starts.length - 1,
        seriesMaxCount: 1_000,
      },
    )
    const ofDays = starts.slice(1).map((end, day) => {
      const bounds = { start: starts[day] ?? 0, end }
      return all.filter((one) => matches(one, query) && matches(one, { filter: {}, bounds }))
    })
    expect(counted.counts).toEqual(ofDays.map(({ length }) => length))
    const series = [...tally(ofDays.flat(), name).keys()].map((value) => ({
      value,
      counts: ofDays.map((some) => tally(some, name).get(value) ?? 0),
    }))
    expect(new Map(counted.series.map(({ value, counts }) => [value, counts]))).toEqual(
      new Map(series.map(({ value, counts }) => [value, counts])),
    )
  })
  fc.assert(agrees, RUNS)
})

test('finds for every profile the records, and in each the keywords, that the matcher finds', () => {
  const profiles = fc.array(fc.record({ keywords: fc.array(phrase, { maxLength: 4 }), categories: values }), {
    maxLength: 6,
  })
  let found = 0
  const agrees = fc.property(records, profiles, queries, (all, some, { bounds }) => {
    const rows = indexOf(all)
    const context = { momentsOf: () => OPEN_MOMENTS, marksOf: () => undefined }
    const hits = some.flatMap(({ keywords, categories }, profile) => {
      const query = { tree: anyWordOf(keywords), context }
      const { matched } = selectRows(rows, { filter: { category: categories }, bounds, query })
      const leaves = findLeaves(rows, query)
      return [...matched].flatMap((row) =>
        leaves.flatMap((leaf, keyword) =>
          leaf.rows.has(row) ? `${rows.ids[row]} ${profile} ${keyword}` : [],
        ),
      )
    })
    const within = all.filter((one) => matches(one, { filter: {}, bounds }))
    const expected = within.flatMap((one) =>
      some.flatMap((profile, at) => hitsOf(one, profile).map((keyword) => `${one.id} ${at} ${keyword}`)),
    )
    expect(hits.toSorted()).toEqual(expected.toSorted())
    found += expected.length
  })
  fc.assert(agrees, RUNS)
  expect(found).toBeGreaterThan(2 * RUNS.numRuns)
})
