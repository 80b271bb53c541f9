const CAUSES_MAX_DEPTH = 4

/** Describes an error for a log, with its stack and what caused it. */
export function describeError(error: unknown, depth = 0): string {
  if (!(error instanceof Error)) return String(error)
  const own = error.stack ?? `${error.name}: ${error.message}`
  if (error.cause === undefined || depth >= CAUSES_MAX_DEPTH) return own
  return `${own}\ncaused by ${describeError(error.cause, depth + 1)}`
}
