import { ApiError } from '#app/api/api-error.ts'
import type { QueryFault } from '#matcher/query/query-tree.ts'

/**
 * What the server refuses of a search, each with its place in the text. Some of it only the server knows: alert profiles
 * of no such name, parts of which no list says anything.
 */
export function searchFaultsOf(error: Error | null): QueryFault[] {
  const fields = error instanceof ApiError ? (error.problem.fields ?? []) : []
  return fields.flatMap(({ name, reason: message, from, to, fix }) =>
    name !== 'q' || from === undefined || to === undefined
      ? []
      : [{ message, from, to, ...(fix !== undefined && { fix }) }],
  )
}
