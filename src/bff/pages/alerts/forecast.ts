import type { Backtest } from '#contract/bff/alert.ts'
import type { TrendDay } from '#contract/bff/trend.ts'

const LEAST_DAYS = 3
const LEAST_WEEKS = 3
const WEEK_DAYS = 7
/** Eight of ten values of a normal distribution lie within so many standard deviations. */
const DEVIATIONS = 1.2816

/**
 * Matches of a week to come, from whole days alone. The mean of a day times seven; the range is that of a week whose days
 * vary as they did, and at least as random arrivals do, or whose sum varies as that of the weeks before did, where that is
 * more: matches of a campaign come together. Both are widened by what so few days leave unknown of the mean.
 */
export function forecastWeek(days: readonly TrendDay[]): Backtest['forecast'] {
  const counts = days.flatMap(({ coverage, count }) =>
    coverage === 'whole' && count !== null ? [count] : [],
  )
  if (counts.length < LEAST_DAYS) return null
  const { mean, variance } = momentsOf(counts)
  // No match in so many days is not never: as if there had been one.
  const ofDays = Math.max(variance, mean, 1 / counts.length) * (WEEK_DAYS + WEEK_DAYS ** 2 / counts.length)
  const deviation = Math.sqrt(Math.max(ofDays, varianceOfWeeks(counts)))
  const perWeek = mean * WEEK_DAYS
  return {
    perWeek: toTenth(perWeek),
    low: toTenth(Math.max(0, perWeek - DEVIATIONS * deviation)),
    high: toTenth(perWeek + DEVIATIONS * deviation),
    basedOnDays: counts.length,
  }
}

/** Returns the variance of a coming week around the mean of the weeks before; 0 if they are too few. */
function varianceOfWeeks(counts: readonly number[]): number {
  const weeks: number[] = []
  for (let end = counts.length; end >= WEEK_DAYS; end -= WEEK_DAYS)
    weeks.push(counts.slice(end - WEEK_DAYS, end).reduce((sum, count) => sum + count, 0))
  return weeks.length < LEAST_WEEKS ? 0 : momentsOf(weeks).variance * (1 + 1 / weeks.length)
}

/** The values are at least two. */
function momentsOf(values: readonly number[]): { mean: number; variance: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return { mean, variance: squares / (values.length - 1) }
}

function toTenth(value: number): number {
  return Math.round(value * 10) / 10
}
