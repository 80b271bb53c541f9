import { countryName } from '#app/format/country-name.ts'
import { type DayChartData, SERIES_COLORS } from '#app/ui/chart/chart-days.ts'
import type { Trend, TrendGroup } from '#contract/bff/trend.ts'
import { KNOWN_CATEGORIES } from '#contract/category.ts'
import { SEVERITIES } from '#contract/severity.ts'

/** The same value has the same colour on every page, as far as there are colours. */
export function trendChartData({ days, previous, series }: Trend, by?: TrendGroup): DayChartData {
  const fixed = series.map(({ value }) => fixedColor(value, by))
  const free = SERIES_COLORS.filter((color) => !fixed.includes(color))
  return {
    days,
    previous,
    series: series.map(({ value, counts }, at) => ({
      name: by === 'country' ? countryName(value) : value,
      color: fixed[at] ?? free.shift() ?? '',
      counts,
    })),
  }
}

function fixedColor(value: string, by?: TrendGroup): string | null {
  const name = value.trim().toLowerCase()
  if (by === 'severity') {
    const severity = SEVERITIES.find((known) => known === name)
    return severity ? `var(--color-${severity})` : null
  }
  const place = KNOWN_CATEGORIES.findIndex((known) => known.toLowerCase() === name)
  return by === 'category' ? (SERIES_COLORS[place] ?? null) : null
}
