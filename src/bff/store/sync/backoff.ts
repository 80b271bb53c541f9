import { describeFailure, staleReasonOf } from '#bff/upstream/client/to-problem.ts'
import { UpstreamError } from '#bff/upstream/client/upstream-error.ts'
import { HOUR_MS } from '#contract/duration.ts'
import { backOffOf, type PaceFacts, paceOf } from './pace.ts'

const PAUSE_MIN_MS = 1_000
/** A refused cursor counts as this many further failures. */
const REFUSED_FAILURES = 3

/** `newer` polls for new records, `older` fills the store, `recheck` compares stored records with the vendor's list. */
export type CrawlName = 'newer' | 'older' | 'recheck'

/** Counts failures since the last progress. `pausedUntilMs` is elapsed milliseconds; `trouble` is for a person. */
type Backoff = { failures: number; pausedUntilMs: number; trouble: string | null }
export type Backoffs = Readonly<Record<CrawlName, Backoff>>

const NONE: Backoff = { failures: 0, pausedUntilMs: 0, trouble: null }
export const NO_BACKOFF: Backoffs = { newer: NONE, older: NONE, recheck: NONE }

/** `hadCursor` means that a further page was requested. */
type Failure = { error: unknown; hadCursor: boolean }
/** The moment of a failure; elapsed time is by a clock that nobody sets. */
type Moment = PaceFacts & { backoffs: Backoffs; elapsedMs: number }

export function backOff(crawl: CrawlName, { error, hadCursor }: Failure, moment: Moment): Backoffs {
  const { backoffs, nowMs, elapsedMs } = moment
  const before = backoffs[crawl]
  const failures = before.failures + 1
  const paceMs = paceOf(moment)
  const isRefused =
    hadCursor &&
    error instanceof UpstreamError &&
    (error.kind === 'rejected' || (crawl === 'recheck' && error.kind === 'forbidden'))
  // A vendor that refuses its own cursor will do so again.
  const patience = isRefused
    ? { failures: failures + REFUSED_FAILURES, paceMs: HOUR_MS }
    : { failures, paceMs }
  const pausedUntilMs = elapsedMs + pauseAfterFailure(error, { ...patience, nowMs })
  // A comparison that fails leaves records checked up to an earlier moment, which pages show.
  const trouble =
    crawl === 'recheck' ? null : (describeTrouble(error, hadCursor ? crawl : null) ?? before.trouble)
  return { ...backoffs, [crawl]: { failures, pausedUntilMs, trouble } }
}

/** Clears the backoff of a crawl that made progress. */
export function withoutBackoff(before: Backoffs, crawl: CrawlName): Backoffs {
  return { ...before, [crawl]: NONE }
}

/** A crawl goes on no earlier, without a failure. */
export function pauseUntil(before: Backoffs, crawl: CrawlName, pausedUntilMs: number): Backoffs {
  return { ...before, [crawl]: { ...before[crawl], pausedUntilMs } }
}

export function troubleOf({ newer, older }: Backoffs): string | null {
  return newer.trouble ?? older.trouble
}

/** Returns how long to wait after a failure: as long as the error states, or longer after each one. */
export function pauseAfterFailure(
  error: unknown,
  { failures, nowMs, paceMs = 0 }: { failures: number; nowMs: number; paceMs?: number },
): number {
  const retryAtMs = error instanceof UpstreamError ? error.retryAtMs : null
  return retryAtMs === null ? backOffOf(failures, paceMs) : Math.max(PAUSE_MIN_MS, retryAtMs - nowMs)
}

/**
 * Describes what happened and what is shown meanwhile, for a person. `crawl` is given if a further page was requested.
 */
export function describeTrouble(error: unknown, crawl: 'newer' | 'older' | null): string | null {
  if (!(error instanceof UpstreamError))
    return 'Lantern could not keep what it read last. What was read before is shown, and it is tried again by itself.'
  // Waiting for one's turn is no trouble: every page shows how old its answer is.
  if (error.kind === 'saving_calls' || error.kind === 'rate_limited') return null
  if (error.kind === 'rejected') return REFUSED[crawl ?? 'start']
  return staleReasonOf(error) ?? describeFailure(error)
}

const REFUSED: Readonly<Record<'newer' | 'older' | 'start', string>> = {
  start:
    'The vendor refuses the request for its list of threats, so nothing newer is read. What was read before is shown, and it is asked again by itself.',
  newer:
    'The vendor refuses the next page of its own list, so threats between the newest and those read before may be missing. What was read is shown, and the rest is tried again by itself.',
  older:
    'The vendor refuses the next page of its own list, so older threats are missing. New ones are still read and shown, and the rest is tried again by itself.',
}
