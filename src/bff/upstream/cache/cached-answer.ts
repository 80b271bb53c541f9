import type { Freshness } from '#contract/bff/freshness.ts'

/** A cached answer with its age. */
export type CachedAnswer<T> = {
  value: T
  /** Epoch milliseconds. */
  fetchedAtMs: number
  /** The answer may be cached for this long; 0 when it is stale. */
  freshForMs: number
  /** The answer is not current for this reason, for a person; null while it is fresh. */
  staleReason: string | null
}

/** An answer, and for how many milliseconds it may be given again. */
export type Timed<T> = { answer: T; freshForMs: number | undefined }

/** The freshness of an answer that was made from these cached answers: as old as the oldest of them. */
export function freshnessOf(cachedAnswers: readonly Omit<CachedAnswer<unknown>, 'value'>[]): {
  freshness: Freshness
  freshForMs: number
} {
  const staleReason = cachedAnswers.find((cached) => cached.staleReason !== null)?.staleReason ?? null
  return {
    freshness: {
      fetchedAt: new Date(Math.min(...cachedAnswers.map(({ fetchedAtMs }) => fetchedAtMs))).toISOString(),
      isStale: staleReason !== null,
      staleReason,
    },
    freshForMs: Math.min(...cachedAnswers.map(({ freshForMs }) => freshForMs)),
  }
}
