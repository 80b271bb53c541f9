import type { CountryStatistics } from '#contract/bff/country.ts'
import { DAY_MS } from '#contract/duration.ts'
import { readCountryCode } from '#contract/read-country-code.ts'
import { readCountedNames } from './counted-names.ts'
import { expandNames, foldNames } from './field-names.ts'
import { Fields } from './fields.ts'
import { openEnvelope } from './open-envelope.ts'
import { entriesOf, readCount, readLabel, readNumber, readTime } from './read-value.ts'
import usualNames from './usual-names.json' with { type: 'json' }

const NOUNS = expandNames(usualNames.countryEnvelope)

const COUNTRY_NAMES = foldNames(usualNames.country)

/** Reads the statistics of the requested country; null when they are none, or another country's. */
export function readCountryStatistics(
  requested: string,
  body: unknown,
  nowMs: number,
): CountryStatistics | null {
  const fields = Fields.of(openEnvelope(body, NOUNS))
  if (!fields) return null
  fields.hoist()
  const trendOf = (value: unknown) => readTrend(value, nowMs)
  // Lists and maps first, so that nothing within them is taken for a figure of the country.
  const lists = {
    topActors: fields.take(COUNTRY_NAMES.topActors, readCountedNames) ?? [],
    topIndustries: fields.take(COUNTRY_NAMES.topIndustries, readCountedNames) ?? [],
    trend: fields.take(COUNTRY_NAMES.trend, trendOf) ?? fields.takeOnly(trendOf) ?? [],
  }
  const reported = {
    ...lists,
    threats: fields.take(COUNTRY_NAMES.threats, readCount),
    actors: fields.take(COUNTRY_NAMES.actors, readCount),
    victims: fields.take(COUNTRY_NAMES.victims, readCount),
    summary: fields.take(COUNTRY_NAMES.summary, readLabel),
  }
  if (!fields.isTouched) return null

  const requestedCode = readCountryCode(requested)
  const code = fields.take(COUNTRY_NAMES.code, readCode)
  const name = fields.take(COUNTRY_NAMES.name, readLabel)
  const reportedCode = code ?? (name && readCountryCode(name))
  if (reportedCode !== null && requestedCode !== null && reportedCode !== requestedCode) return null
  return {
    code: reportedCode ?? requestedCode,
    name: name ?? requested,
    ...reported,
    otherFields: fields.rest(),
  }
}

function readCode(value: unknown): string | null {
  return typeof value === 'string' && value.trim().length === 2 ? readCountryCode(value) : null
}

type Trend = CountryStatistics['trend']

const DAYS_MAX_COUNT = 400
/** The trend covers this many days, so as many bare numbers are those days, the last of them today. */
const BARE_COUNT = 30
const NAMES = foldNames(usualNames.trend)

/**
 * Counts by day, oldest first: from a list of objects or pairs, a map from days, or bare numbers. Null when a day comes
 * twice, because nothing says which count is right.
 */
export function readTrend(value: unknown, nowMs: number): Trend | null {
  const points = Array.isArray(value) ? (bareDays(value, nowMs) ?? value.map(readPoint)) : daysIn(value)
  const trend = (points ?? []).filter((point) => point !== null)
  const days = new Set(trend.map(({ date }) => date))
  if (trend.length === 0 || trend.length > DAYS_MAX_COUNT || days.size < trend.length) return null
  return trend.toSorted((a, b) => (a.date < b.date ? -1 : 1))
}

function bareDays(values: readonly unknown[], nowMs: number): Trend | null {
  if (values.length !== BARE_COUNT) return null
  const trend = values.flatMap((value, index) => {
    const count = readNumber(value)
    const date = new Date(nowMs - (BARE_COUNT - 1 - index) * DAY_MS).toISOString().slice(0, 10)
    return count === null ? [] : [{ date, count }]
  })
  return trend.length === BARE_COUNT ? trend : null
}

function daysIn(value: unknown): (Trend[number] | null)[] | null {
  const points = entriesOf(value).map(([day, count]) => toPoint(day, count))
  return points.every((point) => point !== null) ? points : null
}

function readPoint(value: unknown): Trend[number] | null {
  if (Array.isArray(value)) return value.length === 2 ? toPoint(value[0], value[1]) : null
  const fields = Fields.of(value)
  if (!fields) return null
  const time = fields.take(NAMES.date, readTime) ?? fields.takeOnly(readTime)
  return toPoint(time, fields.take(NAMES.count, readCount) ?? fields.takeOnly(readNumber))
}

function toPoint(time: unknown, countValue: unknown): Trend[number] | null {
  const date = readTime(time)?.slice(0, 10)
  const count = readCount(countValue)
  return date === undefined || count === null ? null : { date, count }
}
