import { nextPaint } from '#app/ui/next-paint.ts'

const WAIT_MAX_MS = 3_000

/** Prints the page with all of its charts, also those that nobody has scrolled to. */
export async function printMetrics(): Promise<void> {
  // What waits to be seen is drawn for paper; its script may still have to come.
  dispatchEvent(new Event('beforeprint'))
  const start = performance.now()
  do await nextPaint()
  while (document.querySelector('main [aria-busy="true"]') && performance.now() - start < WAIT_MAX_MS)
  globalThis.print()
}
