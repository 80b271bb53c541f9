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
