import * as z from 'zod/mini'
import { countryName } from '#contract/country.ts'
import { cutText } from '#contract/cut-text.ts'
import { readCountryCode } from '#contract/read-country-code.ts'
import { earlierThreatDetailSchema } from '#contract/upstream/earlier/threat.ts'
import { v1ThreatDetailSchema } from '#contract/upstream/v1/threat.ts'
import { ruleSeverity } from '#service/threats/severity-rule.ts'
import { publishedAtSchema, type ThreatRecord, threatRecordSchema } from '#service/threats/threat-record.ts'

/** Pass it to `parse` so that a refusal states what was expected: without a locale zod only says 'Invalid input'. */
const ENGLISH = { error: z.locales.en().localeError }

const EXCERPT_MAX_LENGTH = 200
/** The members that hold dates, in the order in which they are preferred. */
const DATES = ['published', 'discovered', 'end_date', 'published_at', 'posted_at']

const lineSchema = z.record(z.string(), z.unknown())

/** A record whose source may give no date. */
const incomingThreatSchema = z.extend(threatRecordSchema, { publishedAt: z.nullable(publishedAtSchema) })
export type IncomingThreat = z.infer<typeof incomingThreatSchema>

/** Dates that are moved elsewhere must not stand in the text as they were. */
export type ReadOptions = { keepsDates: boolean }

/** Reads one line of a file, in any of the forms that import knows. */
export function readRecord(
  text: string,
  options: ReadOptions = { keepsDates: true },
): { threat: IncomingThreat } | { problem: string } {
  let line: Record<string, unknown> = {}
  try {
    line = lineSchema.parse(JSON.parse(text), ENGLISH)
    const fields = readFields(line, options)
    const excerpt = cutText(fields.summary, EXCERPT_MAX_LENGTH)
    return { threat: incomingThreatSchema.parse({ excerpt, ...fields, isDemo: false }, ENGLISH) }
  } catch (error) {
    return { problem: describeProblem(error, line) }
  }
}

function readFields(line: Record<string, unknown>, { keepsDates }: ReadOptions) {
  if ('victims' in line) return readV1Record(line)
  if ('posted_at' in line) return readEarlierRecord(line)
  return readNeutralRecord(line, keepsDates)
}

/** Names the member as the file has it, and what is wrong with its value. */
function describeProblem(error: unknown, line: Record<string, unknown>): string {
  if (error instanceof SyntaxError) return 'not JSON'
  if (error instanceof RangeError) return 'nested too deeply'
  if (!(error instanceof z.core.$ZodError)) throw error
  const { path = [], message = '', code } = error.issues[0] ?? {}
  const member = String(path[0] ?? '')
  if (path.length === 0) return message
  if (path.length === 1 && code === 'invalid_type' && line[member] === undefined)
    return `${member} is missing`

  const names = member === 'publishedAt' ? DATES : DATES.filter((name) => name === member)
  const dated = names.find((name) => typeof line[name] === 'string')
  return dated ? `${dated} ${dateFault(String(line[dated]))}` : `${path.join('.')}: ${message}`
}

const DATE_TIME =
  /^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})(?:[T ](?<hour>\d{2}):(?<minute>\d{2})(?::(?<second>\d{2})(?:\.\d+)?)?(?<offset>Z|[+-]\d{2}:\d{2})?)?$/

/** Describes why a text is no date or moment in the ISO 8601 form that import accepts: `has no offset`, `month 13`. */
function dateFault(text: string): string {
  const parts = DATE_TIME.exec(text)?.groups
  if (!parts) return 'is no ISO 8601 date such as 2026-06-01 or 2026-06-01T08:00:00Z'
  const { year = '', month = '', day = '', hour, minute, second, offset } = parts
  if (!/^[12]/.test(year)) return `has the year ${year}: only 1000 to 2999 are taken`
  if (Number(month) < 1 || Number(month) > 12) return `has month ${month}`
  const lastDay = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate()
  if (Number(day) < 1 || Number(day) > lastDay) return `has day ${day}, and ${year}-${month} has ${lastDay}`
  if (Number(hour ?? 0) > 23) return `has hour ${hour}`
  if (Number(minute ?? 0) > 59) return `has minute ${minute}`
  if (Number(second ?? 0) > 59) return `has second ${second}`
  if (hour !== undefined && offset === undefined) return 'has no offset: end it with Z, or such as +02:00'
  return 'is no moment of ISO 8601 such as 2026-06-01T08:00:00Z'
}

/** A file may add these to an answer: the record's origin, in place of the id in the answer. */
const originShape = { source: z._default(z.string(), 'api'), source_id: z.optional(z.string()) }

const v1RecordSchema = z.extend(
  z.partial(v1ThreatDetailSchema, { source_url: true, analysis: true }),
  originShape,
)
const earlierRecordSchema = z.extend(
  z.partial(earlierThreatDetailSchema, {
    content: true,
    source_url: true,
    evidence: true,
    ai_analysis: true,
  }),
  originShape,
)

/** Reads a record as `/api/v1/threats` and `/api/v1/threats/{id}` answer it. */
function readV1Record(value: unknown) {
  const record = v1RecordSchema.parse(value, ENGLISH)
  return {
    source: record.source,
    sourceId: record.source_id ?? record.id,
    title: record.title,
    summary: record.summary,
    content: record.summary,
    category: record.category,
    severity: record.risk_level,
    isSeverityDerived: record.severity_derived ?? false,
    countries: record.victims.countries.map(toCountry),
    threatActors: record.threat_actors,
    industries: record.victims.industries,
    organizations: record.victims.organizations,
    domains: record.victims.domains,
    publishedAt: record.published_at || null,
    sourceUrl: record.source_url ?? null,
    evidence: [],
    analysis:
      record.analysis ??
      (record.ai_analysis ? { summary: record.ai_analysis, impact: '', recommendations: [] } : null),
  }
}

/** Reads a record as `/api/feed` and `/api/feed/{id}` answer it. */
function readEarlierRecord(value: unknown) {
  const record = earlierRecordSchema.parse(value, ENGLISH)
  const country = record.country_code || record.country
  return {
    source: record.source,
    sourceId: record.source_id ?? record.id,
    title: record.title,
    summary: record.excerpt,
    excerpt: record.excerpt,
    content: record.content ?? record.excerpt,
    category: record.category,
    severity: record.severity,
    isSeverityDerived: record.severity_derived ?? false,
    countries: country ? [toCountry(country)] : [],
    threatActors: record.threat_actor ? [record.threat_actor] : [],
    industries: [],
    organizations: [],
    domains: [],
    publishedAt: record.posted_at || null,
    sourceUrl: record.source_url || null,
    evidence: record.evidence ?? [],
    analysis: toAnalysis(record.ai_analysis),
  }
}

function toAnalysis(analysis: z.infer<typeof earlierRecordSchema>['ai_analysis']) {
  if (!analysis?.summary && !analysis?.impact && !analysis?.recommendations.length) return null
  const { summary, impact, recommendations } = analysis
  return { summary, impact, recommendations }
}

function toCountry(codeOrName: string): string {
  return readCountryCode(codeOrName) ?? codeOrName
}

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
function readNeutralRecord(value: unknown, keepsDates: boolean) {
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
