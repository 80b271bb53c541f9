import { count } from '#app/format/count.ts'

export type Comparison = {
  kind: 'up' | 'down' | 'new' | 'same' | 'unknown'
  /** `12 %`, `×13`, `new`, `–` */
  short: string
  /** `12 % more than before` */
  words: string
}

const PERCENT_MAX = 999

/** What became of a count since the time before; null where that is unknown. */
export function compareCounts(now: number, previous: number | null): Comparison {
  if (previous === null) return { kind: 'unknown', short: 'no comparison', words: 'no comparison' }
  if (now === previous) return { kind: 'same', short: '–', words: 'as many as before' }
  if (previous === 0) return { kind: 'new', short: 'new', words: 'none before' }
  const change = Math.round((100 * Math.abs(now - previous)) / previous)
  const share = change > PERCENT_MAX ? `×${count(Math.round(now / previous))}` : `${change || '<1'} %`
  if (now < previous) return { kind: 'down', short: share, words: `${share} fewer than before` }
  const words =
    change > PERCENT_MAX
      ? `${count(Math.round(now / previous))} times as many as before`
      : `${share} more than before`
  return { kind: 'up', short: share, words }
}
