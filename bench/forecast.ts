import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import * as z from 'zod/mini'
import { forecastWeek } from '#bff/pages/alerts/forecast.ts'
import type { TrendDay } from '#contract/bff/trend.ts'
import { DAY_MS } from '#contract/duration.ts'
import { verdict } from '../test/support/verdict.ts'

const recordSchema = z.object({
  discovered: z.optional(z.string()),
  published: z.optional(z.string()),
  country: z.optional(z.string()),
  sector: z.optional(z.string()),
  group: z.optional(z.string()),
})
type Record = z.infer<typeof recordSchema>

const NAMES = ['country', 'sector', 'group'] as const
/** Of each name, so many of its most frequent values are profiles. */
const VALUES_COUNT = 25
const PAIRED_COUNT = 6
/** What the backtest looks at, without the day that is not over. */
const SEEN_DAYS = 29
const WEEK_DAYS = 7
/** Least share of weeks whose matches lie in the range that the builder states. */
const TARGET = 0.8
/** Matches a week by which profiles are told apart. */
const SIZES = [1, 5, 20, 100, 100_000]

/** Forecasts of held-back weeks: each week of the file from the days before it, for profiles of what it names most. */
export function measureForecast(file: string | undefined): void {
  if (!file) {
    console.log('\nForecast: name records of at least a year with --file FILE.ndjson.gz')
    return
  }
  const days = readDays(file)
  const tallies = new Map(SIZES.map((size) => [size, { weeks: 0, inside: 0 }]))
  for (const matches of profilesOf([...days.values()].flat())) {
    const counts = countDays(days, matches)
    for (let at = SEEN_DAYS; at + WEEK_DAYS <= counts.length; at += WEEK_DAYS) {
      const forecast = forecastWeek(counts.slice(at - SEEN_DAYS, at).map(toDay))
      const tally = tallies.get(SIZES.find((size) => (forecast?.perWeek ?? 0) < size) ?? 0)
      if (!forecast || !tally) continue
      const week = counts.slice(at, at + WEEK_DAYS).reduce((sum, count) => sum + count, 0)
      tally.weeks++
      if (week >= Math.floor(forecast.low) && week <= Math.ceil(forecast.high)) tally.inside++
    }
  }
  console.log(`\nForecast of held-back weeks from ${file}`)
  for (const [size, { weeks, inside }] of tallies) {
    const share = weeks === 0 ? Number.NaN : inside / weeks
    console.log(
      `  under ${size} a week: ${inside} of ${weeks} in the stated range (${(100 * share).toFixed(1)} %) ${verdict(share >= TARGET)}`,
    )
  }
}

/** Records by their day, as the number of days since 1970. */
function readDays(file: string): Map<number, Record[]> {
  const bytes = readFileSync(file)
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
  const records = text.split('\n').flatMap((line) => (line ? [recordSchema.parse(JSON.parse(line))] : []))
  return Map.groupBy(records, ({ discovered, published }) =>
    Math.floor(Date.parse(discovered ?? published ?? '') / DAY_MS),
  )
}

function profilesOf(records: readonly Record[]): ((record: Record) => boolean)[] {
  const frequent = (name: (typeof NAMES)[number]) =>
    [...Map.groupBy(records, (record) => record[name])]
      .filter(([value]) => value)
      .toSorted(([, one], [, other]) => other.length - one.length)
      .map(([value]) => value)
  const single = NAMES.flatMap((name) =>
    frequent(name)
      .slice(0, VALUES_COUNT)
      .map((value) => (record: Record) => record[name] === value),
  )
  const pairs = frequent('country')
    .slice(0, PAIRED_COUNT)
    .flatMap((country) =>
      frequent('sector')
        .slice(0, PAIRED_COUNT)
        .map((sector) => (record: Record) => record.country === country && record.sector === sector),
    )
  return [() => true, ...single, ...pairs]
}

/** Matches of each day from the first to the last. */
function countDays(days: ReadonlyMap<number, readonly Record[]>, matches: (record: Record) => boolean) {
  const known = [...days.keys()].filter(Number.isFinite)
  const first = known.reduce((least, day) => Math.min(least, day))
  const last = known.reduce((most, day) => Math.max(most, day))
  return Array.from(
    { length: last - first + 1 },
    (_, at) => (days.get(first + at) ?? []).filter(matches).length,
  )
}

function toDay(count: number): TrendDay {
  return { date: '', from: '', to: '', coverage: 'whole', count }
}
