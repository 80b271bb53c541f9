import { DATED_FROM_MS, type FeedBounds } from '#bff/time/time-range.ts'
import {
  byFacet,
  FACET_NAMES,
  type FacetName,
  PARTIAL_FIELDS,
  type PartialField,
  type ThreatFacets,
} from '#contract/bff/threat-list.ts'
import { normaliseText } from '#matcher/normalise-text.ts'
import { leavesOf, type QueryValue } from '#matcher/query/query-tree.ts'
import { bisect } from './bisect.ts'
import { createRowTest, FAILS, rowsWithin, type Selector } from './filter-rows.ts'
import { findByQuery } from './find-by-query.ts'
import { type IndexRows, newestFirst, valueOfTerm } from './index-rows.ts'
import { countRows, termPostingsOf } from './postings.ts'

const FACET_MAX_COUNT = 100
/** More than there are countries. */
const FOUND_MAX_COUNT = 300

export const UNBOUNDED: FeedBounds = { start: null, end: null }

export type Selection = {
  /** The rows that the filter matches, newest first. */
  matched: Int32Array
  /** Counts each term among the rows that the filters of other names match. */
  termCounts: Int32Array
}

/** Looks once at each row of the query's time: exact counts for all names, in some ms for 100,000 rows. */
export function selectRows(rows: IndexRows, selector: Selector): Selection {
  const { terms, termStarts, slots } = rows
  const { termBits } = rows.dictionaries
  const testRow = createRowTest(rows, selector)
  const { first, end } = rowsWithin(rows, selector.bounds)
  const matched = new Int32Array(Math.max(0, end - first))
  const termCounts = new Int32Array(rows.dictionaries.terms.words.length)
  let found = 0
  for (let row = first; row < end; row++) {
    const missing = testRow(row)
    if (missing === FAILS) continue
    if (missing === 0) matched[found++] = row
    const slot = slots[row] ?? 0
    const last = termStarts[slot + 1] ?? 0
    for (let at = termStarts[slot] ?? 0; at < last; at++) {
      const term = terms[at] ?? 0
      if (missing === 0 || termBits[term] === missing) termCounts[term] = (termCounts[term] ?? 0) + 1
    }
  }
  return { matched: matched.subarray(0, found), termCounts }
}

/** The rows that a filter matches, newest first, where nothing else is counted. */
export function matchRows(rows: IndexRows, selector: Selector): Int32Array {
  const testRow = createRowTest(rows, selector)
  const { first, end } = rowsWithin(rows, selector.bounds)
  const matched = new Int32Array(Math.max(0, end - first))
  let found = 0
  for (let row = first; row < end; row++) if (testRow(row) === 0) matched[found++] = row
  return matched.subarray(0, found)
}

/** Counts the rows of a selection without a date, which are its last. */
export function countUndated({ at }: IndexRows, { matched }: Selection): number {
  return matched.length - bisect(matched.length, (index) => (at[matched[index] ?? 0] ?? 0) < DATED_FROM_MS)
}

/** The most frequent values of each name. */
export function facetsOf(rows: IndexRows, { termCounts }: Selection): ThreatFacets {
  const counted = countedTerms(termCounts)
  return byFacet((name) => valuesOf(rows, counted, name).slice(0, FACET_MAX_COUNT).map(named(rows)))
}

/** The most frequent values of one name that hold a text, and how many more there are. */
export function findValues(
  rows: IndexRows,
  { termCounts }: Selection,
  { name, text }: { name: FacetName; text: string },
): { values: ThreatFacets[FacetName]; more: number } {
  const wanted = normaliseText(text).trim()
  const found = valuesOf(rows, countedTerms(termCounts), name).filter(({ word }) =>
    word.includes(wanted, name.length + 1),
  )
  const values = found.slice(0, FOUND_MAX_COUNT).map(named(rows))
  return { values, more: found.length - values.length }
}

/** The values of one name that any row has, the most frequent first. */
export function valuesInUse(rows: IndexRows, name: FacetName): string[] {
  const postings = termPostingsOf(rows)
  const bit = 1 << FACET_NAMES.indexOf(name)
  const counted = rows.dictionaries.termBits
    .flatMap((own, term) => (own === bit ? [{ term, count: countRows(postings, term) }] : []))
    .filter(({ count }) => count > 0)
  return valuesOf(rows, counted, name).map(({ term }) => valueOfTerm(rows.dictionaries, term))
}

type CountedTerm = { count: number; term: number }

