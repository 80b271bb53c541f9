import * as z from 'zod/mini'
import { severitySchema } from '#contract/severity.ts'

// Names become keys of indexes, whose entries PostgreSQL caps at 2,704 bytes.
const NAME_MAX_LENGTH = 500
const SHORT_MAX_LENGTH = 64
const LIST_MAX_COUNT = 100

const nameSchema = textSchema(NAME_MAX_LENGTH, 1)
const namesSchema = listSchema(nameSchema)
const urlSchema = textSchema(2048, 1)

/** ISO 8601 UTC, in years that PostgreSQL holds, even after a file's dates were moved. */
export const publishedAtSchema = z.iso.datetime().check(z.regex(/^[12]\d{3}-/))

/** Stands for the date of a record that has none: before all dates that records have, so that it comes last in a list. */
export const UNDATED_AT = '1000-01-01T00:00:00.000Z'

/** A date as answers give it: what a record does not say is an empty string. */
export function statedDate(publishedAt: string): string {
  return publishedAt === UNDATED_AT ? '' : publishedAt
}

/** One record as the service keeps it. Text is stored as published, except for what no database or JSON can hold. */
export const threatRecordSchema = z.object({
  source: textSchema(100, 1),
  /** Unique within the source: the pair decides whether a record is new. */
  sourceId: textSchema(NAME_MAX_LENGTH, 1),
  title: textSchema(2000, 1),
  summary: textSchema(10_000),
  excerpt: textSchema(1000),
  content: textSchema(200_000),
  category: textSchema(SHORT_MAX_LENGTH, 1),
  severity: severitySchema,
  /** Lantern's rule rated it: its source states no severity. */
  isSeverityDerived: z.optional(z.boolean()),
  /** Alpha-2 codes; the source's own text where it names no country we know. */
  countries: listSchema(textSchema(SHORT_MAX_LENGTH, 1)),
  threatActors: namesSchema,
  industries: namesSchema,
  organizations: namesSchema,
  domains: namesSchema,
  publishedAt: publishedAtSchema,
  sourceUrl: z.nullable(urlSchema),
  /** An `url` that begins with `/` is a path of this service. */
  evidence: z.array(z.object({ type: nameSchema, url: urlSchema })).check(z.maxLength(20)),
  analysis: z.nullable(
    z.object({
      summary: textSchema(10_000),
      impact: textSchema(10_000),
      recommendations: listSchema(textSchema(2000)),
    }),
  ),
  isDemo: z.boolean(),
  /** These are searched instead of title, summary and content, if those hold words that the source did not write. */
  searched: z.optional(z.array(textSchema(200_000))),
})
export type ThreatRecord = z.infer<typeof threatRecordSchema>

function textSchema(maxLength: number, minLength = 0) {
  return z.pipe(z.string(), z.transform(toStorableText)).check(z.minLength(minLength), z.maxLength(maxLength))
}

/** Each value once, in the order given. */
function listSchema<Item extends z.core.SomeType>(item: Item) {
  return z.pipe(
    z.array(item).check(z.maxLength(LIST_MAX_COUNT)),
    z.transform((values) => [...new Set(values)]),
  )
}

/** PostgreSQL refuses NUL, and UTF-8 has no lone surrogates. */
function toStorableText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}
