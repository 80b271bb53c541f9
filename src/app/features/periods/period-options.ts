import { storedDays } from '#app/format/stored-days.ts'
import {
  DEFAULT_PERIOD,
  type Period,
  periodPhrase,
  periodShort,
  readPeriodName,
} from '#contract/bff/period.ts'
import type { TrendDay } from '#contract/bff/trend.ts'

export type ChosenPeriod = {
  name: string
  /** The address names another one, which is none or is still to come. */
  isUnreadable: boolean
}

/** The period of an address; the default one where it names none that can be shown. */
export function resolvePeriod(
  given: string | undefined,
  { timeZone, nowMs }: { timeZone: string; nowMs: number },
): ChosenPeriod {
  const name = readPeriodName(given ?? DEFAULT_PERIOD, todayIn(timeZone, nowMs))
  return { name: name ?? DEFAULT_PERIOD, isUnreadable: name === null }
}

/** `2026-11-24` */
export function todayIn(timeZone: string, nowMs: number): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone }).format(nowMs)
}

export type Counted = { period: Period; days: readonly { coverage: TrendDay['coverage'] }[] }

/** Name of the stored part of a period: `the last 30 days`, `the 7 days stored`, `October 2026`. */
export function storedPhrase({ period, days }: Counted): string {
  return storedDays(days, periodPhrase(period.name), period)
}

/** The same where there is little room: `30 days`. */
export function storedShort({ period, days }: Counted): string {
  return storedDays(days, periodShort(period.name), period)
}

/** Returns true if part of the period is stored. Without it no count is known. */
export function isStored({ days }: Counted): boolean {
  return days.some(({ coverage }) => coverage !== 'unknown')
}

/** Addition to a name while the period is running. */
export function soFar({ isRunning }: Period): string {
  return isRunning ? ', today so far' : ''
}
