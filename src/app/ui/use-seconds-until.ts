import { useEffect, useState } from 'react'
import { type Instant, millisecondsOf } from '#app/format/time.ts'

const TICK_MS = 1000

/** Counts down to a time; 0 when it is past, or no time. Key the component to start anew. */
export function useSecondsUntil(end: Instant): number {
  const [now, setNow] = useState(Date.now)
  const secondsLeft = Math.max(0, Math.ceil((millisecondsOf(end) - now) / TICK_MS)) || 0
  const isWaiting = secondsLeft > 0

  useEffect(() => {
    if (!isWaiting) return
    const timer = setInterval(() => setNow(Date.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [isWaiting])

  return secondsLeft
}
