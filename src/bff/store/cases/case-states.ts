import { readNamedStates } from '#bff/store/records/triage-queries.ts'
import type { TriageState } from '#contract/bff/triage-state.ts'
import type { Database } from '#database/database.ts'
import { readCaseNews } from './case-news.ts'
import { readDue } from './known-claims.ts'

/**
 * Reads the states of threats with the due times and the news of their cases: those that something was done with, those
 * that are due, and those with news.
 */
export async function readCaseStates(
  db: Database,
  ids: readonly string[],
  readerId: string,
): Promise<TriageState[]> {
  const states = new Map((await readNamedStates(db, ids, readerId)).map((state) => [state.id, state]))
  for (const [id, due] of await readDue(db, ids)) states.set(id, { ...untouched(id), ...states.get(id), due })
  for (const [id, news] of await readCaseNews(db, ids))
    states.set(id, { ...untouched(id), ...states.get(id), news })
  return [...states.values()]
}

function untouched(id: string): TriageState {
  return { id, read: null, starred: null, closed: null, owner: null, notes: 0 }
}
