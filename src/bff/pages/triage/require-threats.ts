import { notFound } from '#bff/http/problem-error.ts'
import type { ReadThreat } from '#bff/store/details/read-threats.ts'
import { listUnknown } from '#bff/store/records/triage-queries.ts'
import type { ReadRequest } from '#bff/upstream/cache/read-request.ts'
import { orProblem } from '#bff/upstream/client/to-problem.ts'
import type { Database } from '#database/database.ts'

export type TriageDependencies = { database: Database; readThreat: ReadThreat }

/**
 * Throws unless each of these threats exists: triage of any other id would be stored for good. One that no list has named
 * may have been opened by its address, and is requested from the vendor; for many that would cost too many calls.
 */
export async function requireThreats(
  { database, readThreat }: TriageDependencies,
  ids: readonly string[],
  request: ReadRequest,
): Promise<void> {
  const unknown = await listUnknown(database, ids)
  const [first] = unknown
  if (first === undefined) return
  if (unknown.length > 1) {
    throw notFound(
      `No list that Lantern has read names ${unknown.length} of them. Nothing was changed. Reload the list, then try again.`,
      'Some of these threats do not exist',
    )
  }
  await orProblem(() => readThreat(first, null, request))
}
