import { type DueClaims, readDueClaims } from '#bff/store/cases/claim-cases.ts'
import { toDueRule } from '#bff/store/cases/due-of-case.ts'
import { readDueTimes } from '#bff/store/cases/due-time-queries.ts'
import type { CaseDue } from '#bff/store/index/due-column.ts'
import type { MarksOf } from '#bff/store/index/mark-column.ts'
import {
  readActivity,
  readMarked,
  readMarksRevision,
  readRevision,
} from '#bff/store/records/triage-queries.ts'
import type { DueTimes } from '#contract/bff/due-time.ts'
import type { Database } from '#database/database.ts'
import type { TeamMarked } from '#matcher/query/query-tests.ts'

/** Times of the team's last action, epoch milliseconds, by threat id. The object is replaced at each change. */
export type ActivityById = ReadonlyMap<string, number>

/** The team's actions on threats, read again after each action. */
export type TeamMarks = {
  /** Returns marks in which no threat is overdue, because that depends on the time. */
  marks(): Promise<MarksOf>
  activity(): Promise<ActivityById>
  /** Returns the claims and hours that decide when cases are due. */
  due(): Promise<CaseDue>
}

export function createTeamMarks(database: Database): TeamMarks {
  const marks = perRevision(
    () => readMarksRevision(database),
    () => readStates(database),
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
  let known: { claims: DueClaims; times: DueTimes; value: CaseDue } | null = null
  // Reads run one at a time, because each adds to the result of the previous one.
  let turn: Promise<unknown> = Promise.resolve()
  async function read(): Promise<CaseDue> {
    const claims = await readDueClaims(database, known?.claims ?? null)
    const [marksOf, times] = await Promise.all([readMarks(), readDueTimes(database)])
    const isSame =
      known?.claims === claims &&
      known.value.marksOf === marksOf &&
      JSON.stringify(known.times) === JSON.stringify(times)
    if (known && isSame) return known.value
    const value = { claims, rule: toDueRule(times), marksOf }
    known = { claims, times, value }
    return value
  }
  return () => {
    const own = turn.then(read)
    turn = own.catch(() => {})
    return own
  }
}

async function readStates(database: Database): Promise<MarksOf> {
  const byId = new Map<string, TeamMarked>()
  for (const { ids, ...marked } of await readMarked(database)) {
    const state = { ...marked, isOverdue: false }
    for (const id of ids) byId.set(id, state)
  }
  return (id) => byId.get(id)
}

/** `read` receives the previous result. */
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
