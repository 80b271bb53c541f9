import { DATED_FROM_MS } from '#bff/time/time-range.ts'
import { FACET_NAMES, type FieldTexts } from './threat-terms.ts'

/** Numbers of a row's signature: a bit for each of its tokens rules out most rows that do not hold a token. */
export const SIGNATURE_LENGTH = 8

/** New ones that come with some days of records: no reason to load anew. */
const SPARE_TOKENS = 100_000

/** What is counted and searched of a record. */
export type RowFacts = {
  id: string
  at: number
  terms: readonly string[]
  searchedText: string
  /** None are told apart unless given. */
  fieldTexts?: FieldTexts
}

/** Of a row's tokens, where its victims, domains, industries and places begin, from its first token on. */
export const FIELD_STARTS_LENGTH = 4

/** How far records without a date are moved from the place that they were given beside their neighbours. */
const UNDATED_SHIFT_MS = Date.UTC(2000, 0) - Date.UTC(1000, 0)

/** The time that a row is sorted and counted by. */
export function rowTime(placed: number, isUndated: boolean): number {
  return isUndated ? placed - UNDATED_SHIFT_MS : placed
}

/** The place in the window that decides when a row ages out of it. */
export function placedAt(time: number): number {
  return time < DATED_FROM_MS ? time + UNDATED_SHIFT_MS : time
}

/** A dictionary encoding: a number stands for each word. */
export class Dictionary {
  readonly #numbers = new Map<string, number>()
  readonly words: string[] = []
  /** Numbers by the first character of their words, as far as they were asked for. */
  readonly #byFirst = new Map<string, number[]>()
  #sorted = 0

  constructor(first: readonly string[] = []) {
    for (const word of first) this.add(word)
  }

  /** The word's number; undefined where no record has it. */
  get(word: string): number | undefined {
    return this.#numbers.get(word)
  }

  /** The numbers of all words that begin with a text. */
  startingWith(text: string): number[] {
    for (; this.#sorted < this.words.length; this.#sorted++) {
      const first = this.words[this.#sorted]?.[0] ?? ''
      const known = this.#byFirst.get(first)
      if (known) known.push(this.#sorted)
      else this.#byFirst.set(first, [this.#sorted])
    }
    const candidates = this.#byFirst.get(text[0] ?? '') ?? []
    return candidates.filter((number) => this.words[number]?.startsWith(text))
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
  /** One bit for the name that a term is a value of, in the order of `FACET_NAMES`; 0 where it is of none. */
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
  const name = FACET_NAMES.findIndex((each) => term.startsWith(`${each}:`))
  termBits[number] ??= name < 0 ? 0 : 1 << name
  return number
}

/** The window's records in columns, newest first: 100,000 of them take some 40 MB, and a look at each some ms. */
export type IndexRows = {
  dictionaries: Dictionaries
  count: number
  ids: readonly string[]
  /** Epoch milliseconds, by `rowTime`. */
  at: Float64Array
  /** The terms of row n are those from `termStarts[n]` on, before `termStarts[n + 1]`; its tokens alike. */
  termStarts: Int32Array
  terms: Int32Array
  tokenStarts: Int32Array
  tokens: Int32Array
  /** `SIGNATURE_LENGTH` numbers a row. */
  signatures: Int32Array
  /** `FIELD_STARTS_LENGTH` numbers a row. */
  fieldStarts: Int32Array
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
    fieldStarts: Int32Array.from(
      sorted.flatMap(({ fieldTexts }, row) => fieldStartsOf(tokens[row] ?? [], fieldTexts)),
    ),
  }
}

/** Texts are parted by the token 0. The fields are the last of them, in this order. */
function fieldStartsOf(tokens: readonly number[], texts: FieldTexts | undefined): number[] {
  const { victims = 0, domains = 0, industries = 0, places = 0 } = texts ?? {}
  const starts: number[] = []
  let at = tokens.length
  let passed = 0
  for (const count of [places, industries, domains, victims]) {
    for (let text = 0; text < count; text++) {
      // Back to before the first token of the text, and over what parts it from the one after.
      at = passed++ === 0 ? at : Math.max(0, at - 1)
      while (at > 0 && tokens[at - 1] !== 0) at--
    }
    starts.unshift(at)
  }
  return starts
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
    if (placedAt(rows.at[row] ?? 0) < oldestAt || (rows === old && replaced.has(rows.ids[row] ?? ''))) return
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
  const fieldStarts = new Int32Array(count * FIELD_STARTS_LENGTH)
  let row = 0
  for (const { rows, start, end } of runs) {
    at.set(rows.at.subarray(start, end), row)
    const own = rows.signatures.subarray(start * SIGNATURE_LENGTH, end * SIGNATURE_LENGTH)
    signatures.set(own, row * SIGNATURE_LENGTH)
    const starts = rows.fieldStarts.subarray(start * FIELD_STARTS_LENGTH, end * FIELD_STARTS_LENGTH)
    fieldStarts.set(starts, row * FIELD_STARTS_LENGTH)
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
    fieldStarts,
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
