import { type RefObject, useEffect, useRef, useState, useSyncExternalStore } from 'react'

type WindowRowsOptions = {
  count: number
  /** The height of each row: it grows with the reader's text. */
  rowRem: number
  /** How much of the viewport's top is covered by what sticks there. */
  coveredPx: number
  /** Stays drawn, however far it is: a lost focus starts again at the top. -1 where there is none. */
  pinned: number
}

type WindowRows = {
  /** The element that contains the rows. */
  body: RefObject<HTMLTableSectionElement | null>
  bodyStyle: { height: number; paddingTop: number }
  /** The rows to draw, in their order. */
  drawn: readonly number[]
  /** Null for a row that stands below the drawn ones before it; the distance from the top for one that is kept afar. */
  topOf(index: number): number | null
  rowPx: number
  /** The rows in sight: from `first` up to, and without, `end`. */
  first: number
  end: number
  /** Rows pass by faster than they can be read. */
  isRushing: boolean
  /** Returns true if the whole row is in sight. */
  hasWhole(index: number): boolean
  /** The first row that can be. */
  firstWhole(): number
  scrollToRow(index: number): void
}

const OVERSCAN_ROWS = 8
/** Part of the viewport's height per frame. Faster scrolling makes rows unreadable. */
const RUSH_SHARE = 0.5
/** A step alone is a jump to where somebody means to read. */
const RUSH_STEPS = 2
const REST_MS = 150

/**
 * Which rows of equal height are in sight while the page scrolls. Draws anew only when that changes. The rows stand in
 * the page's flow, below a space for those that are not drawn: a style of its own costs each row most of its drawing.
 */
export function useWindowRows({ count, rowRem, coveredPx, pinned }: WindowRowsOptions): WindowRows {
  const body = useRef<HTMLTableSectionElement>(null)
  const placedPx = useTopOf(body)
  const topPx = placedPx ?? 0
  const [remPx] = useState(rootFontPx)
  const rowPx = rowRem * remPx
  const [{ read, isRushing: readRush, subscribe }] = useState(createSight)
  const withinList = (index: number) => Math.min(count, Math.max(0, index))
  const first = useSyncExternalStore(subscribe, () => withinList(Math.floor((read().top - topPx) / rowPx)))
  const end = useSyncExternalStore(subscribe, () => withinList(Math.ceil((read().bottom - topPx) / rowPx)))
  const isRushing = useSyncExternalStore(subscribe, readRush)

  const from = withinList(first - OVERSCAN_ROWS)
  // Until it is known where the list begins, it counts from the page's top: those rows are more than there is room for.
  const to = withinList(end + (placedPx === null ? 0 : OVERSCAN_ROWS))
  const inFlow = Array.from({ length: to - from }, (_, offset) => from + offset)
  const isAfar = pinned >= 0 && pinned < count && (pinned < from || pinned >= to)

  // Nothing sticks to the top before the first scroll.
  const topOfSight = () => (scrollY > 0 ? scrollY + coveredPx : 0) - topPx
  const firstWhole = () => withinList(Math.ceil(topOfSight() / rowPx))

  return {
    body,
    bodyStyle: { height: count * rowPx, paddingTop: from * rowPx },
    drawn: isAfar ? [...inFlow, pinned].sort((a, b) => a - b) : inFlow,
    topOf: (index) => (isAfar && index === pinned ? index * rowPx : null),
    rowPx,
    first,
    end,
    isRushing,
    firstWhole,
    hasWhole: (index) => index >= firstWhole() && (index + 1) * rowPx <= scrollY + innerHeight - topPx,
    // As little as needed, with one row more below, so that a reader sees what comes next.
    scrollToRow(index) {
      const top = topPx + index * rowPx
      const highest = top - coveredPx
      const lowest = top + 2 * rowPx - innerHeight
      if (scrollY > highest) scrollTo({ top: highest })
      else if (scrollY < lowest) scrollTo({ top: lowest })
    },
  }
}

/** Content above the list can change its height at any time: chips, banners, a line that wraps. */
function useTopOf(body: RefObject<HTMLElement | null>): number | null {
  const [topPx, setTopPx] = useState<number | null>(null)
  useEffect(() => {
    // After the page is laid out, the first time as well: to ask in between would lay it out twice.
    const observer = new ResizeObserver(() => {
      const top = (body.current?.getBoundingClientRect().top ?? 0) + scrollY
      setTopPx((before) => (before === null || Math.abs(top - before) > 1 ? top : before))
    })
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [body])
  return topPx
}

/** The part of the page in the viewport, as of its last event: to ask after rows were drawn would lay them out at once. */
function createSight() {
  let sight = look()
  /** How many steps in a row were fast, up to now. */
  let fastSteps = 0
  let restTimer: ReturnType<typeof setTimeout> | undefined
  const lookers = new Set<() => void>()

  function lookAgain(): void {
    const { top } = sight
    sight = look()
    fastSteps = Math.abs(sight.top - top) > RUSH_SHARE * innerHeight ? fastSteps + 1 : 0
    clearTimeout(restTimer)
    if (fastSteps > 0) restTimer = setTimeout(rest, REST_MS)
    for (const onChange of lookers) onChange()
  }

  function rest(): void {
    fastSteps = 0
    for (const onChange of lookers) onChange()
  }

  return {
    read: () => sight,
    isRushing: () => fastSteps >= RUSH_STEPS,
    subscribe(onChange: () => void): () => void {
      lookers.add(onChange)
      if (lookers.size === 1) {
        addEventListener('scroll', lookAgain, { passive: true })
        addEventListener('resize', lookAgain)
      }
      return () => {
        lookers.delete(onChange)
        if (lookers.size > 0) return
        clearTimeout(restTimer)
        fastSteps = 0
        removeEventListener('scroll', lookAgain)
        removeEventListener('resize', lookAgain)
      }
    },
  }
}

function look() {
  return { top: scrollY, bottom: scrollY + innerHeight }
}

/** Returns the size of 1rem in pixels. It grows with the user's text size. */
function rootFontPx(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16
}

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
