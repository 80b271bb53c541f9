import type { Backtest } from '#contract/bff/alert.ts'
import type { TrendDay } from '#contract/bff/trend.ts'

const LEAST_DAYS = 3
const WEEK_DAYS = 7
/** Eight of ten values of a normal distribution lie within so many standard deviations. */
const DEVIATIONS = 1.2816

/**
 * Matches of a week to come, from whole days alone. The mean of a day times seven; the range is that of a week whose
 * days vary as they did, and at least as random arrivals do, widened by what so few days leave unknown of the mean.
 * Days are taken as independent: a campaign that lasts for weeks is not foreseen.
 */
export function forecastWeek(days: readonly TrendDay[]): Backtest['forecast'] {
  const counts = days.flatMap(({ coverage, count }) =>
    coverage === 'whole' && count !== null ? [count] : [],
  )
  if (counts.length < LEAST_DAYS) return null
  const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length
  const squares = counts.reduce((sum, count) => sum + (count - mean) ** 2, 0)
  // No match in so many days is not never: as if there had been one.
  const variance = Math.max(squares / (counts.length - 1), mean, 1 / counts.length)
  const deviation = Math.sqrt(variance * (WEEK_DAYS + WEEK_DAYS ** 2 / counts.length))
  const perWeek = mean * WEEK_DAYS
  return {
    perWeek: toTenth(perWeek),
    low: toTenth(Math.max(0, perWeek - DEVIATIONS * deviation)),
    high: toTenth(perWeek + DEVIATIONS * deviation),
    basedOnDays: counts.length,
  }
}

function toTenth(value: number): number {
  return Math.round(value * 10) / 10
}
