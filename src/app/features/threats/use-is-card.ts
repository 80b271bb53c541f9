import { useState, useSyncExternalStore } from 'react'
import { rootFontPx } from '#app/ui/root-font-px.ts'

/** The width of the window at which the list has 42 rem, and the frame around it. */
const CARDS_BELOW_REM = 46

/** Whether rows are cards, as the styles have it: asked once for all rows. */
export function useIsCard(): boolean {
  const [belowPx] = useState(() => CARDS_BELOW_REM * rootFontPx())
  return useSyncExternalStore(subscribe, () => innerWidth < belowPx)
}

function subscribe(onResize: () => void): () => void {
  addEventListener('resize', onResize)
  return () => removeEventListener('resize', onResize)
}
