import { mutationOptions } from '@tanstack/react-query'
import { sendJson } from '#app/api/send-json.ts'
import { type Credentials, sessionSchema } from '#contract/bff/session.ts'

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
