import { setTimeout as sleep } from 'node:timers/promises'
import type { Upstream } from './upstream-client.ts'

/** With the service's own cache and the notice to open pages, a change shows well under five seconds. */
const LOOK_MS = 1_000

/** Polls for a later version of the source's data until aborted, if the source does not count that. */
export async function watchData(upstream: Upstream, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await upstream.lookForNewData()
    await sleep(LOOK_MS, undefined, { signal, ref: false }).catch(() => {})
  }
}
