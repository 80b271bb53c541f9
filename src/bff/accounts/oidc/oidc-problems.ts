import { errors } from 'jose'
import { AuthorizationResponseError, ResponseBodyError } from 'openid-client'
import * as z from 'zod/mini'
import { ProblemError, signInFailed } from '#bff/http/problem-error.ts'
import { NotAnewError } from './oidc-provider.ts'

const authTimeSchema = z.object({ claim: z.literal('auth_time') })
/** There are no keys to verify by: any answer but a list of them is one of a server that is down. */
const NO_KEYS = ['ERR_JWKS_TIMEOUT', 'ERR_JOSE_GENERIC']

/** Describes a failure of the provider for the person who waits for it. */
export function problemOf(error: unknown, hasPasswordSignIn = true): ProblemError {
  if (error instanceof AuthorizationResponseError) {
    return failed('Your identity provider did not let you in. Try again, or ask whoever runs it.')
  }
  if (error instanceof ResponseBodyError) {
    return failed(
      'Your identity provider took its word back. Begin again; if that does not help, tell an admin.',
    )
  }
  if (isAboutAuthTime(error)) {
    return failed(
      'Your identity provider did not say that you signed in just now (auth_time). You are still signed in here as before. Sign in again, and ask whoever runs the provider if that does not help.',
    )
  }
  if (isNoAnswer(error)) {
    return new ProblemError({
      code: 'sign_in_unavailable',
      detail: `The identity provider does not answer. Try again in a minute, or ${
        hasPasswordSignIn
          ? 'sign in with email and password.'
          : 'ask whoever runs this Lantern: the command break-glass lets an admin in.'
      }`,
    })
  }
  if (hasCode(error, 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED')) {
    return failed('The clocks of your identity provider and of Lantern differ. Tell an admin.')
  }
  return failed(
    'Your identity provider answered with what Lantern cannot accept. Tell an admin: the log says what it is.',
  )
}

/** The browser was not sent to the provider for this answer. */
export function notBegunHere(): ProblemError {
  return failed('This sign-in was not begun in this browser, or more than 10 minutes ago. Begin again.')
}

export function failed(detail: string): ProblemError {
  return signInFailed(detail)
}

/** `fetch` fails with a TypeError, also where an answer breaks off; a server that is down may have one stand in for it. */
function isNoAnswer(error: unknown): boolean {
  if (error instanceof Response) return error.status >= 500
  if (!(error instanceof Error)) return false
  if (error instanceof errors.JOSEError) return NO_KEYS.includes(error.code)
  return error instanceof TypeError || hasCode(error, 'OAUTH_TIMEOUT') || isNoAnswer(error.cause)
}

/** The library refuses it where it is missing or too old, and names the claim. */
function isAboutAuthTime(error: unknown): boolean {
  if (error instanceof NotAnewError) return true
  if (!(error instanceof Error)) return false
  if (authTimeSchema.safeParse(error.cause).success) return true
  return error.message.includes('auth_time') || isAboutAuthTime(error.cause)
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
