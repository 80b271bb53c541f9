/** What is older is not shown any more, whatever keeps newer data away. */
export const STALE_MAX_MS = 24 * 3_600_000
