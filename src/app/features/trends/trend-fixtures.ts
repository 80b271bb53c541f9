import { TREND_DAYS, type TrendAnswer, type TrendDay } from '#contract/bff/trend.ts'

const DAY_MS = 86_400_000
const TODAY = Date.parse('2026-11-21T00:00:00.000Z')

type Known = { /** How many of the last days are held. */ days?: number; count?: number; series?: string[] }

/** An answer for tests: today is the 21st of November 2026 and known in part, as is the first held day. */
export function aTrendAnswer({ days = 60, count = 4, series = [] }: Known = {}): TrendAnswer {
  const all = Array.from({ length: 2 * TREND_DAYS }, (_, at): TrendDay => {
    const ago = 2 * TREND_DAYS - 1 - at
    const start = TODAY - ago * DAY_MS
    const iso = (time: number) => new Date(time).toISOString()
    const isKnown = ago < days
    const coverage = !isKnown ? 'unknown' : ago === 0 || ago === days - 1 ? 'partial' : 'whole'
    return {
      date: iso(start).slice(0, 10),
      from: iso(start),
      to: iso(start + DAY_MS),
      coverage,
      count: isKnown ? count : null,
    }
  })
  const current = all.slice(TREND_DAYS)
  const sum = (some: readonly TrendDay[]) => some.reduce((total, day) => total + (day.count ?? 0), 0)
  return {
    trend: {
      days: current,
      previous: all.slice(0, TREND_DAYS),
      series: series.map((value) => ({
        value,
        counts: current.map((day) => (day.count === null ? null : 1)),
      })),
      total: sum(current),
      previousTotal: days < 2 * TREND_DAYS ? null : sum(all.slice(0, TREND_DAYS)),
    },
    freshness: {
      fetchedAt: '2026-11-21T09:12:00.000Z',
      isStale: false,
      staleReason: null,
      covers: { from: null, to: null },
    },
  }
}
