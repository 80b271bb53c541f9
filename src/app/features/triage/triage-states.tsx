import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useDebouncedValue } from '#app/ui/use-debounced-value.ts'
import type { TriageState } from '#contract/bff/triage-state.ts'
import { triageStatesOptions } from './triage-options.ts'

type TriageStatesProps = {
  ids: readonly string[]
  /** Draws with what the team has done, by id; empty until it is known. */
  children(states: ReadonlyMap<string, TriageState>): ReactNode
}

const REST_MS = 150

/** Asks when the scrolling rests: rows that only pass by need no marks. */
export function TriageStates({ ids, children }: TriageStatesProps) {
  const key = useDebouncedValue(ids.join(' '), REST_MS)
  const { data } = useQuery(triageStatesOptions(key === '' ? [] : key.split(' ')))
  return children(new Map(data?.states.map((state) => [state.id, state])))
}
