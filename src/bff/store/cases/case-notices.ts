/** While all claims are compared, a notice comes several times a second, and each makes cached answers and open pages old. */
const APPLIED_EVERY_MS = 2_000

/** Returns a function for each notice that cases have changed: the first is applied at once, those that follow soon together. */
export function createCaseNotices(apply: () => void, everyMs = APPLIED_EVERY_MS): () => void {
  let state: 'idle' | 'applied' | 'waiting' = 'idle'

  function hear(): void {
    if (state !== 'idle') {
      state = 'waiting'
      return
    }
    state = 'applied'
    apply()
    setTimeout(() => {
      const isMore = state === 'waiting'
      state = 'idle'
      if (isMore) hear()
    }, everyMs).unref()
  }

  return hear
}
