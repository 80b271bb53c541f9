import type { HeldRows } from '#bff/window/index/held-rows.ts'
import { type Span, scanRows, type Watch } from '#bff/window/index/scan-rows.ts'

/** For each profile the rows that it matches, newest first. */
export type MatchedSlots = readonly (readonly number[])[]

export type FindMatches = (rows: HeldRows, profiles: readonly Watch[], span: Span) => Promise<MatchedSlots>

/** Readers' zones, and moments before and after midnight. */
const KNOWN_MAX_COUNT = 8

/** Finds what profiles match, and remembers it while neither they nor the window change: a draft is typed by and by. */
export function createFindMatches(): FindMatches {
  let known: { rows: HeldRows; key: string; found: Promise<MatchedSlots> }[] = []
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

async function findMatches(rows: HeldRows, watches: readonly Watch[], span: Span): Promise<MatchedSlots> {
  const matched: number[][] = watches.map(() => [])
  await scanRows(rows, { watches, span }, ({ slot, watch }) => {
    const slots = matched[watch]
    if (slots && slots.at(-1) !== slot) slots.push(slot)
  })
  return matched
}
