import { useSyncExternalStore } from 'react'

const TICK_MS = 15_000

const listeners = new Set<() => void>()
let now = Date.now()
let timer: ReturnType<typeof setInterval> | undefined

/** The time, renewed every quarter of a minute by one timer for all who watch. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, readNow)
}

function subscribe(onTick: () => void): () => void {
  listeners.add(onTick)
  timer ??= setInterval(tick, TICK_MS)
  return () => {
    listeners.delete(onTick)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

function readNow(): number {
  // Nobody watched for a while: the last tick is too old to show.
  if (!timer) now = Math.max(now, Math.floor(Date.now() / TICK_MS) * TICK_MS)
  return now
}

function tick() {
  now = Date.now()
  for (const onTick of listeners) onTick()
}
