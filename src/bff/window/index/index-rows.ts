import { FACET_NAMES } from './threat-terms.ts'

/** Numbers of a row's signature: a bit for each of its tokens rules out most rows that do not hold a token. */
export const SIGNATURE_LENGTH = 8

/** New ones that come with some days of records: no reason to load anew. */
const SPARE_TOKENS = 100_000

/** What is counted and searched of a record. */
export type RowFacts = { id: string; at: number; terms: readonly string[]; searchedText: string }

/** A dictionary encoding: a number stands for each word. */
export class Dictionary {
  readonly #numbers = new Map<string, number>()
  readonly words: string[] = []

  constructor(first: readonly string[] = []) {
    for (const word of first) this.add(word)
  }

  /** The word's number; undefined where no record has it. */
  get(word: string): number | undefined {
    return this.#numbers.get(word)
  }

  add(word: string): number {
    const known = this.#numbers.get(word)
    if (known !== undefined) return known
    // A copy: a part of a string keeps the whole of it in memory.
    const own = Buffer.from(word, 'utf16le').toString('utf16le')
    this.#numbers.set(own, this.words.length)
    return this.words.push(own) - 1
  }
}

/** The dictionary encoding of all rows; shared by the rows before and after a change. */
export type Dictionaries = {
  terms: Dictionary
  /** One bit for the name that a term is a value of, in the order of `FACET_NAMES`. */
  termBits: number[]
  /** A term as its first record writes it. */
  termValues: string[]
  tokens: Dictionary
  /** How many tokens there were when everything was loaded last. */
  tokensAtLoad: number
}

/** Words that no row has any more stay in their dictionary: past this it is worth loading everything again. */
export function isOvergrown({ tokens, tokensAtLoad }: Dictionaries): boolean {
  return tokens.words.length > 2 * tokensAtLoad + SPARE_TOKENS
}

export function createDictionaries(): Dictionaries {
  return {
    terms: new Dictionary(),
    termBits: [],
    termValues: [],
    tokens: new Dictionary(['']),
    tokensAtLoad: 0,
  }
}

/** A term as people write it. */
export function valueOfTerm({ terms, termValues }: Dictionaries, term: number): string {
  return termValues[term] ?? terms.words[term] ?? ''
}

function addTerm({ terms, termBits }: Dictionaries, term: string): number {
  const number = terms.add(term)
  termBits[number] ??= 1 << FACET_NAMES.findIndex((name) => term.startsWith(`${name}:`))
  return number
}

/** The window's records in columns, newest first: 100,000 of them take some 40 MB, and a look at each some ms. */
export type IndexRows = {
  dictionaries: Dictionaries
  count: number
  ids: readonly string[]
  /** Epoch milliseconds. */
  at: Float64Array
  /** The terms of row n are those from `termStarts[n]` on, before `termStarts[n + 1]`; its tokens alike. */
  termStarts: Int32Array
  terms: Int32Array
  tokenStarts: Int32Array
  tokens: Int32Array
  /** `SIGNATURE_LENGTH` numbers a row. */
  signatures: Int32Array
}

/** Where a token's bit is. Tokens are numbered in the order of their first use, so neighbours share no bit. */
export function signatureBit(token: number): { at: number; bit: number } {
  return { at: token & (SIGNATURE_LENGTH - 1), bit: 1 << ((token >>> 3) & 31) }
}

export function toRows(dictionaries: Dictionaries, facts: readonly RowFacts[]): IndexRows {
  const sorted = facts.toSorted((a, b) => newestFirst(a.at, a.id, b.at, b.id))
  const terms = sorted.map((row) => row.terms.map((term) => addTerm(dictionaries, term)))
  const tokens = sorted.map((row) =>
    row.searchedText
      .trim()
      .split(' ')
      .map((token) => dictionaries.tokens.add(token)),
  )
  return {
    dictionaries,
    count: sorted.length,
    ids: sorted.map(({ id }) => id),
    at: Float64Array.from(sorted, ({ at }) => at),
    termStarts: startsOf(terms),
    terms: new Int32Array(terms.flat()),
    tokenStarts: startsOf(tokens),
    tokens: new Int32Array(tokens.flat()),
    signatures: sign(tokens),
  }
}

