import { coverageOf, type Day } from '#bff/time/trend-days.ts'
import type { HeldRows } from '#bff/window/index/held-rows.ts'
import { type Span, scanRows, type Watch } from '#bff/window/index/scan-rows.ts'
import type { Backtest, BacktestQuery } from '#contract/bff/alert.ts'
import type { TrendDay } from '#contract/bff/trend.ts'
import { forecastWeek } from './forecast.ts'
import { describeShares, type Found, firstPlaces } from './keyword-shares.ts'
import { lastMonth } from './last-month.ts'
import type { FindMatches } from './profile-matches.ts'

/** Two a working hour: nobody reads more of one profile. */
const NOISE_LIMIT_PER_WEEK = 80
const SAMPLES_COUNT = 10

export type ListedWatch = Watch & { id: string; name: string }

export type BacktestInput = {
  query: BacktestQuery
  rows: HeldRows
  /** All is held from one moment to the other, epoch milliseconds. */
  held: { from: number; to: number }
  profiles: readonly ListedWatch[]
  findMatches: FindMatches
  nowMs: number
  signal?: AbortSignal
}

type Counted = Pick<
  Backtest,
  'matches' | 'compared' | 'days' | 'keywords' | 'overlaps' | 'forecast' | 'noiseLimitPerWeek'
>

/** What a draft would have matched in the last 30 days, and the ids of the newest records among them. */
export async function runBacktest(input: BacktestInput): Promise<{ counted: Counted; sampleIds: string[] }> {
  const { query, rows, held, nowMs } = input
  const { days, span } = lastMonth(query.timeZone, nowMs)
  const draft = await countDraft(input, span)
  const told = countDays(days, draft.slots, { rows, held: { ...held, to: Math.min(held.to, nowMs) } })
  return {
    counted: {
      matches: draft.slots.length,
      compared: draft.compared,
      days: told,
      keywords: describeShares(query.keywords, draft.found, draft.compared),
      overlaps: await countOverlaps(input, { span, slots: draft.slots }),
      forecast: forecastWeek(told),
      noiseLimitPerWeek: NOISE_LIMIT_PER_WEEK,
    },
    sampleIds: draft.slots.slice(0, SAMPLES_COUNT).map((slot) => rows.ids[slot] ?? ''),
  }
}

async function countDraft(
  { rows, query: { keywords, categories }, signal }: BacktestInput,
  span: Span,
): Promise<{ slots: number[]; compared: number; found: Found[] }> {
  const places = firstPlaces(keywords)
  const found = keywords.map(() => ({ matches: 0, alone: 0 }))
  const slots: number[] = []
  let first = -1
  // A keyword that means the same as one before it finds nothing of its own.
  const distinct = keywords.map((keyword, at) => (places[at] === at ? keyword : ''))
  const watches = [{ keywords: distinct, categories }]
  const compared = await scanRows(rows, { watches, span, signal }, ({ slot, keyword }) => {
    const isFirst = slots.at(-1) !== slot
    if (isFirst) slots.push(slot)
    const own = found[keyword]
    const other = found[first]
    if (own) own.matches++
    if (isFirst && own) own.alone++
    else if (first >= 0 && other) other.alone--
    first = isFirst ? keyword : -1
  })
  return { slots, compared, found }
}

/** `slots` are newest first, as the rows are. */
function countDays(
  days: readonly Day[],
  slots: readonly number[],
  { rows, held }: Pick<BacktestInput, 'rows' | 'held'>,
): TrendDay[] {
  let at = slots.length - 1
  return days.map((day) => {
    let count = 0
    for (; at >= 0 && (rows.at[slots[at] ?? 0] ?? 0) < day.end; at--) count++
    const coverage = coverageOf(day, held)
    return {
      date: day.date,
      from: new Date(day.start).toISOString(),
      to: new Date(day.end).toISOString(),
      coverage,
      count: coverage === 'unknown' ? null : count,
    }
  })
}

async function countOverlaps(
  { rows, profiles, findMatches }: BacktestInput,
  { span, slots }: { span: Span; slots: readonly number[] },
): Promise<Backtest['overlaps']> {
  const isDrafts = new Uint8Array(rows.count)
  for (const slot of slots) isDrafts[slot] = 1
  const matched = await findMatches(rows, profiles, span)
  return profiles
    .map(({ id: profileId, name }, at) => {
      const own = matched[at] ?? []
      const shared = own.reduce((sum, slot) => sum + (isDrafts[slot] ?? 0), 0)
      return { profileId, name, shared, matches: own.length }
    })
    .filter(({ shared }) => shared > 0)
    .sort((one, other) => other.shared - one.shared)
}
