/** Rate headers report the minute or the day, whichever has the smaller share left. */
export type RateState = {
  limit: number
  remaining: number
  /** Epoch seconds. */
  resetsAt: number
  /** Seconds to wait when the request was one too many; null when it was counted. */
  retryAfterS: number | null
}

export type UsedPeriod = { limit: number; used: number; resetsAt: number }

/** Answers without a key have this state. */
export const NO_RATE: RateState = { limit: 0, remaining: 0, resetsAt: 0, retryAfterS: null }

/** If periods have the same share left, the first is reported: pass the longest first. */
export function rateStateOf(
  periods: readonly UsedPeriod[],
  { now, isRefused }: { now: string; isRefused: boolean },
): RateState {
  const [tightest = { limit: 0, used: 0, resetsAt: 0 }] = periods.toSorted(
    (a, b) => shareLeft(a) - shareLeft(b),
  )
  const { limit, used, resetsAt } = tightest
  return {
    limit,
    // Requests that were counted under a larger plan may exceed a smaller one's limit.
    remaining: Math.max(0, limit - used),
    resetsAt,
    retryAfterS: isRefused ? Math.max(1, Math.ceil(resetsAt - Date.parse(now) / 1000)) : null,
  }
}

function shareLeft({ limit, used }: UsedPeriod): number {
  return Math.max(0, limit - used) / limit
}
