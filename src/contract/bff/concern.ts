import * as z from 'zod/mini'
import {
  certaintySchema,
  decisionSchema,
  entryWeightSchema,
  listKindSchema,
  matchRuleSchema,
} from './match-facts.ts'

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
