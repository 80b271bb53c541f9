import type { LiveHub } from '#bff/http/live/live-hub.ts'
import type { Log } from '#bff/http/log.ts'
import type { FindTriggers } from './find-triggers.ts'

/** Publishes the triggers of each change of the window: one search at a time, and only while a page is connected. */
export function createNotifyTriggers(hub: LiveHub, findTriggers: FindTriggers, log: Log): () => void {
  let isLooking = false
  let isWanted = false
  // What was missed while nobody listened is no news any more.
  let isFirstLook = true

  async function look(): Promise<void> {
    isLooking = true
    while (isWanted) {
      isWanted = false
      const triggers = await findTriggers()
      if (triggers.length > 0 && !isFirstLook) hub.publish({ kind: 'alerts', triggers })
      isFirstLook = false
    }
  }

  return () => {
    if (hub.size === 0) {
      isFirstLook = true
      return
    }
    isWanted = true
    if (isLooking) return
    look()
      .catch((error: unknown) => log.error('triggers-not-found', error))
      .finally(() => {
        isLooking = false
      })
  }
}
