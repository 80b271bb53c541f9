import { onlineManager } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'

/** Returns true if the server answers, as far as this page knows. */
export function useIsOnline(): boolean {
  return useSyncExternalStore(subscribe, () => onlineManager.isOnline())
}

function subscribe(onChange: () => void): () => void {
  return onlineManager.subscribe(onChange)
}
