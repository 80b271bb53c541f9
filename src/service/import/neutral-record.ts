import * as z from 'zod/mini'
import { countryName } from '#contract/country.ts'
import { cutText } from '#contract/cut-text.ts'
import { readCountryCode } from '#contract/read-country-code.ts'
import { ruleSeverity } from '#service/threats/severity-rule.ts'
import type { ThreatRecord } from '#service/threats/threat-record.ts'
import { ENGLISH } from './english.ts'

const DOMAIN =
  /^(?=.{4,253}$)(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+\p{L}[\p{L}\p{N}-]{1,62}$/u
const textSchema = z.optional(z.string())
const textsSchema = z.optional(z.array(z.string()))
const dateSchema = z.optional(z.union([z.iso.datetime({ offset: true }), z.iso.date()]))

/** One line of a neutral feed. An absent member is unknown; other members are kept as facts in the content. */
const neutralRecordSchema = z.looseObject({
  source: z.string(),
  source_id: z.string(),
  category: z.string(),
  title: textSchema,
  group: textSchema,
  victim: textSchema,
  published: dateSchema,
  discovered: dateSchema,
  end_date: dateSchema,
  country: textSchema,
  country_basis: textSchema,
  countries: textsSchema,
  sector: textSchema,
  sectors: textsSchema,
  website: textSchema,
  group_site: textSchema,
  description: textSchema,
  refs: textsSchema,
})

type NeutralRecord = z.infer<typeof neutralRecordSchema>

/** Some sources write this if they know nothing. */
const NOTHING = /^\s*(?:not available|unknown|n\/a)?\s*$/i

const SUMMARY_MAX_LENGTH = 400

/** Reads a neutral record. Its date is null when the source gives none. */
export function readNeutralRecord(value: unknown, keepsDates: boolean) {
  const neutral = neutralRecordSchema.parse(value, ENGLISH)
  const { source, source_id: sourceId, category, published, discovered, end_date: ended } = neutral
  const date = published ?? discovered ?? ended
  const threatActors = known(neutral.group)
  const organizations = known(neutral.victim)
  const industries = (neutral.sectors ?? [neutral.sector]).flatMap(known)
  const countries = (neutral.countries ?? [neutral.country])
    .flatMap(known)
    .map((name) => readCountryCode(name) ?? name)
  const description = neutral.description?.trim() ?? ''
  const place = [...industries.slice(0, 1), ...countries.slice(0, 3).map((code) => countryName(code) ?? code)]
  const title = neutral.title || composeTitle(category, threatActors, place)
  const facts = listFacts(neutral, keepsDates)

  return {
    source,
    sourceId,
    title,
    summary: cutText(description, SUMMARY_MAX_LENGTH),
    content: [description, ...facts.map(({ name, text }) => `${name.replaceAll('_', ' ')}: ${text}`)]
      .filter((line) => line !== '')
      .join('\n'),
    searched: [title, description, ...facts.map(({ text }) => text)],
    category,
    severity: ruleSeverity(category, industries),
    isSeverityDerived: true,
    countries,
    threatActors,
    industries,
    organizations,
    domains: [neutral.website, neutral.victim].flatMap(readDomain),
    publishedAt: date === undefined ? null : new Date(date).toISOString(),
    sourceUrl: neutral.refs?.[0] ?? (neutral.group_site ? `http://${neutral.group_site}/` : null),
    evidence: [],
    analysis: null,
  } satisfies Partial<Record<keyof ThreatRecord, unknown>>
}

function known(text: string | undefined): string[] {
  return text === undefined || NOTHING.test(text) ? [] : [text]
}

/** The title has only the source's own words, because it is searched. */
function composeTitle(category: string, actors: readonly string[], place: readonly string[]): string {
  const known = [...actors, ...place].join(', ')
  return known === '' ? category : `${category}: ${known}`
}

const READ_ELSEWHERE = new Set(
  'source source_id category title group victim published country countries sector sectors description'.split(
    ' ',
  ),
)

/** A source writes one date, or several. */
const DATED = /^\d{4}-\d{2}-\d{2}/

/** Everything else that the source says, by the names that it has there. */
function listFacts(neutral: NeutralRecord, keepsDates: boolean): { name: string; text: string }[] {
  return Object.entries(neutral).flatMap(([name, value]) => {
    if (READ_ELSEWHERE.has(name) || value === undefined || value === null) return []
    const text = Array.isArray(value) ? value.map(toText).join(', ') : toText(value)
    if (!keepsDates && DATED.test(text)) return []
    return [{ name, text }]
  })
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The host of a web address as a feed gives it, often junk: nothing where it is no domain name. */
function readDomain(website: string | undefined): string[] {
  const host = website?.trim().match(/^(?:https?:\/\/)?([^\s/?#:@]+)/iu)?.[1]
  return host !== undefined && DOMAIN.test(host) ? [host.toLowerCase()] : []
}
