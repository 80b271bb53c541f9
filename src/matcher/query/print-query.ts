import { SEVERITIES } from '#contract/severity.ts'
import { QUOTES } from './lex-query.ts'
import type { FieldName, FieldNode, QueryNode, QueryValue, WordNode } from './query-tree.ts'
import { valueSign } from './sign-hints.ts'

const OPERATOR = /^(?:and|or|not)$/i
/** Matches values that need no quotation marks. */
const PLAIN_VALUE = /^[^\s(),<>*\\!-][^\s(),*\\]*$/

/** A query as text: what is read from it again means the same. */
export function printQuery(tree: QueryNode | null): string {
  return tree === null ? '' : print(tree)
}

function print(node: QueryNode): string {
  switch (node.kind) {
    case 'word':
      return printWord(node)
    case 'field':
      return printField(node)
    case 'not': {
      const part = within(node.part, ['and', 'or'])
      return node.part.kind === 'not' || part.startsWith('-') ? `NOT ${part}` : `-${part}`
    }
    case 'and':
      return node.parts.map((part) => within(part, ['or'])).join(' ')
    case 'or':
      return node.parts.map(print).join(' OR ')
  }
}

function within(part: QueryNode, kinds: readonly QueryNode['kind'][]): string {
  return kinds.includes(part.kind) ? `(${print(part)})` : print(part)
}

function printWord({ text, isQuoted, isPrefix }: WordNode): string {
  const isWord = isPrefix || !OPERATOR.test(text)
  return !isQuoted && isWord ? text + (isPrefix ? '*' : '') : quoteText(text)
}

export function printField({ name, values }: Pick<FieldNode, 'name' | 'values'>): string {
  return `${name}:${values.map(printValue).join(',')}`
}

export function printValue({ text, isQuoted, isPrefix, comparison }: QueryValue): string {
  return `${comparison ?? ''}${isQuoted ? quoteText(text) : text + (isPrefix ? '*' : '')}`
}

/** A text that stands for itself, whatever it holds. */
export function quoteText(text: string): string {
  return `"${Array.from(text, (character) => (QUOTES.has(character) || character === '\\' ? `\\${character}` : character)).join('')}"`
}

/** A value as it has to be written after a field's colon to stand for itself. */
export function writeValue(text: string, name?: FieldName): string {
  const hasQuote = Array.from(text).some((character) => QUOTES.has(character))
  const isUnknownLevel = name === 'severity' && !SEVERITIES.some((level) => level === text.toLowerCase())
  const isPlain = PLAIN_VALUE.test(text) && !hasQuote && !isUnknownLevel && valueSign(text) === null
  return isPlain ? text : quoteText(text)
}
