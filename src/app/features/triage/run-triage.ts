import type { QueryClient } from '@tanstack/react-query'
import { sendJson } from '#app/api/send-json.ts'
import { keysOf } from '#app/features/live/live-options.ts'
import { sendOnce } from '#app/ui/send-once.ts'
import { type TriageAction, type TriageChange, triageChangeSchema } from '#contract/bff/triage.ts'
import type { TriageState, TriageStates } from '#contract/bff/triage-state.ts'
import { triageKey, triageStatesKey } from './triage-options.ts'

/** An action, or the end of one that was done before. */
export type TriageRun = { action: TriageAction; undoId?: string }

export type TriageOutcome = { run: TriageRun } & (
  | { change: TriageChange; error: null }
  | { change: null; error: Error }
)

/** Triages threats. The page shows it at once, and takes it back should it fail. */
export async function runTriage(
  queryClient: QueryClient,
  run: TriageRun,
  author: Omit<Mark, 'at'>,
): Promise<TriageOutcome> {
  const mutation = queryClient.getMutationCache().build<TriageChange, Error, TriageRun, void>(queryClient, {
    mutationKey: triageKey,
    mutationFn: send,
  })
  await queryClient.cancelQueries({ queryKey: triageStatesKey })
  const before = queryClient.getQueriesData<TriageStates>({ queryKey: triageStatesKey })
  try {
    // By hand, because a row must answer the key that was pressed, and not the network.
    if (run.undoId === undefined) {
      const mark = { at: new Date().toISOString(), ...author }
      changeStates(queryClient, (states) => applyAction(states, run.action, mark))
    }
    const change = await mutation.execute(run)
    const changed = new Set(change.states.map(({ id }) => id))
    changeStates(queryClient, (states) => [...states.filter(({ id }) => !changed.has(id)), ...change.states])
    return { run, change, error: null }
  } catch (error) {
    for (const [key, states] of before) queryClient.setQueryData(key, states)
    return { run, change: null, error: error instanceof Error ? error : new Error(String(error)) }
  } finally {
    for (const queryKey of keysOf('triage')) queryClient.invalidateQueries({ queryKey })
  }
}

function send({ action, undoId }: TriageRun): Promise<TriageChange> {
  if (undoId !== undefined) return sendJson('triage/undo', triageChangeSchema, { body: { undoId } })
  if (action.action !== 'note') return sendJson('triage', triageChangeSchema, { body: action })
  return sendOnce(action, (body) => sendJson('triage', triageChangeSchema, { body }))
}

function changeStates(
  queryClient: QueryClient,
  update: (states: readonly TriageState[]) => TriageState[],
): void {
  queryClient.setQueriesData<TriageStates>(
    { queryKey: triageStatesKey },
    (old) => old && { states: update(old.states) },
  )
}

/** The time of an action, and the person who does it. */
type Mark = { at: string; accountId: string; name: string }

/** Returns the expected states after an action, as far as this page knows them. */
export function applyAction(states: readonly TriageState[], action: TriageAction, mark: Mark): TriageState[] {
  const acted = new Set(action.ids)
  const before = new Map(states.map((state) => [state.id, state]))
  const others = states.filter(({ id }) => !acted.has(id))
  return [...others, ...action.ids.map((id) => stateAfter(before.get(id) ?? untouched(id), action, mark))]
}

function untouched(id: string): TriageState {
  return { id, read: null, starred: null, closed: null, owner: null, notes: 0 }
}

/** News are what is unread of a case beside what is read. All its claims are read or unread together. */
function withoutNews({ news: _, ...state }: TriageState): TriageState {
  return state
}

/** Whoever read or starred first stays named. The name of another owner comes with the answer. */
function stateAfter(state: TriageState, action: TriageAction, { accountId, name, at }: Mark): TriageState {
  const mark = { at, who: name }
  switch (action.action) {
    case 'read':
      return { ...withoutNews(state), read: state.read ?? mark }
    case 'unread':
      return { ...withoutNews(state), read: null }
    case 'star':
      return { ...state, starred: state.starred ?? mark }
    case 'unstar':
      return { ...state, starred: null }
    case 'close':
      return { ...state, closed: { ...mark, reason: action.reason, text: action.text }, due: undefined }
    case 'reopen':
      return { ...state, closed: null }
    case 'assign':
      return action.ownerId === accountId
        ? { ...state, owner: { ...mark, ownerId: accountId, name, isMe: true, isActive: true } }
        : state
    case 'release':
      return { ...state, owner: null }
    case 'note':
      return { ...state, notes: state.notes + 1 }
  }
}
