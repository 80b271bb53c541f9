/** Asks again only when the last answer is older than `forMs`; a failure leaves the last answer standing. */
export function rememberBriefly(ask: () => Promise<boolean>, forMs: number): () => Promise<boolean> {
  let answer = Promise.resolve(false)
  let askedAt = Number.NEGATIVE_INFINITY
  return () => {
    if (performance.now() - askedAt >= forMs) {
      askedAt = performance.now()
      const last = answer
      answer = ask().catch(() => last)
    }
    return answer
  }
}
