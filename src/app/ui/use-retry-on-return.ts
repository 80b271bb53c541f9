import { onlineManager } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'

/** An answer may fail to come once, while others do. */
const LEAST_WAIT_MS = 5_000

/** Tries again by itself once Lantern answers; undefined for what no answer can help. */
export function useRetryOnReturn(onRetry: (() => void) | undefined): void {
  const isWanted = onRetry !== undefined
  const retry = useEffectEvent(() => {
    if (onlineManager.isOnline()) onRetry?.()
  })

  useEffect(() => {
    if (!isWanted) return
    const timer = setTimeout(() => retry(), LEAST_WAIT_MS)
    const unsubscribe = onlineManager.subscribe(() => retry())
    return () => {
      clearTimeout(timer)
      unsubscribe()
    }
  }, [isWanted])
}
