import { type ReactNode, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { useIsSeen } from './use-is-seen.ts'

type WhenSeenProps = {
  /** As high as what it stands for, so that nothing moves. */
  fallback: ReactNode
  children: ReactNode
}

/** Drawn long before it is seen, what is dear to draw would delay what is seen. */
const AHEAD = '48px'

/** Draws its children once they would be in the viewport, or are to be printed. */
export function WhenSeen({ fallback, children }: WhenSeenProps) {
  const { ref, isSeen } = useIsSeen<HTMLDivElement>(AHEAD)
  const [isOnPaper, setIsOnPaper] = useState(false)

  useEffect(() => {
    // The browser prints what stands there when this returns.
    const draw = () => flushSync(() => setIsOnPaper(true))
    addEventListener('beforeprint', draw)
    return () => removeEventListener('beforeprint', draw)
  }, [])

  return <div ref={ref}>{isSeen || isOnPaper ? children : fallback}</div>
}
