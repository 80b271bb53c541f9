import { DATED_FROM_MS } from '#bff/time/time-range.ts'
import { LIST_PARTS, type ListPart } from '#contract/bff/threat.ts'
import {
  holdsWanted,
  partOf,
  type QueryContext,
  type QueryTest,
  testsOf,
} from '#matcher/query/query-tests.ts'
import type { QueryNode } from '#matcher/query/query-tree.ts'
import { bisect } from './bisect.ts'
import { findNamed, findWords, isTextName } from './find-words.ts'
import type { IndexRows } from './index-rows.ts'
import { termPostingsOf } from './postings.ts'
import { RowSet } from './row-set.ts'

/** The rows that a query matches, as `matchesQuery` has it: by sets of rows, without a look at those it does not name. */
export function findByQuery(index: IndexRows, tree: QueryNode, context: QueryContext): RowSet {
  return findKnown(index, tree, { context, wanted: true })
}

/** The rows of which nobody can know, as their lists do not say. */
export function findUndecided(index: IndexRows, tree: QueryNode, context: QueryContext): RowSet {
  const holding = findKnown(index, tree, { context, wanted: true })
  return holding.unite(findKnown(index, tree, { context, wanted: false })).invert()
}

type Asked = { context: QueryContext; wanted: boolean }

/** The rows of which it is known that a query holds, or, where that is wanted, that it fails. */
function findKnown(index: IndexRows, node: QueryNode, { context, wanted }: Asked): RowSet {
  const find = (part: QueryNode) => findKnown(index, part, { context, wanted })
  switch (node.kind) {
    case 'and':
    case 'or': {
      const isEach = (node.kind === 'and') === wanted
      const sets = node.parts.map(find)
      return sets.reduce((found, other) => (isEach ? found.intersect(other) : found.unite(other)))
    }
    case 'not':
      return findKnown(index, node.part, { context, wanted: !wanted })
    default: {
      const found = new RowSet(index.count)
      const terms: string[] = []
      const tests = testsOf(node, context)
      for (const test of tests) {
        const own = termsOfTest(index, test)
        if (own) terms.push(...own)
        else found.unite(findByTest(index, test, context))
      }
      if (terms.length > 0) found.unite(findTerms(index, terms))
      if (wanted) return found
      const parts = new Set(tests.flatMap((test) => partOf(test) ?? []))
      return [...parts].reduce((left, part) => left.intersect(findSaid(index, part)), found.invert())
    }
  }
}

/** The rows whose lists say whether they have a part. */
function findSaid(index: IndexRows, part: ListPart): RowSet {
  return findTerms(index, [`has:${part}`, `lacks:${part}`])
}

/** The parts of which the list of any row says something. */
export function saidParts(index: IndexRows): ListPart[] {
  const { starts } = termPostingsOf(index)
  const isUsed = (term: string) => {
    const number = index.dictionaries.terms.get(term)
    return number !== undefined && (starts[number + 1] ?? 0) > (starts[number] ?? 0)
  }
  return LIST_PARTS.filter((part) => isUsed(`has:${part}`) || isUsed(`lacks:${part}`))
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

function findByTest(index: IndexRows, test: QueryTest, { marksOf }: QueryContext): RowSet {
  const { count, ids } = index
  const filter = (accepts: (id: string) => boolean) => {
    const found = new RowSet(count)
    for (let row = 0; row < count; row++) if (accepts(ids[row] ?? '')) found.add(row)
    return found
  }
  switch (test.kind) {
    case 'text':
      return findWords(index, test.wanted, null)
    case 'value':
      return isTextName(test.name) ? findWords(index, test.wanted, test.name) : new RowSet(count)
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
    case 'profile': {
      const found = new RowSet(count)
      const plain = { isPrefix: false, isEnd: false }
      for (const keyword of test.keywords)
        found.unite(findWords(index, { ...plain, text: keyword.text, keyword }, null))
      const terms = test.categories.map((category) => `category:${category}`)
      return terms.length > 0 ? found.intersect(findTerms(index, terms)) : found
    }
    default:
      return new RowSet(count)
  }
}

function termsOfName({ dictionaries }: IndexRows, name: string): string[] {
  return dictionaries.terms.words.filter((term) => term.startsWith(`${name}:`))
}

function findTerms(index: IndexRows, wanted: readonly string[]): RowSet {
  const found = new RowSet(index.count)
  const { starts, rows } = termPostingsOf(index)
  for (const number of wanted.flatMap((term) => index.dictionaries.terms.get(term) ?? [])) {
    const end = starts[number + 1] ?? 0
    for (let at = starts[number] ?? 0; at < end; at++) found.add(rows[at] ?? 0)
  }
  return found
}
