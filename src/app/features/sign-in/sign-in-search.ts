import * as z from 'zod/mini'

const HERE = 'https://lantern.invalid'

const text = z.catch(z.optional(z.string()), undefined)

export const signInSearchSchema = z.object({
  /** Where to go after signing in: a path of this site and nothing else. Any other value is as if absent. */
  redirect: z.catch(z.optional(z.string().check(z.refine(isOwnPath))), undefined),
  /** Why the page came by itself. */
  reason: z.catch(z.optional(z.literal('session_ended')), undefined),
  /** What a provider of single sign-on sends back. */
  state: text,
  code: text,
  iss: text,
  error: text,
})

export function isOwnPath(address: string): boolean {
  // Browsers drop tabs and line breaks and read `\` as `/`, so the parser has the last word.
  return /^\/(?![/\\])/.test(address) && URL.parse(address, HERE)?.origin === HERE
}
