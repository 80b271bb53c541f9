import { useRouter } from '@tanstack/react-router'
import { createContext, type ReactNode, use, useState } from 'react'
import type { ThreatSearch } from './threat-search.ts'

/** Where in the feed a reader was when they opened a threat. */
export type ListPosition = {
  search: ThreatSearch
  /** The feed's index in the tab's history: how far Back is. */
  historyIndex: number
  /** The threat read last: its row takes the focus on return. */
  threatId: string
}

type ListPositionValue = { position: ListPosition | null; setPosition: (position: ListPosition) => void }

const ListPositionContext = createContext<ListPositionValue>({ position: null, setPosition: () => {} })

/** Stands above the feed and its threats, so that it outlives either. */
export function ListPositionProvider({ children }: { children: ReactNode }) {
  const [position, setPosition] = useState<ListPosition | null>(null)
  return <ListPositionContext value={{ position, setPosition }}>{children}</ListPositionContext>
}

export function useListPosition(): ListPositionValue {
  return use(ListPositionContext)
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
