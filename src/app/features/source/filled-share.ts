import { millisecondsOf } from '#app/format/time.ts'
import type { WindowState } from '#contract/bff/source.ts'

const WINDOW_MS = 30 * 24 * 60 * 60 * 1000

/** How much of the 30 days is held, in whole percent; never 100 while it fills. */
export function filledShare({ status, from, to }: WindowState): number {
  if (status === 'complete') return 100
  const share = Math.floor(((millisecondsOf(to) - millisecondsOf(from)) / WINDOW_MS) * 100)
  return Number.isNaN(share) ? 0 : Math.min(99, Math.max(0, share))
}
