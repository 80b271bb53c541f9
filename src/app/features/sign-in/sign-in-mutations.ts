import { mutationOptions } from '@tanstack/react-query'
import { getJson } from '#app/api/get-json.ts'
import { sendJson } from '#app/api/send-json.ts'
import type { Credentials } from '#contract/bff/session.ts'
import { awaitedStepSchema, type SignInStep, signInAnswerSchema } from '#contract/bff/sign-in-step.ts'
import { type SsoFinish, ssoFinishedSchema } from '#contract/bff/single-sign-on.ts'
import type { PasswordByLink } from '#contract/bff/user.ts'

/** What a sign-in that was begun in this browser waits for, as after a reload. Not a query: the end of a session clears those. */
export async function readAwaitedStep(signal: AbortSignal): Promise<SignInStep | null> {
  return (await getJson('sign-in/second-step', awaitedStepSchema, { signal })).step
}

export function signInMutation() {
  return mutationOptions({
    mutationKey: ['sign-in'],
    mutationFn: (credentials: Credentials) => sendJson('sign-in', signInAnswerSchema, { body: credentials }),
  })
}

/** Redeems the one-time link that the server prints when it starts. */
export function signInLinkMutation() {
  return mutationOptions({
    mutationKey: ['sign-in', 'link'],
    mutationFn: (token: string) => sendJson('sign-in/link', signInAnswerSchema, { body: { token } }),
  })
}

/** Redeems the link that an admin passed on. */
export function setPasswordMutation() {
  return mutationOptions({
    mutationKey: ['sign-in', 'password'],
    mutationFn: (body: PasswordByLink) => sendJson('sign-in/password-link', signInAnswerSchema, { body }),
  })
}

/** Brings the provider's answer to the server. */
export function finishSsoMutation() {
  return mutationOptions({
    mutationKey: ['sign-in', 'sso', 'finish'],
    mutationFn: (body: SsoFinish) => sendJson('sign-in/sso/finish', ssoFinishedSchema, { body }),
  })
}
