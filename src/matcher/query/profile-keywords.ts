import { chipsOf } from './edit-query.ts'
import { parseQuery } from './parse-query.ts'
import { conjunctsOf, type QueryNode } from './query-tree.ts'

/**
 * What an alert profile can have of a query: it watches for any of its keywords, so only words that OR joins, or one by
 * itself, mean the same there. Of several such parts it has the first, and then watches for more than the query finds.
 */
export function profileKeywords(text: string): { keywords: readonly string[]; left: readonly string[] } {
  const { tree, faults } = parseQuery(text)
  if (faults.length > 0) return { keywords: [], left: [text] }
  const parts = conjunctsOf(tree).map(wordsOf)
  const first = parts.findIndex((words) => words !== null)
  const left = chipsOf(text).filter((_, at) => at !== first)
  return { keywords: parts[first] ?? [], left: left.map((chip) => chip.text) }
}

function wordsOf(node: QueryNode): readonly string[] | null {
  if (node.kind === 'word') return node.isPrefix ? null : [node.text]
  if (node.kind !== 'or') return null
  const parts = node.parts.map(wordsOf)
  return parts.every((words) => words !== null) ? parts.flat() : null
}
