import { countryName, foldCountryName, SHARED_COUNTRY_NAMES } from '#contract/country.ts'
import { parseKeyword } from '#matcher/keyword.ts'
import { checkField } from './check-field.ts'
import { lexQuery, type QueryToken } from './lex-query.ts'
import { nearestName, nearestValue } from './nearest-name.ts'
import { writeValue } from './print-query.ts'
import { findCrossedDays } from './query-days.ts'
import {
  FIELD_NAMES,
  FIELD_SYNONYMS,
  type FieldName,
  findFieldName,
  isAnyValue,
  isPlain,
  leavesOf,
  type ParsedQuery,
  type QueryFault,
  type QueryHint,
  type QueryNode,
  type QueryValue,
  type Span,
} from './query-tree.ts'
import { fixComparedField, fixLedField, signHint } from './sign-hints.ts'

export const QUERY_MAX_LENGTH = 2_000
const DEPTH_MAX = 5
const TERMS_MAX = 50

type Operator = 'and' | 'or' | 'not'
const OPERATORS: ReadonlyMap<string, Operator> = new Map([
  ['and', 'and'],
  ['or', 'or'],
  ['not', 'not'],
])
const NAMED = /^([A-Za-z]+):(?!\/\/)/

/** Names of other tools that are none here, each with what is meant. `fix` takes the place of the name and its colon. */
const OTHER_NAMES: ReadonlyMap<string, { message: string; fix: string }> = new Map([
  [
    'until',
    {
      message: '“until:” is no field. Write “before:”, which ends where its day begins.',
      fix: 'before:',
    },
  ],
  [
    'title',
    {
      message:
        '“title:” is no field. Words are searched for in titles and all other texts: write them alone.',
      fix: '',
    },
  ],
])

/** Reads the query language. Whatever the text is, there is an answer: what has no meaning is reported as a fault. */
export function parseQuery(text: string): ParsedQuery {
  if (text.length > QUERY_MAX_LENGTH) {
    const message = `Use at most ${QUERY_MAX_LENGTH.toLocaleString('en')} characters.`
    return { tree: null, faults: [{ from: QUERY_MAX_LENGTH, to: text.length, message }], hints: [] }
  }
  const tokens = lexQuery(text)
  const tooDeep = findTooDeep(tokens)
  if (tooDeep) return { tree: null, faults: [tooDeep], hints: [] }
  return new Parser(text, tokens).parse()
}

function findTooDeep(tokens: readonly QueryToken[]): QueryFault | null {
  let depth = 0
  for (const { kind, from, to } of tokens) {
    if (kind === 'open') depth++
    if (kind === 'close') depth = Math.max(0, depth - 1)
    if (depth > DEPTH_MAX)
      return { from, to, message: `Use at most ${DEPTH_MAX} parentheses inside each other.` }
  }
  return null
}

/** Words that join others: between two operands in any letter case, and NOT in capitals before one. */
function findOperators(tokens: readonly QueryToken[]): Map<QueryToken, Operator> {
  const found = new Map<QueryToken, Operator>()
  for (const [at, token] of tokens.entries()) {
    const operator = operatorOf(token)
    const [before, next] = [tokens[at - 1], tokens[at + 1]]
    if (!operator || !next || next.kind === 'close' || before?.kind === 'dash') continue
    const joint = before && found.get(before)
    const followsOperand = before !== undefined && before.kind !== 'open' && !joint
    const nextOperator = operatorOf(next)
    if (nextOperator === 'and' || nextOperator === 'or') continue
    const isNot = followsOperand || joint !== undefined || (token.kind === 'word' && token.text === 'NOT')
    if (operator === 'not' ? isNot : followsOperand) found.set(token, operator)
  }
  return found
}

function operatorOf(token: QueryToken): Operator | undefined {
  return token.kind === 'word' && !token.isPrefix ? OPERATORS.get(token.text.toLowerCase()) : undefined
}

class Parser {
  readonly #faults: QueryFault[] = []
  readonly #hints: QueryHint[] = []
  readonly #operators: ReadonlyMap<QueryToken, Operator>
  readonly #text: string
  readonly #tokens: readonly QueryToken[]
  #at = 0
  #depth = 0

  constructor(text: string, tokens: readonly QueryToken[]) {
    this.#text = text
    this.#tokens = tokens
    this.#operators = findOperators(tokens)
  }

