import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { Badge } from '#app/ui/badge.tsx'
import { usePageActs } from '#app/ui/page-acts.ts'
import { PersonName } from '#app/ui/person-name.tsx'
import { Time } from '#app/ui/time.tsx'
import { closeReason, type TriageState } from '#contract/bff/triage-state.ts'
import { DueBadge } from './due-note.tsx'
import { OwnerBadge } from './owner-badge.tsx'
import { doneOf, TriageButtons, triageActs } from './triage-buttons.tsx'
import { triageStatesOptions } from './triage-options.ts'
import { useTriage } from './triage-provider.tsx'

/** Shows the state of a page's threat and its actions. Opening the page marks it as read. */
export function ThreatTriage({ id }: { id: string }) {
  const { isAllowed, start, markRead } = useTriage()
  const states = useTriageStates([id])
  const state = states?.get(id)
  const isUnread = states !== undefined && !state?.read
  const markOpened = useEffectEvent(() => {
    if (isAllowed && isUnread) markRead(id)
  })
  const isKnown = states !== undefined
  // Once: a reader who marks it as unread wants it so.
  useEffect(() => {
    if (isKnown) markOpened()
  }, [isKnown])

  usePageActs(() =>
    isAllowed ? triageActs(doneOf(state), 'this threat', (command) => start(command, [id])) : [],
  )

  return (
    <div className="flex min-h-7 flex-wrap items-center gap-x-2 gap-y-1.5 text-muted text-xs">
      {isAllowed && (
        <span className="flex flex-wrap gap-1.5">
          <TriageButtons isLabelled state={state} onCommand={(command) => start(command, [id])} />
        </span>
      )}
      {state?.due && <DueBadge due={state.due} />}
      {state?.owner && <OwnerBadge owner={state.owner} />}
      {state?.starred && <Badge tone="accent">Starred</Badge>}
      {state?.closed && <Badge>Closed: {closeReason(state.closed.reason)}</Badge>}
      {state?.read && (
        <span>
          Read by <PersonName name={state.read.who} />, <Time at={state.read.at} show="age" />
        </span>
      )}
    </div>
  )
}

/** Returns the team's states of these threats by id. Untouched threats are absent. Undefined until it is known. */
export function useTriageStates(ids: readonly string[]): ReadonlyMap<string, TriageState> | undefined {
  const { data, isPlaceholderData } = useQuery(triageStatesOptions(ids))
  return data && !isPlaceholderData ? new Map(data.states.map((state) => [state.id, state])) : undefined
}
