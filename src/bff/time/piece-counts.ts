/** Counts of the pieces of a time, oldest first. */
export type PieceCounts = {
  /** Claims of each piece. */
  counts: readonly number[]
  /**
   * Present if cases are counted too. Each claim whose case has an older claim in these pieces is two numbers: its own
   * piece and that of the next older claim.
   */
  repeats?: Int32Array
}

/**
 * Counts each piece: the cases whose first claim since piece `since` is in it, or the claims where cases are not counted.
 * The counts of consecutive pieces from `since` on come to the cases of their time.
 */
export function countsSince({ counts, repeats }: PieceCounts, since: number): readonly number[] {
  if (!repeats) return counts
  const left = counts.slice()
  for (let at = 0; at < repeats.length; at += 2) {
    const piece = repeats[at] ?? 0
    if ((repeats[at + 1] ?? 0) >= since) left[piece] = (left[piece] ?? 0) - 1
  }
  return left
}
