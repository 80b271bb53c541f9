import { setImmediate } from 'node:timers/promises'
import { parseKeyword } from '#matcher/keyword.ts'
import type { IndexRows } from './index-rows.ts'
import { wantedTerms } from './threat-terms.ts'

/** What an alert profile, or the draft of one, looks for. */
export type Watch = { keywords: readonly string[]; categories: readonly string[] }

/** From `start` on, before `end`, epoch milliseconds. */
export type Span = { start: number; end: number }

/** A row that a watch matches, by one of its keywords: each of them is told once a row. */
export type Hit = { row: number; watch: number; keyword: number }

type Candidate = {
  hit: Hit
  tokens: readonly number[]
  /** Numbers of the terms one of which a row must have; null for any row. */
  terms: ReadonlySet<number> | null
}

/** So many rows are looked at in one go; then others have their turn. */
const SLICE_COUNT = 10_000

/**
 * Finds the rows of a time that watches match, newest first: what the matcher finds, as the rows' words are its tokens.
 * One look at each word, however many keywords there are. Returns how many rows were compared; throws when it is not
 * waited for any more.
 */
export async function scanRows(
  rows: IndexRows,
  { watches, span, signal }: { watches: readonly Watch[]; span: Span; signal?: AbortSignal | undefined },
  onHit: (hit: Readonly<Hit>) => void,
): Promise<number> {
  const candidates = candidatesByFirst(rows, watches)
  const isFirst = new Uint8Array(rows.dictionaries.tokens.words.length)
  for (const token of candidates.keys()) isFirst[token] = 1
  let compared = 0
  for (let from = 0; from < rows.count; from += SLICE_COUNT) {
    if (from > 0) await setImmediate()
    signal?.throwIfAborted()
    const to = Math.min(from + SLICE_COUNT, rows.count)
    compared += scanSlice(rows, { from, to, span, candidates, isFirst }, onHit)
  }
  return compared
}

type Slice = {
  from: number
  to: number
  span: Span
  candidates: ReadonlyMap<number, readonly Candidate[]>
  isFirst: Uint8Array
}

function scanSlice(
  rows: IndexRows,
  { from, to, span, candidates, isFirst }: Slice,
  onHit: (hit: Readonly<Hit>) => void,
): number {
  const { at: times, tokens, tokenStarts } = rows
  let compared = 0
  for (let row = from; row < to; row++) {
    const time = times[row] ?? 0
    if (time < span.start || time >= span.end) continue
    compared++
    const end = tokenStarts[row + 1] ?? 0
    for (let at = tokenStarts[row] ?? 0; at < end; at++) {
      const token = tokens[at] ?? 0
      if (isFirst[token] !== 1) continue
      for (const candidate of candidates.get(token) ?? []) {
        const { hit } = candidate
        if (hit.row === row || !standsAt(rows, candidate, at, end) || !hasTerm(rows, candidate, row)) continue
        hit.row = row
        onHit(hit)
      }
    }
  }
  return compared
}

/** A keyword with a word that no row holds cannot match. */
function candidatesByFirst({ dictionaries }: IndexRows, watches: readonly Watch[]): Map<number, Candidate[]> {
  const byFirst = new Map<number, Candidate[]>()
  for (const [watch, { keywords, categories }] of watches.entries()) {
    const wanted = wantedTerms({ category: [...categories] }).get('category') ?? []
    const terms =
      categories.length === 0 ? null : new Set(wanted.flatMap((term) => dictionaries.terms.get(term) ?? []))
    for (const [keyword, text] of keywords.entries()) {
      const parsed = parseKeyword(text)?.tokens ?? []
      const tokens = parsed.flatMap((token) => dictionaries.tokens.get(token) ?? [])
      const [first] = tokens
      if (first === undefined || tokens.length < parsed.length) continue
      const candidate = { hit: { row: -1, watch, keyword }, tokens, terms }
      byFirst.set(first, [...(byFirst.get(first) ?? []), candidate])
    }
  }
  return byFirst
}

function standsAt(rows: IndexRows, { tokens }: Candidate, at: number, to: number): boolean {
  if (at + tokens.length > to) return false
  for (let place = 1; place < tokens.length; place++) {
    if (rows.tokens[at + place] !== tokens[place]) return false
  }
  return true
}

function hasTerm(rows: IndexRows, { terms }: Candidate, row: number): boolean {
  if (!terms) return true
  const to = rows.termStarts[row + 1] ?? 0
  for (let at = rows.termStarts[row] ?? 0; at < to; at++) {
    if (terms.has(rows.terms[at] ?? 0)) return true
  }
  return false
}
