import { useRouter } from '@tanstack/react-router'
import { createContext, type ReactNode, use, useState } from 'react'
import type { ThreatSearch } from './threat-search.ts'

/** Where in the feed a reader was when they opened a threat. */
export type ListPosition = {
  search: ThreatSearch
  /** The feed's place in the tab's history: how far Back is. */
  historyIndex: number
  /** The threat read last: its row takes the focus on return. */
  threatId: string
}

type FeedPlaceValue = { place: ListPosition | null; setPlace: (place: ListPosition) => void }

const FeedPlaceContext = createContext<FeedPlaceValue>({ place: null, setPlace: () => {} })

/** Stands above the feed and its threats, so that it outlives either. */
export function FeedPlaceProvider({ children }: { children: ReactNode }) {
  const [place, setPlace] = useState<ListPosition | null>(null)
  return <FeedPlaceContext value={{ place, setPlace }}>{children}</FeedPlaceContext>
}

export function useFeedPlace(): FeedPlaceValue {
  return use(FeedPlaceContext)
}

/** How a feed comes back to the row that its reader left it by. */
export type FeedReturn = {
  /** The row that a returning reader left; null for one who comes anew. */
  leftId: string | null
  leaveBy(threatId: string): void
}

export function useFeedReturn(search: ThreatSearch): FeedReturn {
  const { history } = useRouter()
  const { place, setPlace } = useFeedPlace()
  const historyIndex = history.location.state.__TSR_index
  return {
    leftId: place?.historyIndex === historyIndex ? place.threatId : null,
    leaveBy: (threatId) => setPlace({ search, historyIndex, threatId }),
  }
}
