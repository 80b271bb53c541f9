import * as z from 'zod/mini'
import { sessionSchema } from './session.ts'

const shortText = z.string().check(z.minLength(1), z.maxLength(2048))

/** A path of Lantern's own to go on to. */
const ownPathSchema = shortText.check(z.regex(/^\/(?![/\\])/))

/** `POST /bff/sign-in/sso`: answered with the provider's address for this browser to go to. */
export const ssoStartSchema = z.strictObject({ redirect: z.optional(ownPathSchema) })
export const ssoStartedSchema = z.object({ url: z.string() })

/** `POST /bff/sign-in/sso/finish`: what the provider sent back in the address of the sign-in page. */
export const ssoFinishSchema = z.strictObject({
  state: shortText,
  code: z.optional(shortText),
  iss: z.optional(shortText),
  error: z.optional(shortText),
})
export type SsoFinish = z.infer<typeof ssoFinishSchema>

/** Its answer: the session, and where its reader was going. */
export const ssoFinishedSchema = z.extend(sessionSchema, { redirect: z.nullable(z.string()) })
