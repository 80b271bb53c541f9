import { type Marked, readActivity, readMarked, readRevision } from '#bff/store/records/triage-queries.ts'
import type { Database } from '#database/database.ts'

export type MarksById = ReadonlyMap<string, Marked>
/**
 * The time of the team's last action on a threat, by its id: epoch milliseconds. The object is replaced at each change.
 */
export type ActivityById = ReadonlyMap<string, number>

/** The team's actions on threats, read again after each action. */
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
