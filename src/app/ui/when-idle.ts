import { type ComponentType, lazy } from 'react'

/** At the latest, however busy the page is. */
const MAX_MS = 2_000
/** Delay for browsers without `requestIdleCallback` (Safari). */
const OTHERWISE_MS = 200

/** Resolves once the page has nothing more urgent to do than what may come after its first use. */
export function whenIdle(): Promise<void> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: MAX_MS })
    else setTimeout(resolve, OTHERWISE_MS)
  })
}

/** A part that is not needed for a page's first use: it comes when the page is idle. */
export function lazyWhenIdle<Props>(load: () => Promise<ComponentType<Props>>) {
  return lazy(async () => {
    await whenIdle()
    return { default: await load() }
  })
}

/** A page that is not seen is not painted. */
const UNSEEN_MS = 50

/** Once the browser has shown what stands now, so that a press is answered before what it asks for is drawn. */
export function nextPaint(): Promise<void> {
  return new Promise((resolve) => {
    const unseen = setTimeout(resolve, UNSEEN_MS)
    requestAnimationFrame(() => {
      clearTimeout(unseen)
      // A task of its own: what follows within the frame is still a part of it.
      setTimeout(resolve)
    })
  })
}
