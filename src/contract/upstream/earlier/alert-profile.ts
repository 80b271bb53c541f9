import * as z from 'zod/mini'

/** Reference section 4.1 says that an omitted destination is null, and section 6 counts `email` among them. */
export const notificationsSchema = z.strictObject({
  email: z.nullable(z.array(z.string())),
  slack: z.nullable(z.string()),
  teams: z.nullable(z.string()),
})

export const alertProfileSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  keywords: z.array(z.string()),
  categories: z.array(z.string()),
  notifications: notificationsSchema,
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  triggered_count: z.int(),
})
export type AlertProfile = z.infer<typeof alertProfileSchema>

/** Answer of `GET /api/alerts`, newest first. */
export const alertProfilesSchema = z.strictObject({ alert_profiles: z.array(alertProfileSchema) })
export type AlertProfiles = z.infer<typeof alertProfilesSchema>

/** Answer of `GET /api/alert-profiles`, newest first. */
export const alertProfileStatesSchema = z.strictObject({
  alert_profiles: z.array(z.extend(alertProfileSchema, { state: z.enum(['active', 'paused']) })),
})
export type AlertProfileStates = z.infer<typeof alertProfileStatesSchema>
