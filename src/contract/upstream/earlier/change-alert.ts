import * as z from 'zod/mini'
import { createAlertSchema } from './create-alert.ts'

const { name, keywords, categories, notifications } = createAlertSchema.shape
const { email, slack, teams } = notifications.def.innerType.shape

/** Body of `PUT /api/alerts/{id}`: what is given changes. */
export const changeAlertSchema = z.strictObject(
  {
    name: z.optional(name),
    keywords: z.optional(keywords),
    categories: z.optional(categories.def.innerType),
    /** A destination that is left out stays; null takes it away. */
    notifications: z.optional(
      z.strictObject(
        {
          email: z.optional(email.def.innerType),
          slack: z.optional(slack.def.innerType),
          teams: z.optional(teams.def.innerType),
        },
        'must be an object',
      ),
    ),
    /** While it is paused, what matches is counted, and nothing is to be sent. */
    state: z.optional(z.enum(['active', 'paused'], 'must be active or paused')),
  },
  'must be a JSON object',
)
export type ChangeAlert = z.infer<typeof changeAlertSchema>

/** Answer of `DELETE /api/alerts/{id}`. */
export const alertDeletedSchema = z.strictObject({ id: z.string() })
