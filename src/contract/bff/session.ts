import * as z from 'zod/mini'

/** Worst-equipped first: each role may do all that the ones before it may. */
export const ROLES = ['viewer', 'analyst', 'admin'] as const
export const roleSchema = z.enum(ROLES)
export type Role = z.infer<typeof roleSchema>

/** A session, as what opens one answers it. */
export const sessionSchema = z.object({
  user: z.object({
    id: z.string(),
    email: z.string(),
    name: z.string(),
    role: roleSchema,
  }),
  /** The absolute end of the session; idleness may end it sooner. */
  expiresAt: z.iso.datetime(),
})
export type Session = z.infer<typeof sessionSchema>

/** Answer of `GET /bff/session`, which needs no session: null says that nobody is signed in. */
export const sessionAnswerSchema = z.nullable(sessionSchema)
export type SessionAnswer = z.infer<typeof sessionAnswerSchema>

export const credentialsSchema = z.strictObject({
  email: z.email().check(z.maxLength(254)),
  password: z.string().check(z.minLength(1), z.maxLength(256)),
})
export type Credentials = z.infer<typeof credentialsSchema>

/** The one-time link that `npm start` prints: `/sign-in#link=TOKEN`, so that the token stays out of logs. */
export const signInLinkSchema = z.strictObject({ token: z.string().check(z.regex(/^[A-Za-z0-9_-]{43}$/)) })

/** Answer of `GET /bff/sign-in/options`, which needs no session: what the sign-in page may offer. */
export const signInOptionsSchema = z.object({
  /** True if this browser is already signed in. */
  hasSession: z.boolean(),
  hasSingleSignOn: z.boolean(),
  hasPasswordSignIn: z.boolean(),
})
export type SignInOptions = z.infer<typeof signInOptionsSchema>