  parse(): ParsedQuery {
    const tree = this.#readOr()
    this.#checkCount(tree)
    this.#faults.push(...findCrossedDays(tree, this.#text))
    const inOrder = <Note extends QueryFault>(notes: Note[]) => notes.toSorted((a, b) => a.from - b.from)
    return { tree, faults: inOrder(this.#faults), hints: inOrder(this.#hints) }
  }

  /** A list of words alone may be longer: nothing in it can be misread. */
  #checkCount(tree: QueryNode | null): void {
    const leaves = leavesOf(tree)
    const terms = leaves.flatMap((leaf): readonly Span[] => (leaf.kind === 'word' ? [leaf] : leaf.values))
    const first = terms[TERMS_MAX]
    if (!first || isPlain(tree)) return
    const message = `Use at most ${TERMS_MAX} words and values.`
    this.#faults.push({ from: first.from, to: this.#text.length, message })
  }

  get #operator(): Operator | undefined {
    const token = this.#tokens[this.#at]
    return token && this.#operators.get(token)
  }

  #readOr(): QueryNode | null {
    const parts = [this.#readAnd()]
    while (this.#operator === 'or') {
      this.#hintOperator()
      parts.push(this.#readAnd())
    }
    return join('or', parts)
  }

  #readAnd(): QueryNode | null {
    const parts: (QueryNode | null)[] = []
    for (;;) {
      const token = this.#tokens[this.#at]
      if (!token || this.#operator === 'or') break
      if (token.kind === 'close') {
        if (this.#depth > 0) break
        this.#at++
        this.#faults.push({ ...spanOf(token), message: 'This parenthesis closes none.', fix: '' })
      } else if (this.#operator === 'and') {
        this.#hintOperator()
      } else {
        parts.push(this.#readNot())
      }
    }
    return join('and', parts)
  }

  #readNot(): QueryNode | null {
    const token = this.#tokens[this.#at]
    const isDash = token?.kind === 'dash'
    if (!token || (!isDash && this.#operator !== 'not')) return this.#readOperand()
    if (isDash) this.#at++
    else this.#hintOperator()
    const part = this.#readNot()
    return part && { kind: 'not', from: token.from, to: part.to, part }
  }

  #readOperand(): QueryNode | null {
    const token = this.#tokens[this.#at++]
    switch (token?.kind) {
      case 'open':
        return this.#readGroup(token)
      case 'word':
        return this.#readWord(token)
      case 'phrase':
        return this.#readPhrase(token)
      case 'field':
        return this.#readField(token)
      default:
        return null
    }
  }

  #readGroup({ from }: QueryToken): QueryNode | null {
    this.#depth++
    const tree = this.#readOr()
    this.#depth--
    const close = this.#tokens[this.#at]
    if (close) this.#at++
    else {
      const fix = `${this.#text.slice(from).trimEnd()})`
      const message = 'This parenthesis is not closed.'
      this.#faults.push({ from, to: this.#text.length, message, fix })
    }
    return tree && { ...tree, from, to: close?.to ?? tree.to }
  }

  #readWord(token: Extract<QueryToken, { kind: 'word' }>): QueryNode | null {
    const { text, isPrefix } = token
    const span = spanOf(token)
    const fixed = isPrefix ? fixComparedField(`${text}*`) : fixComparedField(text)
    const dash = this.#dashBefore()
    if (fixed !== null) {
      const message = `Write “${fixed}”. Quote it to search for the text.`
      this.#faults.push({ ...this.#besideDash(fixed, span.from, dash), to: span.to, message })
    }
    const led = fixLedField(text)
    if (led) {
      const message = `Write “${led.fix}” here. Quote it to search for the text.`
      this.#faults.push({ ...this.#besideDash(led.fix, span.from, dash), to: span.from + led.to, message })
      return null
    }
    const [, name] = NAMED.exec(text) ?? []
    const other = OTHER_NAMES.get(name?.toLowerCase() ?? '')
    if (name !== undefined && other) {
      this.#faults.push({ from: token.from, to: token.from + name.length + 1, ...other })
    } else if (name !== undefined) this.#hintName(name, token.from)
    const operator = operatorOf(token)
    if (operator) {
      const message =
        operator === 'not'
          ? '“not” is searched for as a word here. Write NOT or a dash to leave out what follows.'
          : `Write a word on both sides of ${text.toUpperCase()}. Here, “${text}” is searched for as a word.`
      this.#hints.push({ kind: 'word', ...span, message, ...(operator === 'not' && { fix: 'NOT' }) })
    }
    const sign = signHint(text)
    if (sign) this.#hints.push({ kind: 'sign', ...span, ...sign })
    if (!parseKeyword(text)) return sign ? null : this.#unused(token)
    return { kind: 'word', ...span, text, isQuoted: false, isPrefix }
  }

  #readPhrase(token: Extract<QueryToken, { kind: 'phrase' }>): QueryNode | null {
    const { text, isClosed } = token
    const span = spanOf(token)
    if (!isClosed) this.#hintOpen(token)
    if (text.trim() === '') return null
    if (!parseKeyword(text)) return this.#unused(token)
    return { kind: 'word', ...span, text: text.trim(), isQuoted: true, isPrefix: false }
  }

