import { mutationOptions } from '@tanstack/react-query'
import { sendJson } from '#app/api/send-json.ts'
import { type Credentials, sessionSchema } from '#contract/bff/session.ts'
import { type SsoFinish, ssoFinishedSchema, ssoStartedSchema } from '#contract/bff/single-sign-on.ts'
import type { PasswordByLink } from '#contract/bff/user.ts'

export function signInMutation() {
  return mutationOptions({
    mutationKey: ['sign-in'],
    mutationFn: (credentials: Credentials) => sendJson('sign-in', sessionSchema, { body: credentials }),
  })
}

/** Redeems the one-time link that the server prints when it starts. */
export function signInLinkMutation() {
  return mutationOptions({
    mutationKey: ['sign-in', 'link'],
    mutationFn: (token: string) => sendJson('sign-in/link', sessionSchema, { body: { token } }),
  })
}

/** Redeems the link that an admin passed on. */
export function setPasswordMutation() {
  return mutationOptions({
    mutationKey: ['sign-in', 'password'],
    mutationFn: (body: PasswordByLink) => sendJson('sign-in/password-link', sessionSchema, { body }),
  })
}

/** Leads this browser to the provider of single sign-on. */
export function startSsoMutation() {
  return mutationOptions({
    mutationKey: ['sign-in', 'sso'],
    mutationFn: async (redirect: string | undefined) => {
      const { url } = await sendJson('sign-in/sso', ssoStartedSchema, { body: { redirect } })
      // Not a step of Back: it would lead forward again.
      location.replace(url)
    },
  })
}

/** Brings the provider's answer to the server. */
export function finishSsoMutation() {
  return mutationOptions({
    mutationKey: ['sign-in', 'sso', 'finish'],
    mutationFn: (body: SsoFinish) => sendJson('sign-in/sso/finish', ssoFinishedSchema, { body }),
  })
}
