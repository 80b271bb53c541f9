import * as z from 'zod/mini'
import { sessionSchema } from './session.ts'

/** The next step of a sign-in: a second factor, or setting one up. */
export const signInStepSchema = z.object({
  kind: z.enum(['factor', 'enrol']),
  /** Kinds of second factor that the account can use. */
  hasTotp: z.boolean(),
  hasPasskeys: z.boolean(),
})
export type SignInStep = z.infer<typeof signInStepSchema>

/** Answer of `POST /bff/sign-in` and its kin: the session, or the step before it. */
export const signInAnswerSchema = z.union([sessionSchema, z.object({ step: signInStepSchema })])
export type SignInAnswer = z.infer<typeof signInAnswerSchema>
