import { DATED_FROM_MS } from '#bff/time/time-range.ts'
import { bisect } from './bisect.ts'
import type { IndexRows } from './index-rows.ts'
import { findRank, NO_RANK, type RankColumn } from './rank-column.ts'

/** Ranks rows by the day of publication in a time zone. Rows are in that order, so only each day's end is searched. */
export function rankDays({ at, count }: IndexRows, timeZone: string): RankColumn {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  })
  const dayOf = (row: number) => format.format(at[row] ?? 0)
  const end = bisect(count, (row) => (at[row] ?? 0) < DATED_FROM_MS)
  const days: { day: string; first: number }[] = []
  for (let first = 0; first < end; ) {
    const from = first
    const day = dayOf(from)
    days.push({ day, first })
    first = from + bisect(end - from, (further) => dayOf(from + further) !== day)
  }
  const ranks = new Int32Array(count).fill(NO_RANK)
  for (const [place, { first }] of days.entries()) {
    ranks.fill(days.length - 1 - place, first, days[place + 1]?.first ?? end)
  }
  const dayAt = (rank: number) => days[days.length - 1 - rank]?.day ?? ''
  return {
    ranks,
    count: days.length,
    keyOf: dayAt,
    rankOf: (key) => (key === '' ? NO_RANK : findRank(days.length, dayAt, key)),
    labelOf: dayAt,
  }
}
