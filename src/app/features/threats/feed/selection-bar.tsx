import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { countOf } from '#app/format/count.ts'
import { Button } from '#app/ui/button.tsx'
import { useTimeZone } from '#app/ui/preferences.ts'
import { useCopy } from '#app/ui/use-copy.ts'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import { SELECTED_MAX_COUNT } from '../address/threat-search.ts'
import { describeThreats } from '../describe-threats.ts'
import { findKnownThreats } from '../find-known-threats.ts'

type SelectionBarProps = {
  /** Ids of the selected threats, at least one. */
  ids: readonly string[]
  /** Further actions for the selection. */
  children: ReactNode
  onClear(): void
}

const COPY_WORDS = { idle: 'Copy defanged list', copied: 'Copied', failed: 'Could not copy' } as const

/** Floats over the foot of the list while anything is selected. */
export function SelectionBar({ ids, children, onClear }: SelectionBarProps) {
  const queryClient = useQueryClient()
  const timeZone = useTimeZone()
  const { state, copy } = useCopy()
  const copyList = () => copy(describeThreats(ids, findKnownThreats(queryClient, ids), timeZone))
  return (
    <section
      aria-label="Selection"
      className="sticky bottom-4 z-20 mx-auto mt-4 flex w-fit max-w-full flex-wrap items-center gap-1 rounded-lg border border-line bg-raised py-1.5 pr-1.5 pl-3 text-sm shadow-floating"
    >
      <span role="status" className="mr-2 font-medium tabular-nums">
        {countOf(ids.length, 'threat')} selected
        {ids.length >= SELECTED_MAX_COUNT && <span className="text-muted"> · the most at once</span>}
      </span>
      {children}
      <Button size="small" icon={state === 'copied' ? 'check' : 'copy'} onClick={copyList}>
        {COPY_WORDS[state]}
      </Button>
      <VisuallyHidden role="status">{state !== 'idle' && COPY_WORDS[state]}</VisuallyHidden>
      <Button variant="quiet" size="small" onClick={onClear}>
        <span>
          Clear <span className="max-sm:sr-only">selection</span>
        </span>
      </Button>
    </section>
  )
}
