const AWAY_AFTER_MS = 5 * 60_000
const SIGNS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const

type WatchPresenceOptions = { signal: AbortSignal; onReturn(): void }

/** Tells whether somebody is at the page: it is in sight, and was touched within five minutes. */
export function watchPresence({ signal, onReturn }: WatchPresenceOptions): () => boolean {
  let lastSign = performance.now()
  const isWatched = () =>
    document.visibilityState === 'visible' && performance.now() - lastSign < AWAY_AFTER_MS

  const notice = () => {
    const wasAway = performance.now() - lastSign >= AWAY_AFTER_MS
    lastSign = performance.now()
    if (wasAway) onReturn()
  }
  for (const sign of SIGNS) document.addEventListener(sign, notice, { signal, passive: true })
  document.addEventListener(
    'visibilitychange',
    () => {
      if (document.visibilityState !== 'visible') return
      lastSign = performance.now()
      onReturn()
    },
    { signal },
  )
  return isWatched
}
