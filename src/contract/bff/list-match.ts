import * as z from 'zod/mini'
import { threatSchema } from './threat.ts'

// Apart from the lists themselves: each row of the feed has these, and a first visit brings their schemas.

/** Reasons to follow organisations. */
export const LIST_KINDS = ['own', 'supplier', 'customer', 'peer', 'other'] as const
export const listKindSchema = z.enum(LIST_KINDS)
export type ListKind = z.infer<typeof listKindSchema>

export const entryWeightSchema = z.enum(['critical', 'normal'])

/** `certain`: by domain or a distinctive name, or confirmed by a person. `to-confirm`: likely. */
export const certaintySchema = z.enum(['certain', 'to-confirm'])
export type Certainty = z.infer<typeof certaintySchema>

/** The rules by which a name matches a threat. */
export const MATCH_RULES = [
  'domain',
  'name',
  'name-in-text',
  'abbreviation',
  'similar',
  'brand-in-domain',
  'shared-name',
] as const
export const matchRuleSchema = z.enum(MATCH_RULES)
export type MatchRule = z.infer<typeof matchRuleSchema>

/** A decision of the team on one pair of threat and entry. It changes no other pair. */
export const decisionSchema = z.enum(['confirmed', 'rejected'])
export type MatchDecision = z.infer<typeof decisionSchema>

/** A stored threat and an entry of a list that it matches. */
export const listMatchSchema = z.object({
  threat: threatSchema,
  entryId: z.uuid(),
  entryName: z.string(),
  certainty: certaintySchema,
  rule: matchRuleSchema,
  /** The words of the threat that match. Third-party text. */
  text: z.string(),
  decision: z.nullable(decisionSchema),
})
export type ListMatch = z.infer<typeof listMatchSchema>

/** An entry of a list that the reader may see, and that a threat matches. */
export const concernSchema = z.object({
  listId: z.uuid(),
  listName: z.string(),
  kind: listKindSchema,
  entryId: z.uuid(),
  entryName: z.string(),
  weight: entryWeightSchema,
  certainty: certaintySchema,
  rule: matchRuleSchema,
  /** The words of the threat that match. Third-party text. */
  text: z.string(),
  decision: z.nullable(decisionSchema),
})
export type Concern = z.infer<typeof concernSchema>

/** The most concerns of a threat that an answer has. */
export const CONCERNS_MAX_COUNT = 10

/** Certain ones first, then critical entries. Absent without one, and while the database is away. */
export const concernsOfThreatSchema = z.optional(z.array(concernSchema))
