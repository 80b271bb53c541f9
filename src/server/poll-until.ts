import { setTimeout as sleep } from 'node:timers/promises'

/** Checks again and again, until a check returns something: undefined if none did within `forMs`. A failed check throws. */
export async function pollUntil<T>(
  check: () => Promise<T | false | undefined>,
  { everyMs, forMs }: { everyMs: number; forMs: number },
): Promise<T | undefined> {
  const deadline = performance.now() + forMs
  while (performance.now() < deadline) {
    const found = await check()
    if (found) return found
    await sleep(everyMs)
  }
  return undefined
}
