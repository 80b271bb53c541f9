import * as z from 'zod/mini'
import { roleSchema } from './session.ts'

export const PASSWORD_MIN_LENGTH = 12
export const passwordSchema = z
  .string()
  .check(z.minLength(PASSWORD_MIN_LENGTH, `Use ${PASSWORD_MIN_LENGTH} characters or more.`), z.maxLength(128))

/** One line of visible characters. */
export const personNameSchema = z
  .string()
  .check(z.trim(), z.minLength(1), z.maxLength(100), z.regex(/^\P{C}*$/u))

/** An account as admins see it. */
export const userSchema = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  role: roleSchema,
  /** `invited`: has not signed in by any means of its own yet. */
  state: z.enum(['active', 'invited', 'disabled']),
  hasPassword: z.boolean(),
  hasSingleSignOn: z.boolean(),
  hasSecondFactor: z.boolean(),
  /** Browsers that are signed in now. */
  sessions: z.int(),
  createdAt: z.iso.datetime(),
  lastSignInAt: z.nullable(z.iso.datetime()),
  /** When its open one-time link ends; null without one. */
  linkExpiresAt: z.nullable(z.iso.datetime()),
  /** When a break-glass link that was made at the console ends; null without one. */
  breakGlassUntil: z.nullable(z.iso.datetime()),
})
export type User = z.infer<typeof userSchema>

/** Answer of `GET /bff/users` (admins): by email. */
export const userListSchema = z.object({ users: z.array(userSchema) })

/** Answer of what changes one user. */
export const userAnswerSchema = z.object({ user: userSchema })

/** A one-time link, shown once: only a hash of it is kept. */
export const passwordLinkSchema = z.object({ url: z.string(), expiresAt: z.iso.datetime() })
export type PasswordLink = z.infer<typeof passwordLinkSchema>

/** `POST /bff/users`. */
export const newUserSchema = z.strictObject({
  email: z.email().check(z.maxLength(254), z.toLowerCase()),
  name: z.optional(personNameSchema),
  role: roleSchema,
})
export type NewUser = z.infer<typeof newUserSchema>

/** Answer of `POST /bff/users/:id/link`. */
export const userWithLinkSchema = z.extend(userAnswerSchema, { link: passwordLinkSchema })
export type UserWithLink = z.infer<typeof userWithLinkSchema>

/** Answer of `POST /bff/users`: the link is null where nobody has a password. */
export const userAddedSchema = z.extend(userAnswerSchema, { link: z.nullable(passwordLinkSchema) })
export type UserAdded = z.infer<typeof userAddedSchema>

/** `PUT /bff/users/:id`: what is named changes. */
export const userChangeSchema = z.strictObject({
  name: z.optional(personNameSchema),
  role: z.optional(roleSchema),
  isDisabled: z.optional(z.boolean()),
})
export type UserChange = z.infer<typeof userChangeSchema>

/** `POST /bff/sign-in/password-link`: `/sign-in#password=TOKEN` sets a password and signs in. */
export const passwordByLinkSchema = z.strictObject({
  token: z.string().check(z.regex(/^[A-Za-z0-9_-]{43}$/)),
  password: passwordSchema,
})
export type PasswordByLink = z.infer<typeof passwordByLinkSchema>
