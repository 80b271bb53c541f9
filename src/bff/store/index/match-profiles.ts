import { setImmediate } from 'node:timers/promises'
import type { FeedBounds } from '#bff/time/time-range.ts'
import { parseKeyword } from '#matcher/keyword.ts'
import { standsAt } from '#matcher/phrase.ts'
import { createRowTest, type RowRange, type RowTest, rowsWithin } from './filter-rows.ts'
import { encodePhrase } from './find-words.ts'
import type { IndexRows } from './index-rows.ts'

/** What an alert profile, or the draft of one, looks for: any of its keywords, in one of its categories if it names any. */
export type ProfileCriteria = { keywords: readonly string[]; categories: readonly string[] }

/** A row that a profile matches by a keyword, each pair once a row. `profile` and `keyword` are positions in their lists. */
export type Hit = { row: number; profile: number; keyword: number }

type MatchOptions = {
  profiles: readonly ProfileCriteria[]
  bounds: FeedBounds
  signal?: AbortSignal | undefined
}
type Candidate = { hit: Hit; phrase: readonly number[]; testRow: RowTest }

/** So many rows are compared in one go; then the event loop has its turn. */
const SLICE_COUNT = 10_000

/**
 * Finds the rows of a time that profiles match, newest first, in one pass over the tokens, however many keywords there are.
 * Returns how many rows were compared; throws when `signal` is aborted.
 */
export async function matchProfiles(
  rows: IndexRows,
  { profiles, bounds, signal }: MatchOptions,
  onHit: (hit: Readonly<Hit>) => void,
): Promise<number> {
  const scan = createScan(rows, profiles, onHit)
  const { first, end } = rowsWithin(rows, bounds)
  for (let from = first; from < end; from += SLICE_COUNT) {
    if (from > first) await setImmediate()
    signal?.throwIfAborted()
    scan({ first: from, end: Math.min(from + SLICE_COUNT, end) })
  }
  return Math.max(0, end - first)
}

function createScan(
  rows: IndexRows,
  profiles: readonly ProfileCriteria[],
  onHit: (hit: Readonly<Hit>) => void,
) {
  const { tokens, tokenStarts, slots } = rows
  const candidates = candidatesByFirst(rows, profiles)
  const isFirst = new Uint8Array(rows.dictionaries.tokens.words.length)
  for (const token of candidates.keys()) isFirst[token] = 1

  return ({ first, end }: RowRange) => {
    for (let row = first; row < end; row++) {
      const slot = slots[row] ?? 0
      const last = tokenStarts[slot + 1] ?? 0
      for (let at = tokenStarts[slot] ?? 0; at < last; at++) {
        const token = tokens[at] ?? 0
        if (isFirst[token] !== 1) continue
        for (const { hit, phrase, testRow } of candidates.get(token) ?? []) {
          if (hit.row === row || !standsAt(tokens, phrase, at, last) || testRow(row) !== 0) continue
          hit.row = row
          onHit(hit)
        }
      }
    }
  }
}

/** A keyword with a word that no row has cannot match. */
function candidatesByFirst(rows: IndexRows, profiles: readonly ProfileCriteria[]): Map<number, Candidate[]> {
  const rowTests = new Map<string, RowTest>()
  const byFirst = new Map<number, Candidate[]>()
  for (const [profile, { keywords, categories }] of profiles.entries()) {
    // Most profiles name the same few categories, and each row test takes a byte for every term.
    const key = JSON.stringify(categories)
    const testRow = rowTests.get(key) ?? createRowTest(rows, { filter: { category: [...categories] } })
    rowTests.set(key, testRow)
    for (const [keyword, text] of keywords.entries()) {
      const phrase = encodePhrase(rows.dictionaries, parseKeyword(text)?.tokens ?? [])
      const first = phrase?.[0]
      if (!phrase || first === undefined) continue
      const known = byFirst.get(first) ?? []
      known.push({ hit: { row: -1, profile, keyword }, phrase, testRow })
      byFirst.set(first, known)
    }
  }
  return byFirst
}
