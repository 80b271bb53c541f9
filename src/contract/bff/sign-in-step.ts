import * as z from 'zod/mini'
import { sessionSchema } from './session.ts'

/** What a sign-in still needs: a second factor, or that one is set up. */
export const signInStepSchema = z.object({
  kind: z.enum(['factor', 'enrol']),
  /** What a second factor may be given by. */
  hasTotp: z.boolean(),
  hasPasskeys: z.boolean(),
})
export type SignInStep = z.infer<typeof signInStepSchema>

/** Answer of `POST /bff/sign-in` and its kin: the session, or the step before it. */
export const signInAnswerSchema = z.union([sessionSchema, z.object({ step: signInStepSchema })])
export type SignInAnswer = z.infer<typeof signInAnswerSchema>
