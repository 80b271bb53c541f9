import { useSyncExternalStore } from 'react'

type WindowRowsOptions = {
  count: number
  /** The height of each row. */
  rowPx: number
  /** Where the first row begins, from the top of the page. */
  topPx: number
  /** How much of the window's top is covered by what sticks there. */
  coveredPx: number
}

type WindowRows = {
  /** The rows in sight: from `first` up to, and without, `end`. */
  first: number
  end: number
  /** Whether a row can be read whole, right now. */
  hasWhole(index: number): boolean
  /** The first row that can be. */
  firstWhole(): number
  scrollToRow(index: number): void
}

/** Which rows of equal height are in sight while the window scrolls. Draws anew only when that changes. */
export function useWindowRows({ count, rowPx, topPx, coveredPx }: WindowRowsOptions): WindowRows {
  const withinList = (index: number) => Math.min(count, Math.max(0, index))
  const first = useSyncExternalStore(subscribe, () => withinList(Math.floor((scrollY - topPx) / rowPx)))
  const end = useSyncExternalStore(subscribe, () =>
    withinList(Math.ceil((scrollY + innerHeight - topPx) / rowPx)),
  )

  // Nothing sticks to the top before the first scroll.
  const topOfSight = () => (scrollY > 0 ? scrollY + coveredPx : 0) - topPx
  const firstWhole = () => withinList(Math.ceil(topOfSight() / rowPx))

  return {
    first,
    end,
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

function subscribe(onChange: () => void): () => void {
  addEventListener('scroll', onChange, { passive: true })
  addEventListener('resize', onChange)
  return () => {
    removeEventListener('scroll', onChange)
    removeEventListener('resize', onChange)
  }
}
