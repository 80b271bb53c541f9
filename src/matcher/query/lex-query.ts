import { COMPARISONS, type FieldName, findFieldName, type QueryValue, type Span } from './query-tree.ts'

export type QueryToken = Span &
  (
    | { kind: 'open' | 'close' | 'dash' }
    | { kind: 'word'; text: string; isPrefix: boolean }
    | { kind: 'phrase'; text: string; isClosed: boolean }
    | {
        kind: 'field'
        name: FieldName
        values: readonly QueryValue[]
        gaps: readonly Span[]
        isClosed: boolean
      }
  )

export const QUOTES: ReadonlySet<string> = new Set('"“”„‟«»＂')
const SPACE = /\s/
const NAME = /([A-Za-z]+):/y

/** The text in pieces, in order; what lies between two of them is spaces. */
export function lexQuery(text: string): QueryToken[] {
  const tokens: QueryToken[] = []
  let at = 0
  while (at < text.length) {
    const character = text[at] ?? ''
    if (SPACE.test(character)) {
      at++
      continue
    }
    const token = readToken(text, at)
    tokens.push(token)
    at = token.to
  }
  return tokens
}

function readToken(text: string, from: number): QueryToken {
  const character = text[from] ?? ''
  if (character === '(') return { kind: 'open', from, to: from + 1 }
  if (character === ')') return { kind: 'close', from, to: from + 1 }
  if (character === '-' && negates(text, from + 1)) return { kind: 'dash', from, to: from + 1 }
  if (QUOTES.has(character)) return { kind: 'phrase', ...readQuoted(text, from) }
  NAME.lastIndex = from
  const [given, name = ''] = NAME.exec(text) ?? []
  const known = findFieldName(name)
  if (given !== undefined && known) return readField(text, { from, name: known, start: from + given.length })
  const to = endOfWord(text, from)
  return { kind: 'word', from, to, ...readStar(text.slice(from, to)) }
}

/** A dash leaves out what follows it at once. Two of them are text, as in `--force`. */
function negates(text: string, next: number): boolean {
  const character = text[next]
  return character !== undefined && character !== '-' && character !== ')' && !SPACE.test(character)
}

function readField(
  text: string,
  { from, name, start }: { from: number; name: FieldName; start: number },
): QueryToken {
  const values: QueryValue[] = []
  const gaps: Span[] = []
  let isClosed = true
  let at = start
  for (;;) {
    const { value, isOpen } = readValue(text, at)
    if (value.to > at) values.push(value)
    else gaps.push({ from: at, to: at })
    if (isOpen) isClosed = false
    at = value.to
    if (text[at] !== ',') break
    at++
  }
  return { kind: 'field', from, to: at, name, values, gaps, isClosed }
}

function readValue(text: string, from: number): { value: QueryValue; isOpen: boolean } {
  const comparison = COMPARISONS.find((sign) => text.startsWith(sign, from)) ?? null
  const start = from + (comparison?.length ?? 0)
  if (QUOTES.has(text[start] ?? '')) {
    const { to, text: quoted, isClosed } = readQuoted(text, start)
    const value = { from, to, text: quoted, isQuoted: true, isPrefix: false, comparison }
    return { value, isOpen: !isClosed }
  }
  const to = endOfWord(text, start, ',')
  const value = { from, to, ...readStar(text.slice(start, to)), isQuoted: false, comparison }
  return { value, isOpen: false }
}

/** Any quotation mark closes any other; a backslash before one, or before another, keeps it as text. */
function readQuoted(text: string, from: number): Span & { text: string; isClosed: boolean } {
  let quoted = ''
  for (let at = from + 1; at < text.length; at++) {
    const character = text[at] ?? ''
    const next = text[at + 1] ?? ''
    if (QUOTES.has(character)) return { from, to: at + 1, text: quoted, isClosed: true }
    if (character === '\\' && (next === '\\' || QUOTES.has(next))) {
      quoted += next
      at++
    } else {
      quoted += character
    }
  }
  return { from, to: text.length, text: quoted, isClosed: false }
}

function endOfWord(text: string, from: number, stop = ''): number {
  for (let at = from; at < text.length; at++) {
    const character = text[at] ?? ''
    const isEnd = character === '(' || character === ')' || character === stop
    if (isEnd || QUOTES.has(character) || SPACE.test(character)) return at
  }
  return text.length
}

function readStar(text: string): { text: string; isPrefix: boolean } {
  return text.length > 1 && text.endsWith('*') && !text.endsWith('**')
    ? { text: text.slice(0, -1), isPrefix: true }
    : { text, isPrefix: false }
}
