import * as z from 'zod/mini'
import { certaintySchema, decisionSchema, matchRuleSchema } from './match-facts.ts'
import { threatSchema } from './threat.ts'

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
