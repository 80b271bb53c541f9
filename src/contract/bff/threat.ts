import * as z from 'zod/mini'
import { vendorIdSchema } from '../id.ts'
import { routeSetSchema } from '../route-set.ts'

/** A field without a member of its own: its path in the record (`meta.tags[0]`), and its value as text. */
export const otherFieldSchema = z.object({ path: z.string(), value: z.string() })
export type OtherField = z.infer<typeof otherFieldSchema>

/** A name, and how often it occurs where that is reported. */
export const countedNameSchema = z.object({ name: z.string(), count: z.nullable(z.int()) })
export type CountedName = z.infer<typeof countedNameSchema>

/** A hash stands for an id that is longer, or that no database holds. */
export const threatIdSchema = vendorIdSchema

export const threatCountrySchema = z.object({
  /** ISO 3166-1 alpha-2; null when the vendor's text names no country we know. */
  code: z.nullable(z.string()),
  /** The vendor's own text. */
  name: z.string(),
})

/** Members of a threat that a plan can withhold. */
export const redactableFieldSchema = z.enum([
  'title',
  'excerpt',
  'organizations',
  'domains',
  'content',
  'sourceUrl',
  'analysis',
  'evidence',
])
export type RedactableField = z.infer<typeof redactableFieldSchema>

/** Parts of a threat that only its own record holds whole, and that a list may report to be there. */
export const LIST_PARTS = ['analysis', 'evidence'] as const
export type ListPart = (typeof LIST_PARTS)[number]

/** Parts that a list reports. A part is absent if the list does not mention it or the plan withholds it. */
export const listSaysSchema = z.object({
  analysis: z.optional(z.boolean()),
  evidence: z.optional(z.boolean()),
  /** Host of the address where it was seen; null where the list says that there is none. */
  source: z.optional(z.nullable(z.string())),
})
export type ListSays = z.infer<typeof listSaysSchema>

/** One threat, from either route set. Absent is null or an empty list; nothing is invented. All text is third-party text. */
export const threatSchema = z.object({
  id: threatIdSchema,
  /** The vendor's id where `id` is a hash of it. */
  fullId: z.optional(z.string()),
  set: routeSetSchema,
  title: z.nullable(z.string()),
  /** The earlier set's excerpt or v1's summary. */
  excerpt: z.nullable(z.string()),
  category: z.nullable(z.string()),
  /** The earlier set's severity or v1's risk level, as sent. */
  severity: z.nullable(z.string()),
  /** Whoever answered rated it by a rule: the record's source states no severity. Absent where nothing says so. */
  isSeverityDerived: z.optional(z.boolean()),
  actors: z.array(z.string()),
  countries: z.array(threatCountrySchema),
  industries: z.array(z.string()),
  organizations: z.array(z.string()),
  domains: z.array(z.string()),
  /** ISO 8601 UTC. */
  publishedAt: z.nullable(z.iso.datetime()),
  /** Text in the date field that is not a date. */
  dateText: z.optional(z.string()),
  /** Members that the plan withholds; their values here are empty. */
  redacted: z.array(redactableFieldSchema),
  /** Absent where it was not read from a list, or from one that says nothing. */
  listSays: z.optional(listSaysSchema),
})
export type Threat = z.infer<typeof threatSchema>

export const analysisSchema = z.object({
  riskLevel: z.nullable(z.string()),
  summary: z.nullable(z.string()),
  impact: z.nullable(z.string()),
  recommendations: z.array(z.string()),
  /** v1's running analysis text. */
  text: z.nullable(z.string()),
})
export type Analysis = z.infer<typeof analysisSchema>

const pictureAddressSchema = z.custom<`/bff/threats/${string}/evidence/${string}`>(
  (address) => typeof address === 'string' && /^\/bff\/threats\/[^/]+\/evidence\/[^/]+$/.test(address),
)
export type PictureAddress = z.infer<typeof pictureAddressSchema>

export const evidenceSchema = z.object({
  type: z.nullable(z.string()),
  /** The vendor's address of the picture: shown as text, never loaded by a browser. */
  url: z.string(),
  /** Address of the re-encoded picture at the BFF; null if the vendor's address cannot be a picture that it may fetch. */
  picture: z.nullable(pictureAddressSchema),
  /** The host to request it from, where that is not the vendor itself. Without a picture: a host that EVIDENCE_HOSTS does not name. */
  host: z.optional(z.string()),
})
export type Evidence = z.infer<typeof evidenceSchema>

export const threatDetailSchema = z.extend(threatSchema, {
  content: z.nullable(z.string()),
  sourceUrl: z.nullable(z.string()),
  analysis: z.nullable(analysisSchema),
  evidence: z.array(evidenceSchema),
  /** Fields that no member above contains. */
  otherFields: z.array(otherFieldSchema),
  /** Each route set that the record was read from, with its raw JSON text. */
  records: z.array(z.object({ set: routeSetSchema, json: z.string() })),
})
export type ThreatDetail = z.infer<typeof threatDetailSchema>
