import { setTimeout as sleep } from 'node:timers/promises'

export type Loop = {
  /** Ends the pause, or the next one if a run is under way. */
  wake(): void
  /** Starts no other run, and waits for the one under way. */
  stop(): Promise<void>
  /** Resolves when the loop has ended. Never rejects. */
  ended: Promise<void>
}

export type LoopOptions = {
  /** The pause between two runs, in milliseconds. A run that returns a number sets the next pause. */
  everyMs: number
  /** The pause after a run that failed; `everyMs` unless given. */
  afterFaultMs?: number
  /** Ends the loop, as `stop` does. */
  signal?: AbortSignal
  /** Passes the time between two runs, or until its signal aborts. Tests pass it faster. */
  pause?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined
  /** Receives the first error of runs that fail one after another. Errors after the end are not reported. */
  onFault(error: unknown): void
}

/** Runs a background task at once, and again after each pause, until it is stopped. It does not keep the process alive. */
export function startLoop(
  run: (signal: AbortSignal) => Promise<number> | Promise<void>,
  { everyMs, afterFaultMs = everyMs, signal, pause: pass = pause, onFault }: LoopOptions,
): Loop {
  const closing = new AbortController()
  let pausing = new AbortController()
  let isFailing = false

  function end(): void {
    closing.abort()
    pausing.abort()
  }

  async function attempt(): Promise<number> {
    try {
      const pauseMs = await run(closing.signal)
      isFailing = false
      return pauseMs ?? everyMs
    } catch (error) {
      if (!isFailing && !closing.signal.aborted) onFault(error)
      isFailing = true
      return afterFaultMs
    }
  }

  async function go(): Promise<void> {
    while (!closing.signal.aborted) {
      pausing = new AbortController()
      await pass(await attempt(), pausing.signal)
    }
    signal?.removeEventListener('abort', end)
  }

  if (signal?.aborted) end()
  signal?.addEventListener('abort', end)
  const ended = go()
  return {
    wake: () => pausing.abort(),
    stop() {
      end()
      return ended
    },
    ended,
  }
}

/** Waits for some milliseconds, or until the signal aborts. Never rejects, and does not keep the process alive. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal, ref: false }).catch(() => {})
}
