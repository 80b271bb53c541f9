import { createDueAt, type DueAt, type DueClaims, readDueClaims } from '#bff/store/cases/due-claims.ts'
import { readDueTimes } from '#bff/store/cases/due-time-queries.ts'
import {
  type Marked,
  readActivity,
  readMarked,
  readMarksRevision,
  readRevision,
} from '#bff/store/records/triage-queries.ts'
import type { DueTimes } from '#contract/bff/due-time.ts'
import type { Database } from '#database/database.ts'

/** `isOverdue` depends on the time: filters that need it set it. */
export type MarksById = ReadonlyMap<string, Marked & { isOverdue: boolean }>
/**
 * The time of the team's last action on a threat, by its id: epoch milliseconds. The object is replaced at each change.
 */
export type ActivityById = ReadonlyMap<string, number>

/** The team's actions on threats, read again after each action. */
export type TeamMarks = {
  marks(): Promise<MarksById>
  activity(): Promise<ActivityById>
  /** When cases are due. The function is replaced at each change. */
  due(): Promise<DueAt>
}

export function createTeamMarks(database: Database): TeamMarks {
  const marks = perRevision(
    () => readMarksRevision(database),
    async (): Promise<MarksById> =>
      new Map((await readMarked(database)).map((marked) => [marked.id, { ...marked, isOverdue: false }])),
  )
  return {
    marks,
    due: dueOf(database, marks),
    activity: perRevision(
      () => readRevision(database),
      async (known: { revision: number; value: ActivityById } | null): Promise<ActivityById> => {
        const news = await readActivity(database, known?.revision ?? null)
        return new Map([...(known?.value ?? []), ...news.map(({ id, at }) => [id, at] as const)])
      },
    ),
  }
}

function dueOf(database: Database, readMarks: TeamMarks['marks']): TeamMarks['due'] {
  let known: { claims: DueClaims; marks: MarksById; times: DueTimes; value: DueAt } | null = null
  // One at a time: each adds to what the one before has read.
  let turn: Promise<unknown> = Promise.resolve()
  async function read(): Promise<DueAt> {
    const claims = await readDueClaims(database, known?.claims ?? null)
    const [marks, times] = await Promise.all([readMarks(), readDueTimes(database)])
    const isSame =
      known?.claims === claims &&
      known.marks === marks &&
      JSON.stringify(known.times) === JSON.stringify(times)
    if (known && isSame) return known.value
    const value = createDueAt(claims, times, (id) => marks.get(id)?.isClosed ?? false)
    known = { claims, marks, times, value }
    return value
  }
  return () => {
    const own = turn.then(read)
    turn = own.catch(() => {})
    return own
  }
}

/** `read` is given what it has read before. */
function perRevision<Revision, Value>(
  readRevision: () => Promise<Revision>,
  read: (known: { revision: Revision; value: Value } | null) => Promise<Value>,
): () => Promise<Value> {
  let known: { revision: Revision; value: Value } | null = null
  return async () => {
    const revision = await readRevision()
    if (known?.revision !== revision) known = { revision, value: await read(known) }
    return known.value
  }
}
