import { parseQuery } from './parse-query.ts'
import { quoteText } from './print-query.ts'
import { conjunctsOf, type FieldName, isAnyValue, type QueryNode } from './query-tree.ts'

/** Keywords and categories of a vendor's profile: any of its keywords, in one of its categories if it names any. */
export type ProfileWords = { keywords: readonly string[]; categories: readonly string[] }

const NAMES: Readonly<Partial<Record<FieldName, string>>> = {
  actor: 'actor',
  country: 'country',
  domain: 'domain',
  industry: 'industry',
  severity: 'severity',
  source: 'source',
  victim: 'victim',
}
const PLAIN_WORD = /^[\p{L}\p{N}]+$/u
const OPERATOR = /^(?:and|or|not)$/i

/** A query as keywords and categories, or what of it such a profile does not have, as a verb: `cannot filter by country`. */
export function readProfileWords(text: string): ProfileWords | { lack: string } {
  const { tree, faults } = parseQuery(text)
  if (faults.length > 0) return { lack: 'needs a search without faults' }
  let keywords: readonly string[] | null = null
  let categories: readonly string[] | null = null
  for (const node of conjunctsOf(tree)) {
    const words = wordsOf(node)
    const named = categoriesOf(node)
    if (words && keywords) return { lack: 'cannot require two words at once' }
    if (named && categories) return { lack: 'cannot require two lists of categories' }
    if (!words && !named) return { lack: lackOf(node) }
    keywords = words ?? keywords
    categories = named ?? categories
  }
  return { keywords: keywords ?? [], categories: categories ?? [] }
}

/** Any of some keywords, as a search. */
export function searchOfKeywords(keywords: readonly string[]): string {
  return keywords
    .map((keyword) => keyword.trim())
    .map((text) => (PLAIN_WORD.test(text) && !OPERATOR.test(text) ? text : quoteText(withoutQuotes(text))))
    .join(' OR ')
}

function withoutQuotes(text: string): string {
  return text.replace(/^["“”„«]+|["“”„»]+$/gu, '')
}

function wordsOf(node: QueryNode): readonly string[] | null {
  if (node.kind === 'word') return node.isPrefix ? null : [node.text]
  if (node.kind !== 'or') return null
  const parts = node.parts.map(wordsOf)
  return parts.every((words) => words !== null) ? parts.flat() : null
}

function categoriesOf(node: QueryNode): readonly string[] | null {
  if (node.kind !== 'field' || node.name !== 'category') return null
  const isPlain = node.values.every((value) => !value.isPrefix && !value.comparison && !isAnyValue(value))
  return isPlain ? node.values.map(({ text }) => text) : null
}

function lackOf(node: QueryNode): string {
  if (node.kind === 'not') return 'cannot exclude anything'
  if (node.kind === 'word') return 'cannot search for parts of words'
  if (node.kind === 'field') return `cannot filter by ${NAMES[node.name] ?? `${node.name}:`}`
  return 'cannot join words in this way'
}
