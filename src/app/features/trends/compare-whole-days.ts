import type { Trend } from '#contract/bff/trend.ts'

/** The whole days of a trend and the days before them; null unless those are whole as well. Today would only count for less. */
export function compareWholeDays({ days, previous }: Trend): { count: number; previous: number } | null {
  const pairs = days
    .map((day, at) => ({ day, before: previous[at] }))
    .filter(({ day }) => day.coverage === 'whole')
  if (pairs.length === 0 || !pairs.every(({ before }) => before?.coverage === 'whole')) return null
  const sum = (counts: (number | null | undefined)[]) =>
    counts.reduce<number>((total, count) => total + (count ?? 0), 0)
  return {
    count: sum(pairs.map(({ day }) => day.count)),
    previous: sum(pairs.map(({ before }) => before?.count)),
  }
}
