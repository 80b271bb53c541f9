import type { IndexRows } from '#bff/window/index/index-rows.ts'
import { type Span, scanRows, type Watch } from '#bff/window/index/scan-rows.ts'

/** For each profile the rows that it matches, newest first. */
export type MatchedRows = readonly (readonly number[])[]

export type FindMatches = (rows: IndexRows, profiles: readonly Watch[], span: Span) => Promise<MatchedRows>

/** Readers' zones, and moments before and after midnight. */
const KNOWN_MAX_COUNT = 8

/** Finds what profiles match, and remembers it while neither they nor the window change: a draft is typed by and by. */
export function createFindMatches(): FindMatches {
  let known: { rows: IndexRows; key: string; found: Promise<MatchedRows> }[] = []
  return (rows, profiles, span) => {
    const watches = profiles.map(({ keywords, categories }) => ({ keywords, categories }))
    const key = JSON.stringify([span, watches])
    const ofRows = known.filter((one) => one.rows === rows)
    const found = ofRows.find((one) => one.key === key)?.found ?? findMatches(rows, watches, span)
    const others = ofRows.filter((one) => one.found !== found)
    known = [{ rows, key, found }, ...others].slice(0, KNOWN_MAX_COUNT)
    return found
  }
}

async function findMatches(rows: IndexRows, watches: readonly Watch[], span: Span): Promise<MatchedRows> {
  const matched: number[][] = watches.map(() => [])
  await scanRows(rows, { watches, span }, ({ row, watch }) => {
    const matchedRows = matched[watch]
    if (matchedRows && matchedRows.at(-1) !== row) matchedRows.push(row)
  })
  return matched
}
