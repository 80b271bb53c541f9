import { DATED_FROM_MS } from '#bff/time/time-range.ts'
import { FACET_NAMES } from '#contract/bff/threat-list.ts'
import { DAY_MS } from '#contract/duration.ts'
import { Dictionary, NumberLists } from './dictionary.ts'
import type { Slices } from './slices.ts'
import type { FieldTexts } from './threat-terms.ts'

/** New ones that come with some days of records: no reason to load anew. */
const SPARE_TOKENS = 100_000
const SPARE_SLOTS = 10_000

/** Number of rows that are compared before the event loop has its turn. */
const SLICE_COUNT = 20_000

/** The facts of a record that are counted and searched. */
export type RowFacts = {
  id: string
  at: number
  terms: readonly string[]
  searchedText: string
  /** Without it, all texts are of one kind. */
  fieldTexts?: FieldTexts
  /** The organisations that it names, in lower case, each once; none unless given. */
  victims?: readonly string[]
}

/** A row has this many field starts: of victims, domains, industries and places, counted from its first token. */
export const FIELD_STARTS_LENGTH = 4

/** Records without a date are sorted by a time that is shifted by this much from that of their neighbours. */
const UNDATED_SHIFT_MS = Date.UTC(2000, 0) - Date.UTC(1000, 0)

/** The time that a row is sorted and counted by. */
export function rowTime(placed: number, isUndated: boolean): number {
  return isUndated ? placed - UNDATED_SHIFT_MS : placed
}

/** The time that decides when a row ages out of it. */
export function placedAt(time: number): number {
  return time < DATED_FROM_MS ? time + UNDATED_SHIFT_MS : time
}

/** The dictionary encoding of all rows, and what it encodes; shared by the rows before and after a change. */
export type Dictionaries = {
  terms: Dictionary
  /** One bit for the name of each term, in the order of `FACET_NAMES`; 0 if the term has no name. */
  termBits: number[]
  /** A term as its first record writes it. */
  termValues: string[]
  tokens: Dictionary
  victims: Dictionary
  /** The number of tokens after the last full load. */
  tokensAtLoad: number
  /** Lists by slot: each version of a record that was ever added has a slot, and keeps it. */
  lists: Record<'terms' | 'tokens' | 'fieldStarts' | 'victims', NumberLists>
}

/** Values that no row has any more stay in their dictionary and slot. Past this size, a full reload is worthwhile. */
export function isOvergrown({
  count,
  slotCount,
  dictionaries: { tokens, tokensAtLoad },
}: IndexRows): boolean {
  return tokens.words.length > 2 * tokensAtLoad + SPARE_TOKENS || slotCount > 2 * count + SPARE_SLOTS
}

