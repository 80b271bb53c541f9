import { exactDay, formatterOf } from '#app/format/time.ts'
import { DAY_MS } from '#contract/duration.ts'
import type { ChartDay, ChartUnit } from './chart-days.ts'

const SHORT = { day: 'numeric', month: 'short' } as const
const LONG = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' } as const
const MONTH = { month: 'long', year: 'numeric' } as const
const SHORT_MONTH = { month: 'short' } as const

/** A calendar day such as `2026-11-21` as `21 Nov`. */
export function shortDay(date: string): string {
  return nameBy(SHORT, date)
}

/** The same as `Sat 21 Nov 2026`. */
export function longDay(date: string): string {
  return nameBy(LONG, date).replace(',', '')
}

/** The first day of a time up to another one: `1 Oct`, or `1 Dec 2025` where that is in another year. */
export function firstDay(date: string, last: string): string {
  return date.slice(0, 4) === last.slice(0, 4) ? shortDay(date) : exactDay(date, 'UTC')
}

/** The month of `2026-11-01` as `Nov`. */
export function shortMonth(date: string): string {
  return nameBy(SHORT_MONTH, date)
}

/** Name of one bar: `Sat 21 Nov 2026`, `16 Nov to 22 Nov 2026`, `November 2026`. */
export function intervalName({ date, from, to }: ChartDay, unit: ChartUnit): string {
  if (unit === 'day') return longDay(date)
  if (unit === 'month') return nameBy(MONTH, date)
  // Clocks that change make a week an hour longer or shorter.
  const days = Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS)
  const last = new Date(Date.parse(date) + (days - 1) * DAY_MS).toISOString()
  return days > 1 ? `${shortDay(date)} to ${exactDay(last, 'UTC')}` : longDay(date)
}

function nameBy(options: Intl.DateTimeFormatOptions, date: string): string {
  const milliseconds = Date.parse(date)
  return Number.isNaN(milliseconds) ? date : (formatterOf('UTC', options)?.format(milliseconds) ?? date)
}
