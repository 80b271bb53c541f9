import { DAY_MS } from '#contract/duration.ts'
import { nearestName } from './nearest-name.ts'

/** Calendar days (`2026-11-22`), or days before today: the reader's zone says when each begins. */
export type DaySpan =
  | { kind: 'days'; first: string; last: string }
  | { kind: 'ago'; first: number; last: number }

const AGO = /^([1-9]\d{0,3})d$/
const DAY = /^[12]\d{3}-\d\d-\d\d$/
const MONTH = /^[12]\d{3}-\d\d$/
const WORDS = ['today', 'yesterday'] as const

/** `today`, `yesterday`, `7d` (the last 7 days, today among them), a day, a month, a year, or two of these by `..`. */
export function readDays(text: string): DaySpan | null {
  const written = text.trim().toLowerCase()
  const [first, last, ...more] = written.split('..')
  if (first === undefined || more.length > 0) return null
  if (last === undefined) return readSpan(first)
  const [from, to] = [readSpan(first), readSpan(last)]
  if (from?.kind !== 'days' || to?.kind !== 'days' || from.first > to.last) return null
  return { kind: 'days', first: from.first, last: to.last }
}

function readSpan(text: string): DaySpan | null {
  if (text === 'today') return { kind: 'ago', first: 0, last: 0 }
  if (text === 'yesterday') return { kind: 'ago', first: 1, last: 1 }
  const [, days] = AGO.exec(text) ?? []
  if (days !== undefined) return { kind: 'ago', first: Number(days) - 1, last: 0 }
  if (DAY.test(text)) return isDay(text) ? { kind: 'days', first: text, last: text } : null
  if (MONTH.test(text) && isDay(`${text}-01`)) return spanOfMonths(text, text)
  return /^[12]\d{3}$/.test(text) ? spanOfMonths(`${text}-01`, `${text}-12`) : null
}

function spanOfMonths(first: string, last: string): DaySpan {
  const [year = 0, month = 0] = last.split('-').map(Number)
  return { kind: 'days', first: `${first}-01`, last: toDay(Date.UTC(year, month, 0)) }
}

function isDay(text: string): boolean {
  const time = Date.parse(text)
  return !Number.isNaN(time) && toDay(time) === text
}

function toDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}

/** The first and last calendar day, as of today. */
export function calendarDays(span: DaySpan, today: string): { first: string; last: string } {
  if (span.kind === 'days') return { first: span.first, last: span.last }
  const dayBefore = (days: number) => toDay(Date.parse(today) - days * DAY_MS)
  return { first: dayBefore(span.first), last: dayBefore(span.last) }
}

/** The day that a text was most likely meant to be, as it should be written. */
export function suggestDays(text: string): string | null {
  const [, year, ...rest] = /^(\d{4})[./](\d{1,2})[./](\d{1,2})$/.exec(text) ?? []
  const [, day = '', month = '', germanYear] = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(text) ?? []
  const parts = year ? [year, ...rest] : germanYear ? [germanYear, month, day] : []
  const iso = parts.map((part) => part.padStart(2, '0')).join('-')
  if (readSpan(iso)) return iso
  return nearestName(text, WORDS)
}