export function createDictionaries(): Dictionaries {
  return {
    terms: new Dictionary(),
    termBits: [],
    termValues: [],
    tokens: new Dictionary(['']),
    victims: new Dictionary(),
    tokensAtLoad: 0,
    lists: {
      terms: new NumberLists(),
      tokens: new NumberLists(),
      fieldStarts: new NumberLists(),
      victims: new NumberLists(),
    },
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

/** The stored records, newest first. A change moves rows, and never what their slots hold. */
export type IndexRows = {
  dictionaries: Dictionaries
  count: number
  ids: readonly string[]
  /** Epoch milliseconds, by `rowTime`. */
  at: Float64Array
  /** The slot of each row, which locates its lists. */
  slots: Int32Array
  /** The number of slots when these rows were made. */
  slotCount: number
  /** The terms of slot n are those from `termStarts[n]` on, before `termStarts[n + 1]`; its tokens alike. */
  termStarts: Int32Array
  terms: Int32Array
  tokenStarts: Int32Array
  tokens: Int32Array
  /** `FIELD_STARTS_LENGTH` numbers a slot. */
  fieldStarts: Int32Array
  victimStarts: Int32Array
  victims: Int32Array
}

export function toRows(dictionaries: Dictionaries, facts: readonly RowFacts[]): IndexRows {
  const sorted = facts.toSorted((a, b) => newestFirst(a.at, a.id, b.at, b.id))
  const first = dictionaries.lists.tokens.count
  for (const one of sorted) addSlot(dictionaries, one)
  return {
    ...columnsOf(dictionaries),
    count: sorted.length,
    ids: sorted.map(({ id }) => id),
    at: Float64Array.from(sorted, ({ at }) => at),
    slots: Int32Array.from(sorted, (_, row) => first + row),
  }
}

function columnsOf(dictionaries: Dictionaries) {
  const { terms, tokens, fieldStarts, victims } = dictionaries.lists
  return {
    dictionaries,
    slotCount: tokens.count,
    termStarts: terms.starts,
    terms: terms.numbers,
    tokenStarts: tokens.starts,
    tokens: tokens.numbers,
    fieldStarts: fieldStarts.numbers,
    victimStarts: victims.starts,
    victims: victims.numbers,
  }
}

function addSlot(dictionaries: Dictionaries, facts: RowFacts): void {
  const { terms, searchedText, fieldTexts, victims = [] } = facts
  const { lists } = dictionaries
  for (const victim of victims) lists.victims.push(dictionaries.victims.add(victim))
  lists.victims.end()
  for (const term of terms) lists.terms.push(addTerm(dictionaries, term))
  lists.terms.end()
  const first = lists.tokens.length
  const end = searchedText.endsWith(' ') ? searchedText.length - 1 : searchedText.length
  for (let from = searchedText.startsWith(' ') ? 1 : 0; from <= end; ) {
    const space = searchedText.indexOf(' ', from)
    const to = space < 0 || space > end ? end : space
    lists.tokens.push(dictionaries.tokens.addPart(searchedText, from, to))
    from = to + 1
  }
  lists.tokens.end()
  const own = lists.tokens.numbers.subarray(first, lists.tokens.length)
  for (const start of fieldStartsOf(own, fieldTexts)) lists.fieldStarts.push(start)
  lists.fieldStarts.end()
}

/** Texts are parted by the token 0. The fields are the last of them, in this order. */
function fieldStartsOf(tokens: Int32Array, texts: FieldTexts | undefined): number[] {
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

/** Rows that follow each other in parts. */
export function joinRows(dictionaries: Dictionaries, parts: readonly IndexRows[]): IndexRows {
  return joinRuns(
    dictionaries,
    parts.map((rows) => ({ rows, start: 0, end: rows.count })),
  )
}

/** The rows after a change: newer ones replace those with the same id; what is too old, or not among `stored`, goes. */
export function* mergeRows(
  old: IndexRows,
  newer: IndexRows,
  oldestAt = Number.NEGATIVE_INFINITY,
  stored: ReadonlySet<string> | null = null,
): Slices<IndexRows> {
  const replaced = new Set(newer.ids)
  const runs: Run[] = []
  const take = (rows: IndexRows, row: number) => {
    const id = rows.ids[row] ?? ''
    if (placedAt(rows.at[row] ?? 0) < oldestAt || (rows === old && replaced.has(id))) return
    if (stored?.has(id) === false) return
    const last = runs.at(-1)
    if (last?.rows === rows && last.end === row) last.end++
    else runs.push({ rows, start: row, end: row + 1 })
  }
  let fromNewer = 0
  for (let row = 0; row < old.count; row++) {
    if (row % SLICE_COUNT === SLICE_COUNT - 1) yield
    while (fromNewer < newer.count && isBefore(newer, fromNewer, old, row)) take(newer, fromNewer++)
    take(old, row)
  }
  while (fromNewer < newer.count) take(newer, fromNewer++)
  return joinRuns(old.dictionaries, runs)
}

/** Newest first, and of one moment the last id first. */
export function newestFirst(atA: number, idA: string, atB: number, idB: string): number {
  if (atA !== atB) return atB - atA
  // PostgreSQL compares by bytes too.
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
  const slots = new Int32Array(count)
  let row = 0
  for (const { rows, start, end } of runs) {
    at.set(rows.at.subarray(start, end), row)
    slots.set(rows.slots.subarray(start, end), row)
    row += end - start
  }
  return {
    ...columnsOf(dictionaries),
    count,
    ids: runs.flatMap(({ rows, start, end }) => rows.ids.slice(start, end)),
    at,
    slots,
  }
}

const SAMPLE_MAX_COUNT = 1_000
/** A vendor that gives hours has one in 24 at midnight. */
const SHARE_MIN = 1 / 4
/** Fewer may be chance. */
const MIN_COUNT = 10

/** Returns true if the newest records have a date without a time of day, which is read as midnight UTC. */
export function isDatedByDay({ at, count }: IndexRows): boolean {
  const times = at.subarray(0, Math.min(count, SAMPLE_MAX_COUNT)).filter((time) => time >= DATED_FROM_MS)
  const atMidnight = times.filter((time) => time % DAY_MS === 0).length
  return atMidnight >= MIN_COUNT && atMidnight > times.length * SHARE_MIN
}
