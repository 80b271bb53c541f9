import { DATED_FROM_MS } from '#bff/time/time-range.ts'
import { standsAt } from '#matcher/phrase.ts'
import {
  holdsWanted,
  type ListedTest,
  type QueryContext,
  type QueryTest,
  testsOf,
  type Wanted,
} from '#matcher/query/query-tests.ts'
import { type FieldNode, type QueryNode, type WordNode, wantedLeavesOf } from '#matcher/query/query-tree.ts'
import { bisect } from './bisect.ts'
import { findMarked, type TeamView } from './find-marked.ts'
import { type Dictionaries, FIELD_STARTS_LENGTH, type IndexRows } from './index-rows.ts'
import { addRows, countSlots, postingsOf, termPostingsOf } from './postings.ts'
import { RowSet } from './row-set.ts'

export type RowContext = QueryContext &
  TeamView & {
    /** The rows that the alert profiles of a folded name match. */
    rowsOfProfile?: (index: IndexRows, name: string) => RowSet
    /** The ids of threats that match entries of lists. */
    idsOfLists?: (test: ListedTest) => ReadonlySet<string>
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
    default:
      return testsOf(node, context).reduce(
        (found, test) => found.unite(findByTest(index, test, context, within)),
        new RowSet(index.count),
      )
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

/** The rows that pass one test of a word or field. */
function findByTest(
  index: IndexRows,
  test: QueryTest,
  { marksOf, overdue, rowsOfProfile, idsOfLists }: RowContext,
  within: RowSet | null,
): RowSet {
  const { count, ids } = index
  const filter = (accepts: (id: string) => boolean) => {
    const found = new RowSet(count)
    for (let row = 0; row < count; row++) if (accepts(ids[row] ?? '')) found.add(row)
    return found
  }
  switch (test.kind) {
    case 'country':
      return findTerms(
        index,
        test.codes.map((code) => `country:${code}`),
      )
    case 'level':
      return findTerms(
        index,
        test.levels.map((level) => `severity:${level}`),
      )
    case 'part':
      return findTerms(index, [`has:${test.part}`])
    case 'text':
      return findWords(index, test.wanted, null, within)
    case 'value':
      return isTextName(test.name)
        ? findWords(index, test.wanted, test.name, within)
        : findTerms(index, termsOfName(index, test.name, test.wanted))
    case 'any': {
      if (!isTextName(test.name)) return findTerms(index, termsOfName(index, test.name))
      const found = findNamed(index, test.name).unite(findTerms(index, [`withheld:${test.name}`]))
      // A country has a code, or the name that the vendor gives it, or both.
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
      return findMarked(index, { marksOf, overdue }, test.accepts)
    case 'listed': {
      const found = idsOfLists?.(test)
      return found?.size ? filter((id) => found.has(id)) : new RowSet(count)
    }
    case 'profile':
      return rowsOfProfile?.(index, test.name) ?? new RowSet(count)
  }
}

/** The terms of a name, such as `actor:ashfall`; of values that hold some words if these are given. */
function termsOfName({ dictionaries }: IndexRows, name: string, wanted?: Wanted): string[] {
  const start = `${name}:`
  return dictionaries.terms.words.filter(
    (term) => term.startsWith(start) && (!wanted || holdsWanted(term.slice(start.length), wanted)),
  )
}

/** The rows that have any of some terms. */
export function findTerms(index: IndexRows, wanted: readonly string[]): RowSet {
  const numbers = wanted.flatMap((term) => index.dictionaries.terms.get(term) ?? [])
  return addRows(termPostingsOf(index), numbers, new RowSet(index.count))
}

/** Texts of a row that are looked through alone, and where their starts stand among the row's. */
const FIELDS = { victim: 0, domain: 1, place: 3 } as const
type FieldName = keyof typeof FIELDS

/** A look at all tokens of a row takes as long as to take so many rows from a word's. */
const LOOK_COST = 32

function isTextName(name: string): name is FieldName {
  return Object.hasOwn(FIELDS, name)
}

/** Words next to each other: all but the last, and which may be the last. */
type Phrase = { words: readonly number[]; last: readonly number[]; isLast: ReadonlySet<number> }

/** The rows in which words stand, in any of their texts or in those of one field; of `within` alone where it is given. */
function findWords(
  index: IndexRows,
  wanted: Wanted,
  field: FieldName | null,
  within: RowSet | null = null,
): RowSet {
  const phrase = readPhrase(index.dictionaries, wanted)
  if (!phrase) return new RowSet(index.count)
  const postings = postingsOf(index)
  const rowsOf = (tokens: readonly number[]) => {
    const found = addRows(postings, tokens, new RowSet(index.count))
    return within ? found.intersect(within) : found
  }
  if (phrase.words.length === 0 && field === null && !wanted.isEnd) return rowsOf(phrase.last)
  const needed = [phrase.last, ...phrase.words.map((word) => [word])]
    .map((tokens) => ({ tokens, count: tokens.reduce((sum, token) => sum + countSlots(postings, token), 0) }))
    .toSorted((a, b) => a.count - b.count)
  const least = needed[0]?.count ?? 0
  // Each row that is left is looked at: others that hold all words but one are left out first, unless that takes longer.
  const worthIt = needed.filter(({ count }, at) => at === 0 || count < LOOK_COST * least)
  return worthIt
    .map(({ tokens }) => rowsOf(tokens))
    .reduce((found, other) => found.intersect(other))
    .filter((row) => holdsPhrase(index, row, phrase, { isEnd: wanted.isEnd, field }))
}

/** The rows that have any text of a field. */
function findNamed(index: IndexRows, field: FieldName): RowSet {
  const found = new RowSet(index.count)
  for (let row = 0; row < index.count; row++) {
    const { from, end } = fieldRange(index, row, field)
    if (from < end) found.add(row)
  }
  return found
}

/** Returns the range of a field's tokens. */
function fieldRange({ slots, tokenStarts, fieldStarts }: IndexRows, row: number, field: FieldName) {
  const slot = slots[row] ?? 0
  const start = tokenStarts[slot] ?? 0
  const at = FIELDS[field]
  const place = slot * FIELD_STARTS_LENGTH + at
  const isLast = at === FIELD_STARTS_LENGTH - 1
  return {
    from: start + (fieldStarts[place] ?? 0),
    end: isLast ? (tokenStarts[slot + 1] ?? 0) : start + (fieldStarts[place + 1] ?? 0),
  }
}

/** Null where no row has one of the words. */
function readPhrase(dictionaries: Dictionaries, { keyword, isPrefix }: Wanted): Phrase | null {
  const texts = keyword?.tokens ?? []
  const lastText = texts.at(-1)
  const words = encodePhrase(dictionaries, texts.slice(0, -1))
  if (lastText === undefined || !words) return null
  const last = isPrefix
    ? dictionaries.tokens.startingWith(lastText)
    : (encodePhrase(dictionaries, [lastText]) ?? [])
  return last.length > 0 ? { words, last, isLast: new Set(last) } : null
}

function holdsPhrase(
  index: IndexRows,
  row: number,
  { words, last, isLast }: Phrase,
  { isEnd, field }: { isEnd: boolean; field: FieldName | null },
): boolean {
  const { tokens, tokenStarts, slots } = index
  const first = words[0] ?? (last.length === 1 ? last[0] : undefined)
  const slot = slots[row] ?? 0
  const { from, end } = field
    ? fieldRange(index, row, field)
    : { from: tokenStarts[slot] ?? 0, end: tokenStarts[slot + 1] ?? 0 }
  for (let at = from; at + words.length < end; at++) {
    // Nearly no token is the first one.
    if (first !== undefined && tokens[at] !== first) continue
    const lastAt = at + words.length
    if (!isLast.has(tokens[lastAt] ?? 0) || !standsAt(tokens, words, at, end)) continue
    // Texts are parted by the token 0.
    if (!isEnd || lastAt + 1 === end || tokens[lastAt + 1] === 0) return true
  }
  return false
}

/** A phrase as the numbers of its tokens; null where no row has one of them. */
function encodePhrase({ tokens }: Dictionaries, phrase: readonly string[]): number[] | null {
  const encoded = phrase.flatMap((token) => tokens.get(token) ?? [])
  return encoded.length === phrase.length ? encoded : null
}
