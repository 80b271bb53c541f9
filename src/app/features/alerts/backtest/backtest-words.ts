import { count, countOf } from '#app/format/count.ts'
import { storedDays } from '#app/format/stored-days.ts'
import type { Backtest } from '#contract/bff/alert.ts'

/** `12 matches in the last 30 days`, or in the days that are stored */
export function matchesInWords({ matches, days }: Backtest): string {
  return `${countOf(matches, 'match', 'matches')} in ${storedDays(days)}`
}

/** Names the searched texts. Lists contain less than the records that the vendor compares a profile with. */
export function searchedInWords({ compared, isFullText }: Backtest): string {
  const threats = countOf(compared, 'threat')
  if (isFullText) return `Searched the full texts of ${threats}, as the vendor does for each new one.`
  return `Searched the list texts of ${threats}, none of them in full: the vendor may find more.`
}

/** `Expect about 30 a week (usually 22 to 41).` */
export function forecastInWords({ forecast }: Backtest): string {
  if (!forecast) return 'Too few whole days are stored for a forecast.'
  const { perWeek, low, high } = forecast
  if (high < 1) return 'Expect less than one a week.'
  const amount = perWeek < 0.5 ? 'less than one' : `about ${rounded(perWeek)}`
  return `Expect ${amount} a week (usually ${count(Math.floor(low))} to ${count(Math.ceil(high))}).`
}

/** `213 matches · 52 a week` */
export function forecastInShort({ matches, forecast }: Backtest): string {
  const found = countOf(matches, 'match', 'matches')
  if (!forecast) return found
  return `${found} · ${forecast.perWeek < 0.5 ? 'under 1' : rounded(forecast.perWeek)} a week`
}

export function isNoisy({ forecast, noiseLimitPerWeek }: Backtest): boolean {
  return forecast !== null && forecast.perWeek > noiseLimitPerWeek
}

/** The keyword without which most of the noise would be gone; null where none stands out. */
export function loudestKeyword({ keywords, matches }: Backtest): { index: number; alone: number } | null {
  const [loudest] = keywords.map(({ alone }, index) => ({ index, alone })).sort((a, b) => b.alone - a.alone)
  return loudest && keywords.length > 1 && loudest.alone * 4 >= matches && loudest.alone > 0 ? loudest : null
}

function rounded(value: number): string {
  return count(Math.round(value))
}
