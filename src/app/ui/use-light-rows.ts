import { useEffect, useState } from 'react'
import type { useWindowRows } from './use-window-rows.ts'

/** Number of rows that can be rendered in full within one frame. */
const ROWS_A_FRAME = 6

/**
 * Which rows to draw with the least of them: all while they rush by, and then fewer with each frame, beginning with those
 * in sight. Drawn in full at once, they would hold up the page.
 */
export function useLightRows({
  first,
  end,
  drawn,
  isRushing,
}: Pick<ReturnType<typeof useWindowRows>, 'first' | 'end' | 'drawn' | 'isRushing'>): (
  index: number,
) => boolean {
  const [full, setFull] = useState(Number.POSITIVE_INFINITY)
  if (isRushing && full > 0) setFull(0)
  const isDone = full >= drawn.length

  useEffect(() => {
    if (isRushing || isDone) return
    const frame = requestAnimationFrame(() => setFull(full + ROWS_A_FRAME))
    return () => cancelAnimationFrame(frame)
  }, [isRushing, isDone, full])

  return (index) => !isDone && (index < first ? end - index : index - first) >= full
}
