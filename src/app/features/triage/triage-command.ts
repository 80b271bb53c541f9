import type { QueryClient } from '@tanstack/react-query'
import type { TriageState, TriageStates } from '#contract/bff/triage-state.ts'
import { triageStatesKey } from './triage-options.ts'

/** The command of a button or key. Some need more input, and some depend on the current state. */
export type TriageCommand = 'read' | 'star' | 'close' | 'note'

/** A requested command and the threats it applies to. */
export type TriageRequest = { command: TriageCommand; ids: readonly string[] }

type SimpleAction = 'read' | 'unread' | 'star' | 'unstar' | 'reopen'

/** The action that a command means for these threats: for several it undoes only what is so for all. Null where a dialog must ask. */
export function actionOf(
  queryClient: QueryClient,
  command: TriageCommand,
  ids: readonly string[],
): SimpleAction | null {
  const done = doneForAll(queryClient, ids)
  switch (command) {
    case 'read':
      return done.read ? 'unread' : 'read'
    case 'star':
      return done.starred ? 'unstar' : 'star'
    case 'close':
      return done.closed ? 'reopen' : null
    case 'note':
      return null
  }
}

/** Returns what all these threats have in common, as far as this visit knows. */
export function doneForAll(
  queryClient: QueryClient,
  ids: readonly string[],
): Record<'read' | 'starred' | 'closed', boolean> {
  const states = knownStates(queryClient)
  const isSoForAll = (aspect: 'read' | 'starred' | 'closed') =>
    ids.every((id) => states.get(id)?.[aspect] != null)
  return { read: isSoForAll('read'), starred: isSoForAll('starred'), closed: isSoForAll('closed') }
}

/** The states of all threats that this visit has requested, from the newest answer. */
function knownStates(queryClient: QueryClient): Map<string, TriageState> {
  const oldestFirst = queryClient
    .getQueryCache()
    .findAll({ queryKey: triageStatesKey })
    .sort((a, b) => a.state.dataUpdatedAt - b.state.dataUpdatedAt)
  const answers = oldestFirst.map(({ queryKey }) => queryClient.getQueryData<TriageStates>(queryKey))
  return new Map(answers.flatMap((answer) => answer?.states.map((state) => [state.id, state]) ?? []))
}
