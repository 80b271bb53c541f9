import { PARTIAL_FIELDS, type PartialField } from '#contract/bff/threat-list.ts'
import { leavesOf, type QueryValue } from '#matcher/query/query-tree.ts'
import type { Selector } from './filter-rows.ts'
import { findByQuery } from './find-by-query.ts'
import type { IndexRows } from './index-rows.ts'

type Field = PartialField['field']

const counts = new WeakMap<IndexRows, Map<Field, number>>()

/** Fields that a filter or a search uses and that not every row has. */
export function partialFieldsOf(rows: IndexRows, { filter, query }: Selector): PartialField[] {
  const used = new Set<string>(
    Object.entries(filter).flatMap(([name, values]) => (values?.length ? name : [])),
  )
  for (const leaf of leavesOf(query?.tree ?? null)) {
    if (leaf.kind !== 'field') continue
    for (const { text } of leaf.values) used.add(leaf.name === 'has' ? text.toLowerCase() : leaf.name)
  }
  return PARTIAL_FIELDS.filter((field) => used.has(field))
    .map((field) => ({ field, threats: countOf(rows, field), of: rows.count }))
    .filter(({ threats, of }) => threats < of)
}

function countOf(rows: IndexRows, field: Field): number {
  const known = counts.get(rows) ?? new Map<Field, number>()
  counts.set(rows, known)
  const count = known.get(field) ?? countRows(rows, field)
  known.set(field, count)
  return count
}

function countRows(rows: IndexRows, field: Field): number {
  const isPart = field === 'analysis' || field === 'evidence'
  const any: QueryValue = {
    from: 0,
    to: 0,
    text: isPart ? field : '*',
    isQuoted: false,
    isPrefix: false,
    comparison: null,
  }
  const node = { kind: 'field', from: 0, to: 0, name: isPart ? 'has' : field, values: [any] } as const
  return findByQuery(rows, node, NO_CONTEXT).size
}

const NO_CONTEXT = {
  momentsOf: () => ({ start: 0, end: 0 }),
  marksOf: () => undefined,
}
