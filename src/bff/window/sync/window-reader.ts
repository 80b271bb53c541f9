import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '#bff/http/log.ts'
import { unlessAborted } from '#bff/vendor/cache/unless-aborted.ts'
import { describeFailure, staleReasonOf } from '#bff/vendor/client/to-problem.ts'
import { UpstreamError } from '#bff/vendor/client/upstream-error.ts'
import type { OpenDatabase } from '#database/open-database.ts'
import { serveWhenElected } from './election.ts'
import { readTrouble, writeTrouble } from './reach.ts'
import { createReadStep, type ReadStepOptions } from './read-step.ts'

const BACK_OFF_FIRST_MS = 2_000
const BACK_OFF_MAX_MS = 300_000
/** Longer waits are cut, so that a changed clock is noticed. */
const WAIT_MAX_MS = 600_000
const WAIT_MIN_MS = 50

export type WindowReaderOptions = Omit<ReadStepOptions, 'database'> & { database: OpenDatabase; log: Log }

/** Keeps the window in step with the vendor, in whichever process is elected. Nothing it meets ends the process. */
export function startWindowReader({ log, ...options }: WindowReaderOptions): { close(): Promise<void> } {
  const { database, clock, source } = options
  const closing = new AbortController()
  let failures = 0

  async function serve(signal: AbortSignal): Promise<void> {
    log.info('window-reader-elected')
    const step = createReadStep({ ...options, upstream: whileInOffice(options.upstream, signal) })
    while (!signal.aborted) {
      const waitMs = await step().then(
        (wait) => {
          failures = 0
          return wait
        },
        (error: unknown) => (signal.aborted ? 0 : waitAfterFailure(error)),
      )
      const pauseMs = Math.min(Math.max(waitMs, WAIT_MIN_MS), WAIT_MAX_MS)
      await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => {})
    }
  }

  async function waitAfterFailure(error: unknown): Promise<number> {
    failures++
    const backOffMs = Math.min(BACK_OFF_MAX_MS, BACK_OFF_FIRST_MS * 2 ** Math.min(failures - 1, 10))
    if (!(error instanceof UpstreamError)) {
      log.error('window-not-read', error)
      return backOffMs
    }
    log.warn('window-not-read', { reason: error.message })
    await tellTrouble(error).catch((failure: unknown) => log.error('window-trouble-not-told', failure))
    return error.retryAtMs === null ? backOffMs : error.retryAtMs - clock.nowMs()
  }

  /** Waiting for one's turn is no trouble: the reader of the window sees how old it is. */
  async function tellTrouble(error: UpstreamError): Promise<void> {
    if (error.kind === 'saving_calls' || error.kind === 'rate_limited') return
    const trouble = staleReasonOf(error) ?? describeFailure(error)
    if ((await readTrouble(database, source)) !== trouble) await writeTrouble(database, source, trouble)
  }

  const serving = serveWhenElected({
    pool: database.pool,
    signal: closing.signal,
    serve,
    onError: (error) => log.error('window-election-failed', error),
  })
  return {
    async close() {
      closing.abort()
      await serving
    },
  }
}

/**
 * Nobody waits for a call that is under way when the office ends: the step ends there, and writes nothing after its
 * successor has begun. What it is writing by then is waited for.
 */
function whileInOffice(
  upstream: ReadStepOptions['upstream'],
  signal: AbortSignal,
): ReadStepOptions['upstream'] {
  return {
    ...upstream,
    async call(...asked) {
      signal.throwIfAborted()
      return unlessAborted(upstream.call(...asked), signal, () => new Error('The office has ended'))
    },
  }
}
