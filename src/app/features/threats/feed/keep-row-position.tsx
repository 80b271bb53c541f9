import { useEffect, useLayoutEffect, useRef } from 'react'
import type { Threat } from '#contract/bff/threat.ts'
import type { FeedLine } from './grouped-rows.tsx'

type KeepRowPositionProps = {
  threats: readonly Threat[]
  lines: readonly FeedLine[]
  /** The lines in sight: from `first` up to, and without, `end`. */
  first: number
  end: number
  rowPx: number
}

/** Keeps what is read where it is when a further page takes a threat away above it, because it has moved down the list. */
export function KeepRowPosition({ threats, lines, first, end, rowPx }: KeepRowPositionProps) {
  const shown = useRef({ lines, last: threats.at(-1) })
  const scrolledTo = useRef(scrollY)
  useEffect(() => {
    const follow = () => {
      scrolledTo.current = scrollY
    }
    addEventListener('scroll', follow, { passive: true })
    return () => removeEventListener('scroll', follow)
  }, [])
  useLayoutEffect(() => {
    const before = shown.current
    shown.current = { lines, last: threats.at(-1) }
    // Only a further page has another end and the same objects: what is read anew has its own.
    if (before.last === shown.current.last) return
    const line = before.lines.slice(first, end).find((each) => lines.includes(each))
    const moved = line ? lines.indexOf(line) - before.lines.indexOf(line) : 0
    // From where it was: a browser that anchors its scrolling has gone there by itself.
    if (moved !== 0) scrollTo({ top: scrolledTo.current + moved * rowPx })
  })
  return null
}
