import { parseQuery } from './parse-query.ts'
import { leavesOf } from './query-tree.ts'

/** Returns where a search asks for overdue cases, as ranges of its text. Alert profiles cannot find these. */
export function findOverdue(text: string): { from: number; to: number }[] {
  return leavesOf(parseQuery(text).tree).flatMap((leaf) =>
    leaf.kind === 'field' && leaf.name === 'is'
      ? leaf.values
          .filter((value) => value.text.toLowerCase() === 'overdue')
          .map(({ from, to }) => ({ from, to }))
      : [],
  )
}
