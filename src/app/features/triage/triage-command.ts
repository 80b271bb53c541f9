import type { QueryClient } from '@tanstack/react-query'
import type { TriageAction } from '#contract/bff/triage.ts'
import type { TriageState, TriageStates } from '#contract/bff/triage-state.ts'
import { triageStatesKey } from './triage-options.ts'

/** The command of a button or key. Some need more input, and some depend on the current state. */
export type TriageCommand = 'read' | 'take' | 'assign' | 'star' | 'close' | 'note'

/** A command that a dialog asks about, and the threats it applies to. */
export type TriageRequest = { command: 'assign' | 'close' | 'note'; ids: readonly string[] }

/** The action that a command means for these threats: for several it undoes only what is so for all. A request where a dialog must ask. */
export function actionOf(
  queryClient: QueryClient,
  command: TriageCommand,
  given: readonly string[],
  readerId: string,
): TriageAction | TriageRequest {
  const ids = [...given]
  const done = doneForAll(queryClient, ids)
  switch (command) {
    case 'read':
      return { action: done.read ? 'unread' : 'read', ids }
    case 'take':
      return done.mine ? { action: 'release', ids } : { action: 'assign', ids, ownerId: readerId }
    case 'star':
      return { action: done.starred ? 'unstar' : 'star', ids }
    case 'close':
      return done.closed ? { action: 'reopen', ids } : { command, ids }
    case 'assign':
    case 'note':
      return { command, ids }
  }
}

/** Returns what all these threats have in common, as far as this visit knows. */
export function doneForAll(
  queryClient: QueryClient,
  ids: readonly string[],
): Record<'read' | 'starred' | 'closed' | 'mine', boolean> {
  const states = knownStates(queryClient)
  const isSoForAll = (isSo: (state: TriageState) => boolean) =>
    ids.every((id) => {
      const state = states.get(id)
      return state !== undefined && isSo(state)
    })
  return {
    read: isSoForAll(({ read }) => read !== null),
    starred: isSoForAll(({ starred }) => starred !== null),
    closed: isSoForAll(({ closed }) => closed !== null),
    mine: isSoForAll(({ owner }) => owner?.isMe ?? false),
  }
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
