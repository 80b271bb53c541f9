import type { Freshness } from '#contract/bff/freshness.ts'

/** What a cache gives for a read, with its age. */
export type CachedAnswer<T> = {
  value: T
  /** Epoch milliseconds. */
  fetchedAtMs: number
  /** How long it may be given again as it is; 0 when it is stale. */
  freshForMs: number
  /** Why it is not current, for a person; null while it is fresh. */
  staleReason: string | null
}

/** An answer, and for how many milliseconds it may be given again. */
export type Timed<T> = { answer: T; freshForMs: number }

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
