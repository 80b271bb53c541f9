import type { TriageAction } from '#contract/bff/triage.ts'
import type { TriageState } from '#contract/bff/triage-state.ts'

/** The time of an action, and the person who does it. */
export type Mark = { at: string; accountId: string; name: string }

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
