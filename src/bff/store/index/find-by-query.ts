import { DATED_FROM_MS } from '#bff/time/time-range.ts'
import { holdsWanted, type QueryContext, type QueryTest, testsOf } from '#matcher/query/query-tests.ts'
import { type FieldNode, type QueryNode, type WordNode, wantedLeavesOf } from '#matcher/query/query-tree.ts'
import { bisect } from './bisect.ts'
import { findNamed, findWords, isTextName } from './find-words.ts'
import type { IndexRows } from './index-rows.ts'
import { addRows, termPostingsOf } from './postings.ts'
import { RowSet } from './row-set.ts'

export type RowContext = QueryContext & {
  /** The rows that the alert profiles of a folded name match. */
  rowsOfProfile?: (index: IndexRows, name: string) => RowSet
}

/**
 * The rows that a query matches: by sets of rows, without a look at those it does not name. A row without a field fails a
 * condition on it. Where `within` is given, nothing is known of the rows that it has not.
 */
export function findByQuery(
  index: IndexRows,
  node: QueryNode,
  context: RowContext,
  within: RowSet | null = null,
): RowSet {
  switch (node.kind) {
    case 'and':
    case 'or': {
      const sets = node.parts.map((part) => findByQuery(index, part, context, within))
      return sets.reduce((found, other) =>
        node.kind === 'and' ? found.intersect(other) : found.unite(other),
      )
    }
    case 'not':
      return findByQuery(index, node.part, context, within).invert()
    default: {
      const found = new RowSet(index.count)
      const terms: string[] = []
      for (const test of testsOf(node, context)) {
        const own = termsOfTest(index, test)
        if (own) terms.push(...own)
        else found.unite(findByTest(index, test, context, within))
      }
      return terms.length > 0 ? found.unite(findTerms(index, terms)) : found
    }
  }
}

/** The words and fields by which rows may match a query, each with the rows that it matches alone. */
export function findLeaves(
  index: IndexRows,
  { tree, context }: { tree: QueryNode; context: RowContext },
  within: RowSet | null = null,
): { leaf: WordNode | FieldNode; rows: RowSet }[] {
  return wantedLeavesOf(tree).map((leaf) => ({ leaf, rows: findByQuery(index, leaf, context, within) }))
}

/** Terms of which a row must have one; null where the test is of something else. */
function termsOfTest(index: IndexRows, test: QueryTest): string[] | null {
  if (test.kind === 'country') return test.codes.map((code) => `country:${code}`)
  if (test.kind === 'part') return [`has:${test.part}`]
  if (test.kind === 'level') return test.levels.map((level) => `severity:${level}`)
  const isTerm = (test.kind === 'value' || test.kind === 'any') && !isTextName(test.name)
  if (!isTerm) return null
  const terms = termsOfName(index, test.name)
  const start = test.name.length + 1
  return test.kind === 'any' ? terms : terms.filter((term) => holdsWanted(term.slice(start), test.wanted))
}

function findByTest(
  index: IndexRows,
  test: QueryTest,
  { marksOf, rowsOfProfile }: RowContext,
  within: RowSet | null,
): RowSet {
  const { count, ids } = index
  const filter = (accepts: (id: string) => boolean) => {
    const found = new RowSet(count)
    for (let row = 0; row < count; row++) if (accepts(ids[row] ?? '')) found.add(row)
    return found
  }
  switch (test.kind) {
    case 'text':
      return findWords(index, test.wanted, null, within)
    case 'value':
      return isTextName(test.name) ? findWords(index, test.wanted, test.name, within) : new RowSet(count)
    case 'any': {
      if (!isTextName(test.name)) return new RowSet(count)
      const found = findNamed(index, test.name).unite(findTerms(index, [`withheld:${test.name}`]))
      // A country has a code, or the name that the source gives it, or both.
      return test.name === 'place' ? found.unite(findTerms(index, termsOfName(index, 'country'))) : found
    }
    case 'time': {
      const firstBefore = (moment: number) => bisect(count, (row) => (index.at[row] ?? 0) < moment)
      const found = new RowSet(count)
      found.addRange(firstBefore(test.moments.end), firstBefore(Math.max(test.moments.start, DATED_FROM_MS)))
      return found
    }
    case 'id':
      return filter(test.isPrefix ? (id) => id.startsWith(test.text) : (id) => id === test.text)
    case 'marks':
      return filter((id) => test.accepts(marksOf(id)))
    case 'profile':
      return rowsOfProfile?.(index, test.name) ?? new RowSet(count)
    default:
      return new RowSet(count)
  }
}

function termsOfName({ dictionaries }: IndexRows, name: string): string[] {
  return dictionaries.terms.words.filter((term) => term.startsWith(`${name}:`))
}

/** The rows that have any of some terms. */
export function findTerms(index: IndexRows, wanted: readonly string[]): RowSet {
  const numbers = wanted.flatMap((term) => index.dictionaries.terms.get(term) ?? [])
  return addRows(termPostingsOf(index), numbers, new RowSet(index.count))
}
