import * as z from 'zod/mini'
import { facetParamsSchema, groupQuerySchema, threatFilterNameSchema } from './threat-list.ts'

/** Query of `GET /bff/conditions`: the list's, without its page and order. */
export const conditionQuerySchema = groupQuerySchema
export type ConditionQuery = z.infer<typeof conditionQuerySchema>

/** A value that no threat has, and the nearest one that some have. */
const nearestSchema = z.object({
  field: facetParamsSchema.shape.name,
  value: z.string(),
  /** The other value: of a country its alpha-2 code. */
  instead: z.string(),
  /** How many threats the other value matches alone. */
  count: z.int(),
  /** In a search: where the value stands, and what takes its place, as in a fault. */
  place: z.optional(z.object({ from: z.int(), to: z.int(), fix: z.string() })),
})
export type NearestValue = z.infer<typeof nearestSchema>

export const conditionSchema = z.object({
  name: threatFilterNameSchema,
  /** Index from 0 of the required part of the search, if the condition is part of one. */
  part: z.optional(z.int()),
  /** How many threats match it alone. */
  count: z.int(),
  nearest: z.array(nearestSchema),
})
export type Condition = z.infer<typeof conditionSchema>

/** Answer of `GET /bff/conditions`: what each filter, and each part of the search, matches alone. */
export const conditionAnswerSchema = z.object({
  conditions: z.array(conditionSchema),
  /** How many conditions there are beyond these. */
  more: z.int(),
  /** False while stored threats are still being read in: more threats may match. */
  isExact: z.boolean(),
})
export type ConditionAnswer = z.infer<typeof conditionAnswerSchema>
