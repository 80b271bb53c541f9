import { useQuery } from '@tanstack/react-query'
import type { TriageState } from '#contract/bff/triage-state.ts'
import { triageStatesOptions } from './triage-options.ts'

/** What the team has done with these threats, by id: only those that something was done with. Undefined until it is known. */
export function useTriageStates(ids: readonly string[]): ReadonlyMap<string, TriageState> | undefined {
  const { data, isPlaceholderData } = useQuery(triageStatesOptions(ids))
  return data && !isPlaceholderData ? new Map(data.states.map((state) => [state.id, state])) : undefined
}
