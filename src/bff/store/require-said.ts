import { LIST_PARTS, type ListPart } from '#contract/bff/threat.ts'
import { leavesOf, type QueryNode } from '#matcher/query/query-tree.ts'
import { saidParts } from './index/find-by-query.ts'
import type { IndexRows } from './index/index-rows.ts'
import { type Selector, selectRows } from './index/select-rows.ts'
import { faultySearch } from './read-search.ts'

const UNSAID: Readonly<Record<ListPart, string>> = {
  analysis: 'which threats have an analysis: open one to see.',
  evidence: 'which threats have evidence: open one to see.',
  source: 'where a threat was seen: open one to see. Quote it to search for the word.',
}

/** A part that a search asks for, and its place. */
export type AskedPart = { part: ListPart; from: number; to: number }

/** `name` is the field's. */
export function refuseUnsaid(unsaid: readonly AskedPart[], name?: string): void {
  if (unsaid.length === 0) return
  const reasonOf = (part: ListPart) => `The lists read so far do not say ${UNSAID[part]}`
  throw faultySearch(
    unsaid.map(({ part, from, to }) => ({ from, to, message: reasonOf(part) })),
    name,
  )
}

/** The parts that a search asks for and of which no list says anything. */
export function unsaidOf(rows: IndexRows, { query }: Selector): AskedPart[] {
  if (!query || !asksForParts(query.tree)) return []
  const said = saidParts(rows)
  return placesOf(query.tree).filter(({ part }) => !said.includes(part))
}

/** The same for what rows are looked through for. */
export function requireSaidOf(rows: IndexRows, selector: Selector): Selector {
  refuseUnsaid(unsaidOf(rows, selector))
  return selector
}

/** How many rows may match beside those that do, as their lists do not say; undefined where nothing depends on it. */
export function countUndecided(rows: IndexRows, selector: Selector): number | undefined {
  const { query } = selector
  if (!query || !asksForParts(query.tree)) return undefined
  return selectRows(rows, { ...selector, query: { ...query, isUndecided: true } }).matched.length
}

/** Whether a search asks for what lists may not say. */
export function asksForParts(tree: QueryNode | null): boolean {
  return placesOf(tree).length > 0
}

function placesOf(tree: QueryNode | null): AskedPart[] {
  return leavesOf(tree).flatMap((leaf) => {
    if (leaf.kind !== 'field' || (leaf.name !== 'has' && leaf.name !== 'source')) return []
    return leaf.values.flatMap(({ text, from, to }) => {
      const wanted = leaf.name === 'has' ? text.toLowerCase() : leaf.name
      const part = LIST_PARTS.find((each) => each === wanted)
      return part ? [{ part, from, to }] : []
    })
  })
}