function countedTerms(termCounts: Selection['termCounts']): CountedTerm[] {
  return Array.from(termCounts, (count, term) => ({ count, term })).filter(({ count }) => count > 0)
}

function valuesOf({ dictionaries }: IndexRows, counted: readonly CountedTerm[], name: FacetName) {
  const bit = 1 << FACET_NAMES.indexOf(name)
  return counted
    .filter(({ term }) => dictionaries.termBits[term] === bit)
    .map(({ count, term }) => ({ count, term, word: dictionaries.terms.words[term] ?? '' }))
    .sort((a, b) => b.count - a.count || (a.word < b.word ? -1 : 1))
}

function named({ dictionaries }: IndexRows) {
  return ({ count, term }: CountedTerm) => ({ value: valueOfTerm(dictionaries, term), count })
}

/** The row that a page ends with: the next one begins after it, whatever comes and goes meanwhile. */
export type KeysetCursor = { at: string; id: string }
export type PageRequest = { after: KeysetCursor | null; limit: number }
export type RowPage = { rows: number[]; ids: string[]; next: KeysetCursor | null }

/** The page of a selection that follows a cursor. */
export function pageOf(rows: IndexRows, { matched }: Selection, { after, limit }: PageRequest): RowPage {
  const start = bisect(matched.length, (index) => isAfter(rows, matched[index] ?? 0, after))
  return toPage(rows, matched.subarray(start, start + limit + 1), limit)
}

/** Reads a page without counting: no row beyond the page is read. */
export function readPage(rows: IndexRows, selector: Selector, { after, limit }: PageRequest): RowPage {
  const testRow = createRowTest(rows, selector)
  const { first, end } = rowsWithin(rows, selector.bounds)
  const start = bisect(rows.count, (row) => isAfter(rows, row, after))
  const matched: number[] = []
  for (let row = Math.max(first, start); row < end && matched.length <= limit; row++) {
    if (testRow(row) === 0) matched.push(row)
  }
  return toPage(rows, matched, limit)
}

function isAfter({ at, ids }: IndexRows, row: number, after: KeysetCursor | null): boolean {
  return after === null || newestFirst(Date.parse(after.at), after.id, at[row] ?? 0, ids[row] ?? '') < 0
}

/** `matched` has one row more than the page where others follow. */
function toPage({ at, ids }: IndexRows, matched: ArrayLike<number>, limit: number): RowPage {
  const page = Array.from(matched).slice(0, limit)
  const last = page.at(-1)
  const goesOn = last !== undefined && matched.length > limit
  return {
    rows: page,
    ids: page.map((row) => ids[row] ?? ''),
    next: goesOn ? { at: new Date(at[last] ?? 0).toISOString(), id: ids[last] ?? '' } : null,
  }
}

type Field = PartialField['field']

/** The number of rows that have each field. */
const counts = new WeakMap<IndexRows, Map<Field, number>>()

/** Fields that a filter or a search uses and that not every row has. */
export function partialFieldsOf(rows: IndexRows, { filter, query }: Selector): PartialField[] {
  const used = new Set<string>(
    Object.entries(filter).flatMap(([name, values]) => (values?.length ? name : [])),
  )
  for (const leaf of leavesOf(query?.tree ?? null)) {
    if (leaf.kind !== 'field') continue
    for (const { text } of leaf.values) used.add(leaf.name === 'has' ? text.toLowerCase() : leaf.name)
  }
  return PARTIAL_FIELDS.filter((field) => used.has(field))
    .map((field) => ({ field, threats: countOf(rows, field), of: rows.count }))
    .filter(({ threats, of }) => threats < of)
}

function countOf(rows: IndexRows, field: Field): number {
  const known = counts.get(rows) ?? new Map<Field, number>()
  counts.set(rows, known)
  const count = known.get(field) ?? countRowsWith(rows, field)
  known.set(field, count)
  return count
}

function countRowsWith(rows: IndexRows, field: Field): number {
  const isPart = field === 'analysis' || field === 'evidence'
  const any: QueryValue = {
    from: 0,
    to: 0,
    text: isPart ? field : '*',
    isQuoted: false,
    isPrefix: false,
    comparison: null,
  }
  const node = { kind: 'field', from: 0, to: 0, name: isPart ? 'has' : field, values: [any] } as const
  return findByQuery(rows, node, NO_CONTEXT).size
}

const NO_CONTEXT = {
  momentsOf: () => ({ start: 0, end: 0 }),
  marksOf: () => undefined,
}
