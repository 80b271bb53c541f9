import { createHmac, timingSafeEqual } from 'node:crypto'
import * as z from 'zod/mini'
import { attributesOf } from '#bff/http/cookies.ts'
import { createToken } from '#bff/http/token.ts'

const LIFETIME_SECONDS = 10 * 60

const flowSchema = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  /** The page that the user wanted to open. */
  redirect: z.nullable(z.string()),
  /** The session whose account is to be linked, where that is what was begun. */
  linkedSession: z.optional(z.string()),
  /** The provider had to request a new sign-in, which is a fresh proof. */
  isAnew: z.optional(z.boolean()),
  /** Epoch seconds. */
  endsAt: z.number(),
})
/** A sign-in that began here needs these: the browser brings some back, and the provider signs the others. */
export type OidcFlow = z.infer<typeof flowSchema>

export function beginFlow(
  redirect: string | null,
  { linkedSession, isAnew }: { linkedSession?: string; isAnew?: boolean } = {},
): OidcFlow {
  const [state, nonce, verifier] = [createToken(), createToken(), createToken()]
  const endsAt = nowSeconds() + LIFETIME_SECONDS
  const purpose = { ...(linkedSession && { linkedSession }), ...(isAnew && { isAnew }) }
  return { state, nonce, verifier, redirect, ...purpose, endsAt }
}

/** Returns how long ago a flow began. */
export function ageOf({ endsAt }: OidcFlow): number {
  return Math.max(0, nowSeconds() - (endsAt - LIFETIME_SECONDS))
}

export function flowCookieName(isHttps: boolean): string {
  return isHttps ? '__Host-Http-sso' : 'lantern_sso'
}

/**
 * Strict like the session's cookie: the provider leads back to a page of ours, and it is that page that asks to finish,
 * so that no request of another site's making needs the cookie.
 */
export function flowCookie(isHttps: boolean, secret: string, flow: OidcFlow): string {
  const text = Buffer.from(JSON.stringify(flow)).toString('base64url')
  const signature = sign(secret, text).toString('base64url')
  return `${flowCookieName(isHttps)}=${text}.${signature}${attributesOf(isHttps)}; Max-Age=${LIFETIME_SECONDS}`
}

export function endedFlowCookie(isHttps: boolean): string {
  return `${flowCookieName(isHttps)}=${attributesOf(isHttps)}; Max-Age=0`
}

/** The flow that a cookie holds; null when none of the secrets signed it, or its time is over. */
export function readFlow(secrets: readonly string[], cookie: string | null): OidcFlow | null {
  const [text = '', signature = ''] = cookie?.split('.') ?? []
  const given = Buffer.from(signature, 'base64url')
  const isOurs = secrets.some((secret) => {
    const right = sign(secret, text)
    return given.length === right.length && timingSafeEqual(given, right)
  })
  if (!isOurs) return null
  const flow = flowSchema.parse(JSON.parse(Buffer.from(text, 'base64url').toString()))
  return flow.endsAt > nowSeconds() ? flow : null
}

function sign(secret: string, text: string): Buffer {
  return createHmac('sha256', secret).update(`oidc-flow\n${text}`).digest()
}

function nowSeconds(): number {
  return Math.floor(Date.now() / 1000)
}