function sign(tokens: readonly (readonly number[])[]): Int32Array {
  const signatures = new Int32Array(tokens.length * SIGNATURE_LENGTH)
  tokens.forEach((own, row) => {
    for (const token of own) {
      const { at, bit } = signatureBit(token)
      const offset = row * SIGNATURE_LENGTH + at
      signatures[offset] = (signatures[offset] ?? 0) | bit
    }
  })
  return signatures
}

/** Rows that follow each other in parts. */
export function joinRows(dictionaries: Dictionaries, parts: readonly IndexRows[]): IndexRows {
  return joinRuns(
    dictionaries,
    parts.map((rows) => ({ rows, start: 0, end: rows.count })),
  )
}

/** The rows after a change: newer ones replace those with the same id, and what is too old goes. */
export function mergeRows(old: IndexRows, newer: IndexRows, oldestAt = Number.NEGATIVE_INFINITY): IndexRows {
  const replaced = new Set(newer.ids)
  const runs: Run[] = []
  const take = (rows: IndexRows, row: number) => {
    if ((rows.at[row] ?? 0) < oldestAt || (rows === old && replaced.has(rows.ids[row] ?? ''))) return
    const last = runs.at(-1)
    if (last?.rows === rows && last.end === row) last.end++
    else runs.push({ rows, start: row, end: row + 1 })
  }
  let fromNewer = 0
  for (let row = 0; row < old.count; row++) {
    while (fromNewer < newer.count && isBefore(newer, fromNewer, old, row)) take(newer, fromNewer++)
    take(old, row)
  }
  while (fromNewer < newer.count) take(newer, fromNewer++)
  return joinRuns(old.dictionaries, runs)
}

/** Newest first, and of one moment the last id first. */
export function newestFirst(atA: number, idA: string, atB: number, idB: string): number {
  if (atA !== atB) return atB - atA
  // By bytes, as PostgreSQL has them.
  return idA === idB ? 0 : Buffer.compare(Buffer.from(idB), Buffer.from(idA))
}

function isBefore(a: IndexRows, rowA: number, b: IndexRows, rowB: number): boolean {
  const order = newestFirst(a.at[rowA] ?? 0, a.ids[rowA] ?? '', b.at[rowB] ?? 0, b.ids[rowB] ?? '')
  return order < 0
}

/** Rows that follow each other, from one source. */
type Run = { rows: IndexRows; start: number; end: number }

function joinRuns(dictionaries: Dictionaries, runs: readonly Run[]): IndexRows {
  const count = runs.reduce((sum, { start, end }) => sum + end - start, 0)
  const at = new Float64Array(count)
  const signatures = new Int32Array(count * SIGNATURE_LENGTH)
  let row = 0
  for (const { rows, start, end } of runs) {
    at.set(rows.at.subarray(start, end), row)
    const own = rows.signatures.subarray(start * SIGNATURE_LENGTH, end * SIGNATURE_LENGTH)
    signatures.set(own, row * SIGNATURE_LENGTH)
    row += end - start
  }
  const terms = joinLists(count, runs, ({ terms, termStarts }) => [terms, termStarts])
  const tokens = joinLists(count, runs, ({ tokens, tokenStarts }) => [tokens, tokenStarts])
  return {
    dictionaries,
    count,
    ids: runs.flatMap(({ rows, start, end }) => rows.ids.slice(start, end)),
    at,
    termStarts: terms.starts,
    terms: terms.values,
    tokenStarts: tokens.starts,
    tokens: tokens.values,
    signatures,
  }
}

function joinLists(
  count: number,
  runs: readonly Run[],
  listsOf: (rows: IndexRows) => [values: Int32Array, starts: Int32Array],
): { starts: Int32Array; values: Int32Array } {
  const starts = new Int32Array(count + 1)
  let joined = 0
  let length = 0
  for (const { rows, start, end } of runs) {
    const [, from] = listsOf(rows)
    const offset = length - (from[start] ?? 0)
    for (let row = start; row < end; row++) starts[++joined] = (from[row + 1] ?? 0) + offset
    length = starts[joined] ?? 0
  }
  const values = new Int32Array(length)
  length = 0
  for (const { rows, start, end } of runs) {
    const [all, from] = listsOf(rows)
    const run = all.subarray(from[start], from[end])
    values.set(run, length)
    length += run.length
  }
  return { starts, values }
}

function startsOf(lists: readonly (readonly number[])[]): Int32Array {
  const starts = new Int32Array(lists.length + 1)
  lists.forEach((list, at) => {
    starts[at + 1] = (starts[at] ?? 0) + list.length
  })
  return starts
}
