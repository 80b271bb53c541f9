import type { Log } from '#bff/http/log.ts'
import type { RestAfter } from '#bff/http/traffic.ts'
import { UpstreamError } from '#bff/upstream/client/upstream-error.ts'
import type { OpenDatabase } from '#database/open-database.ts'
import { type LoopOptions, startLoop } from '#server/start-loop.ts'
import { unlessAborted } from '#server/unless-aborted.ts'
import { describeTrouble, pauseAfterFailure } from './backoff.ts'
import { serveWhenElected } from './election.ts'
import { createReadStep, type ReadStepOptions } from './read-step.ts'
import { readTrouble, writeTrouble } from './sync-state.ts'

/** Longer waits are cut short, so that a changed clock is noticed. */
const WAIT_MAX_MS = 600_000
/** If calls cost nothing, the next page is read at once. A step without result still leaves time to others. */
const WAIT_MIN_MS = 5

export type SyncOptions = Omit<ReadStepOptions, 'database' | 'source' | 'keys' | 'onFailure' | 'signal'> & {
  database: OpenDatabase
  log: Log
  /** Names the vendor's address. */
  source: string
  /** Names the keys as they are now. */
  keys?: () => string
  /** Goes on beside the reading, as long as this process leads. */
  beside?: (signal: AbortSignal) => Promise<void>
  /** The time that a step leaves to people who are answered. */
  restAfter?: RestAfter
  /** Passes the time between two steps, or until its signal aborts. */
  pause?: LoopOptions['pause']
}

/** Keeps stored threats in step with the vendor, in whichever process is elected. Nothing it meets ends the process. */
export function startSync({
  log,
  source,
  keys,
  pause,
  restAfter = () => 0,
  beside,
  ...options
}: SyncOptions) {
  const { database, clock } = options
  const closing = new AbortController()
  let term = new AbortController()
  let failures = 0

  async function serve(signal: AbortSignal): Promise<void> {
    log.info('sync-elected')
    const aside = beside?.(signal)
    while (!signal.aborted) await readSource(AbortSignal.any([signal, term.signal]))
    await aside
  }

  async function readSource(signal: AbortSignal): Promise<void> {
    const upstream = whileLeading(options.upstream, signal)
    const named = { source, keys: keys?.() ?? null }
    const step = createReadStep({ ...options, ...named, upstream, onFailure: report, signal })
    async function readOn(): Promise<number> {
      const startedMs = clock.elapsedMs()
      const waitMs = await step().then(
        (wait) => {
          failures = 0
          return wait
        },
        (error: unknown) => (signal.aborted ? 0 : waitAfterFailure(error)),
      )
      const leastMs = Math.max(WAIT_MIN_MS, restAfter(clock.elapsedMs() - startedMs))
      return Math.min(Math.max(waitMs, leastMs), WAIT_MAX_MS)
    }
    await startLoop(readOn, { everyMs: WAIT_MIN_MS, signal, pause, onFault: report }).ended
  }

  async function waitAfterFailure(error: unknown): Promise<number> {
    failures++
    report(error)
    await storeTrouble(error).catch((failure: unknown) => log.error('window-trouble-not-stored', failure))
    return pauseAfterFailure(error, { failures, nowMs: clock.nowMs() })
  }

  function report(error: unknown): void {
    if (error instanceof UpstreamError) log.warn('window-not-read', { reason: error.message })
    else log.error('window-not-read', error)
  }

  async function storeTrouble(error: unknown): Promise<void> {
    const trouble = error instanceof UpstreamError ? describeTrouble(error, null) : null
    if (trouble !== null && (await readTrouble(database, source)) !== trouble)
      await writeTrouble(database, source, trouble)
  }

  const serving = serveWhenElected({
    pool: database.pool,
    signal: closing.signal,
    serve,
    onError: (error) => log.error('window-election-failed', error),
  })
  return {
    /** Goes on with the keys as they are now: what is under way with those before is left. */
    restart(): void {
      failures = 0
      term.abort()
      term = new AbortController()
    },
    async close(): Promise<void> {
      closing.abort()
      await serving
    },
  }
}

export type Sync = ReturnType<typeof startSync>

/**
 * Nobody waits for a call that is under way when the leadership, or its source, ends: the step ends there, and writes nothing
 * after its successor has begun. What it is writing by then is waited for.
 */
function whileLeading(
  upstream: ReadStepOptions['upstream'],
  signal: AbortSignal,
): ReadStepOptions['upstream'] {
  return {
    ...upstream,
    async call(...args) {
      signal.throwIfAborted()
      return unlessAborted(upstream.call(...args), signal, () => new Error('The leadership has ended'))
    },
  }
}
