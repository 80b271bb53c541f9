import { mutationOptions } from '@tanstack/react-query'
import { sendJson } from '#app/api/send-json.ts'
import { ssoStartedSchema } from '#contract/bff/single-sign-on.ts'

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
