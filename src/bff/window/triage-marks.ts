import { type Marked, readMarked, readRevision } from '#bff/window/store/triage-queries.ts'
import { acceptsTriage } from '#contract/bff/accepts-triage.ts'
import type { TriageFilter } from '#contract/bff/triage-filter.ts'
import type { Database } from '#database/database.ts'

export type AcceptsThreat = (id: string) => boolean

/** Tells for a filter which threats it lets pass, by what the team has done with them so far. */
export type TriageMarks = (filter: TriageFilter) => Promise<AcceptsThreat>

type Marks = { revision: number; byId: ReadonlyMap<string, Marked> }

/** Keeps the marks in memory for as long as nobody, in any process, has done anything. */
export function createTriageMarks(database: Database): TriageMarks {
  let known: Marks | null = null
  return async (filter) => {
    const revision = await readRevision(database)
    const marks =
      known?.revision === revision
        ? known
        : { revision, byId: new Map((await readMarked(database)).map((marked) => [marked.id, marked])) }
    known = marks
    return (id) => acceptsTriage(filter, marks.byId.get(id))
  }
}
