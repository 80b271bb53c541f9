import { DAY_MS } from '#contract/duration.ts'
import { DATA_HEADER, RATE_HEADERS, TRIAL_HEADER } from '#contract/upstream/headers.ts'
import { type OwnService, readOwnService } from './own-service.ts'
import { readEpochMs, readResetWait } from './retry-wait.ts'

/** Reads one response header; a repeated one gives its first value. */
export type ReadHeader = (name: string) => string | undefined

/** Every response reports these facts about the key's budget and the vendor. */
export type RateFacts = {
  limit: number | null
  remaining: number | null
  /** The limit period starts anew after this time. */
  resetWaitMs: number | null
  trialExpiresAt: string | null
  isDemo: boolean
  /** Null for a vendor. */
  own: OwnService | null
}

/** No limit period is longer than a month. */
const RESET_MAX_MS = 31 * DAY_MS

export function readRateFacts(header: ReadHeader, nowMs: number): RateFacts {
  const trialExpiresMs = readEpochMs(header(TRIAL_HEADER))
  const waitMs = readResetWait(header(RATE_HEADERS.reset), vendorNowMs(header, nowMs))
  return {
    limit: countIn(header(RATE_HEADERS.limit)),
    remaining: countIn(header(RATE_HEADERS.remaining)),
    resetWaitMs: waitMs !== null && waitMs >= 0 && waitMs <= RESET_MAX_MS ? waitMs : null,
    trialExpiresAt: trialExpiresMs === null ? null : new Date(trialExpiresMs).toISOString(),
    isDemo: header(DATA_HEADER) === 'demo',
    own: readOwnService(header),
  }
}

/** The vendor's clock where it reports it: its epoch times are by that clock, not by ours. */
export function vendorNowMs(header: ReadHeader, nowMs: number): number {
  return readEpochMs(header('date')) ?? nowMs
}

function countIn(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null
}
