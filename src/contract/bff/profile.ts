import * as z from 'zod/mini'
import { timeZoneNameSchema } from '../time-zone.ts'
import { credentialsSchema, roleSchema } from './session.ts'
import { passwordSchema, personNameSchema } from './user.ts'

const VALUES_MAX_COUNT = 50

/** Preferences of a person. They belong to the account; browsers store a copy. */
export const profilePreferencesSchema = z.strictObject({
  theme: z.enum(['system', 'light', 'dark']),
  timeZone: timeZoneNameSchema,
  hasLetterKeys: z.boolean(),
  /** Alpha-2 codes. */
  countries: z.array(z.string().check(z.regex(/^[A-Z]{2}$/))).check(z.maxLength(VALUES_MAX_COUNT)),
  /** As the records spell them. */
  industries: z
    .array(z.string().check(z.minLength(1), z.maxLength(120), z.regex(/^\P{C}*$/u)))
    .check(z.maxLength(VALUES_MAX_COUNT)),
})
export type ProfilePreferences = z.infer<typeof profilePreferencesSchema>

/** Answer of `GET /bff/profile` and `PUT /bff/profile`: the reader's own account. */
export const profileSchema = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  role: roleSchema,
  hasPassword: z.boolean(),
  hasSingleSignOn: z.boolean(),
  /** Null until something was chosen; what a later Lantern cannot read is as if never chosen. */
  preferences: z.nullable(profilePreferencesSchema),
  /** False until the account first chose a time zone, or declined the proposed one. Absent from an earlier Lantern. */
  hasChosenTimeZone: z.optional(z.boolean()),
  /** False until the welcome page was shown after a sign-in, or answered. Absent from an earlier Lantern. */
  hasSeenWelcome: z.optional(z.boolean()),
})
export type Profile = z.infer<typeof profileSchema>

/** `PUT /bff/profile`: what is named changes. */
export const profileChangeSchema = z.strictObject({
  name: z.optional(personNameSchema),
  preferences: z.optional(profilePreferencesSchema),
  hasChosenTimeZone: z.optional(z.literal(true)),
  hasSeenWelcome: z.optional(z.literal(true)),
})
export type ProfileChange = z.infer<typeof profileChangeSchema>

/** `PUT /bff/profile/password`. Every other session of the account ends. */
export const passwordChangeSchema = z.strictObject({
  current: credentialsSchema.shape.password,
  password: passwordSchema,
})
export type PasswordChange = z.infer<typeof passwordChangeSchema>
