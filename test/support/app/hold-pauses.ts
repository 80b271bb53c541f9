import { onTestFinished, vi } from 'vitest'

const PAUSE_MIN_MS = 1_000
const PAUSE_MAX_MS = 2_000

/**
 * Lets no pause in typing end before the test does, however long a busy machine takes from one key to the next: timers of
 * one to two seconds, which nothing else on the page has, do not fire.
 */
export function holdPauses(): void {
  const { setTimeout: start } = globalThis
  const hold = (run: (...given: unknown[]) => void, ms?: number, ...given: unknown[]) => {
    const isPause = ms !== undefined && ms >= PAUSE_MIN_MS && ms <= PAUSE_MAX_MS
    return start(isPause ? () => undefined : run, ms, ...given)
  }
  vi.stubGlobal('setTimeout', hold)
  onTestFinished(() => {
    vi.unstubAllGlobals()
  })
}
