import { onlineManager } from '@tanstack/react-query'
import { noteBuild } from './app-build.ts'

/** After this time without an answer, the app checks whether the server can be reached. */
export const PATIENCE_MS = 800
/** A first sign of life comes soon, or the page says that none came; a slow line is given more. */
const FIRST_SIGN_MS = 800
const LATER_SIGN_MS = 5_000
const STEP_MS = 50
const RETRY_MIN_MS = 500
const RETRY_MAX_MS = 4_000
const LATELY_MS = 3_000
const LOOK_AGAIN_MS = 1_000

// The browser's online state is only a hint: the server may answer while offline is reported, and the reverse.
onlineManager.setEventListener(() => {
  addEventListener('online', followHint)
  addEventListener('offline', followHint)
  return () => {
    removeEventListener('online', followHint)
    removeEventListener('offline', followHint)
  }
})

/** Whoever asks already may hear what was answered before. */
function followHint(): void {
  void (doubt ? doubt.then(doubtConnection) : doubtConnection()).then(lookAgain)
}

/** A first answer may have been on its way when the network went: while the browser reports none, it counts for little. */
function lookAgain(): void {
  if (navigator.onLine || !onlineManager.isOnline()) return
  setTimeout(() => {
    if (!navigator.onLine) void doubtConnection()
  }, LOOK_AGAIN_MS)
}

let doubt: Promise<boolean> | null = null
/** On the page's own clock: the page itself has come from Lantern. */
let heardAt = 0

/** Called when Lantern has answered, with any status. */
export function noteAnswer(): void {
  heardAt = performance.now()
}

export function isHeardLately(): boolean {
  return doubt === null && performance.now() - heardAt < LATELY_MS
}

/**
 * Asks Lantern for a sign of life until there is one, and answers whether it had to be waited for. Meanwhile
 * `onlineManager`, which everybody reads, says how it stands.
 */
export function doubtConnection(): Promise<boolean> {
  doubt ??= untilAnswering().finally(() => {
    doubt = null
  })
  return doubt
}

async function untilAnswering(): Promise<boolean> {
  let waitMs = RETRY_MIN_MS
  let patienceMs = FIRST_SIGN_MS
  while (!(await isAnswering(patienceMs))) {
    onlineManager.setOnline(false)
    await pauseOffline(waitMs)
    waitMs = Math.min(waitMs * 2, RETRY_MAX_MS)
    patienceMs = LATER_SIGN_MS
  }
  noteAnswer()
  if (onlineManager.isOnline()) return false
  onlineManager.setOnline(true)
  // A server that comes back may be a newer one.
  noteBuild()
  return true
}

/** No session is needed for it, and no database. */
async function isAnswering(patienceMs: number): Promise<boolean> {
  const patience = new AbortController()
  const forget = abortAfterSteps(patience, patienceMs)
  try {
    const answer = await fetch('/healthz', { cache: 'no-store', signal: patience.signal })
    // Until its body is read, an answer holds one of the few connections that a browser has to a server.
    await answer.text()
    return answer.ok
  } catch {
    return false
  } finally {
    forget()
  }
}

/**
 * Aborts after a time that the page was free to see an answer in. A page that is busy for a second counts one step of it:
 * the answer may have come meanwhile, and a timer would end the wait before the page sees it.
 */
function abortAfterSteps(controller: AbortController, ms: number): () => void {
  let leftMs = ms
  const timer = setInterval(() => {
    leftMs -= STEP_MS
    if (leftMs <= 0) controller.abort()
  }, STEP_MS)
  return () => clearInterval(timer)
}

/** Ends sooner when the browser has a network again. */
function pauseOffline(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      removeEventListener('online', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    addEventListener('online', end)
  })
}
