import { useRouter } from '@tanstack/react-router'
import { createContext, type ReactNode, use, useState } from 'react'
import { useTimeZone } from '#app/ui/preferences.ts'
import type { Grouping } from '#contract/bff/arrangement.ts'
import { listScopeOf, type ThreatListScope, type ThreatSearch } from '../address/threat-search.ts'

/** The user's position in the feed when they opened a threat. */
export type ListPosition = {
  search: ThreatSearch
  /** The feed's index in the tab's history: how far Back is. */
  historyIndex: number
  /** The threat read last: its row takes the focus on return. */
  threatId: string
}

/** The groups of a grouped list whose threats are left out, by their keys. */
type ClosedGroups = { group: Grouping | undefined; keys: string[] | undefined }

type ListPositionValue = {
  position: ListPosition | null
  setPosition: (position: ListPosition) => void
  closed: ClosedGroups | null
  setClosed: (closed: ClosedGroups) => void
}

const ListPositionContext = createContext<ListPositionValue>({
  position: null,
  setPosition: () => {},
  closed: null,
  setClosed: () => {},
})

/** Stands above the feed and its threats, so that it outlives either. */
export function ListPositionProvider({ children }: { children: ReactNode }) {
  const [position, setPosition] = useState<ListPosition | null>(null)
  const [closed, setClosed] = useState<ClosedGroups | null>(null)
  return (
    <ListPositionContext value={{ position, setPosition, closed, setClosed }}>{children}</ListPositionContext>
  )
}

export function useListPosition(): ListPositionValue {
  return use(ListPositionContext)
}

/** The list that a search shows, without the groups that its reader has closed. Another grouping has all of them open. */
export function useListScope(search: ThreatSearch): ThreatListScope {
  const { closed } = useListPosition()
  const scope = listScopeOf(search, useTimeZone())
  return closed?.group === search.group ? { ...scope, closed: closed?.keys } : scope
}

/** How a feed comes back to the row that its reader left it by. */
export type FeedReturn = {
  /** The row that a returning reader left; null for one who comes anew. */
  leftId: string | null
  leaveBy(threatId: string): void
}

export function useFeedReturn(search: ThreatSearch): FeedReturn {
  const { history } = useRouter()
  const { position, setPosition } = useListPosition()
  const historyIndex = history.location.state.__TSR_index
  return {
    leftId: position?.historyIndex === historyIndex ? position.threatId : null,
    leaveBy: (threatId) => setPosition({ search, historyIndex, threatId }),
  }
}
