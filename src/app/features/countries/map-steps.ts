/** A class of the map: counts from `from` up to `to`. */
export type MapStep = { from: number; to: number }

const STEPS_MAX_COUNT = 5

/** At most five classes of counts, each some times wider than the one before: most countries have few threats, a few have most. */
export function mapSteps(counts: readonly number[]): MapStep[] {
  const most = Math.max(0, ...counts)
  const ends = Array.from({ length: STEPS_MAX_COUNT }, (_, at) =>
    Math.round(most ** ((at + 1) / STEPS_MAX_COUNT)),
  )
  const distinct = [...new Set(ends.filter((end) => end > 0))]
  return distinct.map((to, at) => ({ from: (distinct[at - 1] ?? 0) + 1, to }))
}

/** Which class a count is in; -1 for none. */
export function stepOf(steps: readonly MapStep[], count: number): number {
  return steps.findIndex(({ from, to }) => count >= from && count <= to)
}