  #readField(token: Extract<QueryToken, { kind: 'field' }>): QueryNode | null {
    const { name, values, gaps, isClosed } = token
    if (!isClosed) this.#hintOpen(token)
    const next = this.#tokens[this.#at]
    for (const { from, to } of gaps) {
      const isOnly = values.length === 0
      const isApart = isOnly && next && (next.kind === 'word' || next.kind === 'phrase')
      if (isApart) {
        const message = `Write the value right after “${name}:”, without a space.`
        this.#faults.push({ from, to: next.from, message, fix: '' })
      } else if (isOnly && next?.kind === 'open') {
        const message = `Write the values of “${name}:” side by side, as in ${name}:one,two.`
        this.#faults.push({ from, to: next.to, message })
      } else {
        const message = isOnly ? `Write a value after “${name}:”.` : 'A value is missing beside this comma.'
        this.#faults.push({ from: isOnly ? token.from : from, to, message })
      }
    }
    this.#faults.push(...checkField({ ...token, dash: this.#dashBefore() }))
    for (const value of values) this.#hintValue(name, value)
    return values.length === 0 ? null : { kind: 'field', ...spanOf(token), name, values }
  }

  /** Position of the dash before the last token, which excludes it; null without one. */
  #dashBefore(): number | null {
    const before = this.#tokens[this.#at - 2]
    return before?.kind === 'dash' ? before.from : null
  }

  /** A fix where a dash may stand before it: two dashes leave nothing out. */
  #besideDash(fix: string, from: number, dash: number | null): { from: number; fix: string } {
    return dash !== null && fix.startsWith('-') ? { from: dash, fix: fix.slice(1) } : { from, fix }
  }

  #hintOperator(): void {
    const token = this.#tokens[this.#at++]
    if (token?.kind !== 'word' || token.text === token.text.toUpperCase()) return
    const { text } = token
    const message = `“${text}” works as ${text.toUpperCase()}. Quote it to search for the word.`
    this.#hints.push({ kind: 'operator', ...spanOf(token), message, fix: `"${text}"` })
  }

  #hintName(name: string, from: number): void {
    const near = nearestName(name, [...FIELD_NAMES, ...FIELD_SYNONYMS.keys()])
    const nearest = near && findFieldName(near)
    const message = `“${name}:” is no field, so it is searched for as text.${nearest ? ` Did you mean “${nearest}:”?` : ''}`
    this.#hints.push({
      kind: 'name',
      from,
      to: from + name.length,
      message,
      ...(nearest && { fix: nearest }),
    })
  }

  #hintValue(name: FieldName, value: QueryValue): void {
    const { from, to, text } = value
    const codes = name === 'country' ? SHARED_COUNTRY_NAMES.get(foldCountryName(text)) : undefined
    if (codes) {
      const names = codes.map((code) => `${code} (${countryName(code)})`).join(' and ')
      const message = `“${text}” is the name of ${names}: all of them are found.`
      this.#hints.push({ kind: 'shared', from, to, message, choices: codes })
      return
    }
    const nearest = value.comparison === null && !isAnyValue(value) ? nearestValue(name, value) : null
    if (nearest === null) return
    const message = `“${text}” is no ${name} that is known here. Did you mean “${nearest}”?`
    this.#hints.push({ kind: 'value', from, to, message, fix: writeValue(nearest) })
  }

  #hintOpen(token: QueryToken): void {
    const fix = `${this.#text.slice(token.from, token.to)}"`
    this.#hints.push({ kind: 'open', ...spanOf(token), message: 'This quotation mark is not closed.', fix })
  }

  #unused(token: QueryToken): null {
    const message = 'This is not used: it holds no letter and no digit.'
    this.#hints.push({ kind: 'unused', ...spanOf(token), message })
    return null
  }
}

function spanOf({ from, to }: QueryToken) {
  return { from, to }
}

/** Operators beside an unused token have no effect. */
function join(kind: 'and' | 'or', given: readonly (QueryNode | null)[]): QueryNode | null {
  const parts = given.filter((part) => part !== null)
  const [first, last] = [parts[0], parts.at(-1)]
  if (!first || !last) return null
  return parts.length === 1 ? first : { kind, from: first.from, to: last.to, parts }
}
