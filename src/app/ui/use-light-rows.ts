import { useEffect, useState } from 'react'
import type { WindowRows } from './use-window-rows.ts'

/** Number of rows that can be rendered in full within one frame. */
const ROWS_A_FRAME = 6

/**
 * Which rows to draw with the least of them: all while they rush by, and then fewer with each frame, beginning with those
 * in sight. Drawn in full at once, they would hold up the page.
 */
export function useLightRows(rows: WindowRows): (index: number) => boolean {
  const { first, end, drawn, isRushing } = rows
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
