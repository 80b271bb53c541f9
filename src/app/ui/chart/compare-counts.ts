import { count } from '#app/format/count.ts'

/** Two counts of equally long times: of a period so far, and of the same part of the period before. */
export type Compared = {
  count: number
  previous: number
  isWithoutToday?: boolean | undefined
  isOver?: boolean | undefined
}

export type ChangeWords = {
  kind: 'up' | 'down' | 'new' | 'same' | 'unknown'
  /** `12 %`, `×13`, `new`, `same` */
  short: string
  /** `12 % more so far than in the same time before` */
  words: string
}

const PERCENT_MAX = 999

/** Returns the change of a count since the previous period; null if unknown. */
export function compareCounts(compared: Compared | null): ChangeWords {
  if (compared === null) return { kind: 'unknown', short: 'no comparison', words: 'no comparison' }
  const { count: now, previous } = compared
  const far = compared.isOver ? '' : compared.isWithoutToday ? 'without today ' : 'so far '
  if (now === previous)
    return { kind: 'same', short: 'same', words: `${far}as many as in the same time before` }
  if (previous === 0) return { kind: 'new', short: 'new', words: 'none in the same time before' }
  const change = Math.round((100 * Math.abs(now - previous)) / previous)
  const share = change > PERCENT_MAX ? `×${count(Math.round(now / previous))}` : `${change || '<1'} %`
  if (now < previous)
    return { kind: 'down', short: share, words: `${share} fewer ${far}than in the same time before` }
  const words =
    change > PERCENT_MAX
      ? `${far}${count(Math.round(now / previous))} times as many as in the same time before`
      : `${share} more ${far}than in the same time before`
  return { kind: 'up', short: share, words }
}
