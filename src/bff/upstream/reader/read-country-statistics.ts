import type { CountryStatistics } from '#contract/bff/country.ts'
import { readCountryCode } from '#contract/read-country-code.ts'
import { readCountedNames } from './counted-names.ts'
import { expandNames, foldNames } from './field-names.ts'
import { Fields } from './fields.ts'
import { openEnvelope } from './open-envelope.ts'
import { readTrend } from './read-trend.ts'
import { readCount, readLabel } from './read-value.ts'
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
