import { type Marked, readActivity, readMarked, readRevision } from '#bff/store/records/triage-queries.ts'
import type { Database } from '#database/database.ts'

export type MarksById = ReadonlyMap<string, Marked>
/** When the team last did something with a threat, by its id: epoch milliseconds. Another object once that is another time. */
export type ActivityById = ReadonlyMap<string, number>

/** What the team has done with threats: read again once anybody has done anything. */
export type TeamMarks = { marks(): Promise<MarksById>; activity(): Promise<ActivityById> }

export function createTeamMarks(database: Database): TeamMarks {
  return {
    marks: perRevision(
      database,
      async (): Promise<MarksById> =>
        new Map((await readMarked(database)).map((marked) => [marked.id, marked])),
    ),
    activity: perRevision(
      database,
      async (known: { revision: number; value: ActivityById } | null): Promise<ActivityById> => {
        const news = await readActivity(database, known?.revision ?? null)
        return new Map([...(known?.value ?? []), ...news.map(({ id, at }) => [id, at] as const)])
      },
    ),
  }
}

/** `read` is given what it has read before. */
function perRevision<Value>(
  database: Database,
  read: (known: { revision: number; value: Value } | null) => Promise<Value>,
): () => Promise<Value> {
  let known: { revision: number; value: Value } | null = null
  return async () => {
    const revision = await readRevision(database)
    if (known?.revision !== revision) known = { revision, value: await read(known) }
    return known.value
  }
}
