import { setTimeout as sleep } from 'node:timers/promises'
import type { Upstream } from './upstream-client.ts'

/** With what the service itself remembers, and the way to open pages, well under five seconds. */
const LOOK_MS = 1_000

/** Looks for a later version of the source's data until aborted: free, and only where the source tells it uncounted. */
export async function watchData(
  upstream: Pick<Upstream, 'lookForNewData'>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await upstream.lookForNewData()
    await sleep(LOOK_MS, undefined, { signal, ref: false }).catch(() => {})
  }
}
