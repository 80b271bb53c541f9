import { DAY_MS } from '#contract/duration.ts'
import { nearestName } from './nearest-name.ts'
import {
  conjunctsOf,
  type FieldNode,
  type QueryFault,
  type QueryNode,
  type QueryValue,
} from './query-tree.ts'

/** A calendar day (`2026-11-22`), or one that many days before today: the reader's zone says when each begins. */
type QueryDay = { kind: 'day'; day: string } | { kind: 'ago'; days: number }
/** From the first day to the last, both included. */
export type DaySpan = { first: QueryDay; last: QueryDay }

const AGO = /^([1-9]\d{0,3})d$/
const DAY = /^[12]\d{3}-\d\d-\d\d$/
const MONTH = /^[12]\d{3}-\d\d$/
const WORDS = ['today', 'yesterday'] as const

/** `today`, `yesterday`, `7d` (the last 7 days, today among them), a day, a month, a year, or two of these by `..`. */
export function readDays(text: string): DaySpan | null {
  const span = readRange(text)
  return span && !isCrossed(span) ? span : null
}

/** Two days, in whichever order they were written. */
function readRange(text: string): DaySpan | null {
  const [first = '', last, ...more] = text.trim().toLowerCase().split('..')
  if (more.length > 0) return null
  const from = readSpan(first)
  const to = last === undefined ? from : readSpan(last)
  return from && to && { first: from.first, last: to.last }
}

/** Returns true if the last day is before the first. Only today decides that for a calendar day and a relative one. */
function isCrossed({ first, last }: DaySpan): boolean {
  return (compareDays(first, last) ?? 0) > 0
}

function readSpan(text: string): DaySpan | null {
  if (text === 'today') return daysAgo(0, 0)
  if (text === 'yesterday') return daysAgo(1, 1)
  const [, days] = AGO.exec(text) ?? []
  if (days !== undefined) return daysAgo(Number(days) - 1, 0)
  if (DAY.test(text)) return isDay(text) ? calendarSpan(text, text) : null
  if (MONTH.test(text) && isDay(`${text}-01`)) return spanOfMonths(text, text)
  return /^[12]\d{3}$/.test(text) ? spanOfMonths(`${text}-01`, `${text}-12`) : null
}

function daysAgo(first: number, last: number): DaySpan {
  return { first: { kind: 'ago', days: first }, last: { kind: 'ago', days: last } }
}

function calendarSpan(first: string, last: string): DaySpan {
  return { first: { kind: 'day', day: first }, last: { kind: 'day', day: last } }
}

function spanOfMonths(first: string, last: string): DaySpan {
  const [year = 0, month = 0] = last.split('-').map(Number)
  return calendarSpan(`${first}-01`, toDay(Date.UTC(year, month, 0)))
}

function isDay(text: string): boolean {
  const time = Date.parse(text)
  return !Number.isNaN(time) && toDay(time) === text
}

function toDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}

/** Returns true if the meant calendar days depend on today. */
export function isRelative({ first, last }: DaySpan): boolean {
  return first.kind === 'ago' || last.kind === 'ago'
}

/** The first and last calendar day, as of today. */
export function calendarDays({ first, last }: DaySpan, today: string): { first: string; last: string } {
  return { first: dayOf(first, today), last: dayOf(last, today) }
}

function dayOf(day: QueryDay, today: string): string {
  return day.kind === 'day' ? day.day : toDay(Date.parse(today) - day.days * DAY_MS)
}

/** Negative where the first is the earlier one; null where only today could say. */
function compareDays(one: QueryDay, other: QueryDay, today?: string): number | null {
  if (one.kind === 'ago' && other.kind === 'ago') return other.days - one.days
  if (one.kind !== other.kind && today === undefined) return null
  const [first, last] = [dayOf(one, today ?? ''), dayOf(other, today ?? '')]
  return first === last ? 0 : first < last ? -1 : 1
}

/** The day that a text was most likely meant to be, as it should be written. */
export function suggestDays(text: string): string | null {
  const turned = text.trim().split('..').toReversed().join('..')
  if (text.includes('..')) return readDays(turned) && turned
  const [, year, ...rest] = /^(\d{4})[./](\d{1,2})[./](\d{1,2})$/.exec(text) ?? []
  const [, day = '', month = '', germanYear] = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(text) ?? []
  const parts = year ? [year, ...rest] : germanYear ? [germanYear, month, day] : []
  const iso = parts.map((part) => part.padStart(2, '0')).join('-')
  if (readSpan(iso)) return iso
  return nearestName(text, WORDS)
}

/** A field of days with the first and the last day that it allows. `before:` allows no moment of its last day. */
type DayField = { field: FieldNode; value: QueryValue; first: QueryDay | null; last: QueryDay | null }

/**
 * Days that must hold side by side and exclude each other, such as `after:30d before:60d`. Without today, a calendar day
 * is not compared with a number of days ago: whether those exclude each other changes from day to day.
 */
export function findCrossedDays(tree: QueryNode | null, text: string, today?: string): QueryFault[] {
  const parts = tree?.kind === 'or' ? tree.parts : conjunctsOf(tree)
  const nested = parts.flatMap((part) => ('parts' in part ? findCrossedDays(part, text, today) : []))
  if (tree?.kind === 'or') return nested
  const fields = parts.flatMap((part) => readDayField(part) ?? [])
  const [crossed] = fields.flatMap((one, at) => {
    const other = fields.slice(at + 1).find((each) => isOver(one, each, today) || isOver(each, one, today))
    return other ? [toFault(one, other, { text, today })] : []
  })
  return crossed ? [crossed, ...nested] : nested
}

function readDayField(field: QueryNode): DayField | null {
  if (field.kind !== 'field' || field.values.length !== 1) return null
  const [value] = field.values
  const days = value && readDays(value.text)
  if (!days) return null
  if (field.name === 'after') return { field, value, first: days.first, last: null }
  if (field.name === 'before') return { field, value, first: null, last: days.first }
  return field.name === 'on' ? { field, value, ...days } : null
}

/** Returns true if the time of one field ends before that of another begins. */
function isOver({ field, last }: DayField, { first }: DayField, today: string | undefined): boolean {
  const order = last && first && compareDays(last, first, today)
  return order !== null && (field.name === 'before' ? order <= 0 : order < 0)
}

function toFault(
  one: DayField,
  other: DayField,
  { text, today }: { text: string; today: string | undefined },
): QueryFault {
  const written = ({ value, field }: DayField) => `“${field.name}:${value.text}”`
  const message = `No threat can match both ${written(one)} and ${written(other)}.`
  const { from, to } = other.field
  if (one.field.name === 'on' || other.field.name === 'on') return { from, to, message, fix: '' }
  const [first, last] = [one.first ?? one.last, other.first ?? other.last]
  const between = (start: number, end: number) => text.slice(start, end)
  const fix =
    first && last && compareDays(first, last, today) === 0
      ? `on:${one.value.text}${between(one.field.to, from).trimEnd()}`
      : between(one.field.from, one.value.from) +
        other.value.text +
        between(one.value.to, other.value.from) +
        one.value.text +
        between(other.value.to, to)
  return { from: one.field.from, to, message, fix }
}
