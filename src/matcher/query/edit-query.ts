import { parseQuery } from './parse-query.ts'
import { printField, printQuery, writeValue } from './print-query.ts'
import { conjunctsOf, type FieldName, type FieldNode, type QueryNode } from './query-tree.ts'

/** A part of a query that must hold, as it is shown beside the text: a field's values, or text that is no more than that. */
export type QueryChip =
  | { kind: 'field'; name: FieldName; values: readonly string[]; isNegated: boolean; text: string }
  | { kind: 'raw'; text: string }

/** The parts of a query, in its order. */
export function chipsOf(text: string): QueryChip[] {
  return conjunctsOf(parseQuery(text).tree).map((node) => {
    const field = node.kind === 'not' ? node.part : node
    const own = textOf(node)
    if (field.kind !== 'field') return { kind: 'raw', text: own }
    const values = field.values.map(
      (value) => `${value.comparison ?? ''}${value.text}${value.isPrefix ? '*' : ''}`,
    )
    return { kind: 'field', name: field.name, values, isNegated: node.kind === 'not', text: own }
  })
}

/** Leaves out one part, by its place among the chips. */
export function removeChip(text: string, at: number): string {
  const others = conjunctsOf(parseQuery(text).tree).filter((_, part) => part !== at)
  return others.map(textOf).join(' ')
}

/** Gives a field these values in the place of what it had; none leaves it out. Each stands for itself. */
export function setField(text: string, name: FieldName, values: readonly string[]): string {
  const parts = conjunctsOf(parseQuery(text).tree)
  const at = parts.findIndex((node) => isField(node, name))
  const place = at < 0 ? parts.length : at
  const write = (some: readonly QueryNode[]) => some.filter((node) => !isField(node, name)).map(textOf)
  const written = values.map((value) => writeValue(value, name))
  const clause = written.length > 0 ? [`${name}:${written.join(',')}`] : []
  return [...write(parts.slice(0, place)), ...clause, ...write(parts.slice(place))].join(' ')
}

function isField(node: QueryNode, name: FieldName): node is FieldNode {
  return node.kind === 'field' && node.name === name
}

/** As it is written beside others. */
function textOf(node: QueryNode): string {
  if (node.kind === 'field') return printField(node)
  return node.kind === 'or' ? `(${printQuery(node)})` : printQuery(node)
}
