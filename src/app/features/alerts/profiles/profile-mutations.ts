import { mutationOptions, type QueryClient } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { sendJson } from '#app/api/send-json.ts'
import { type AlertChange, type AlertTest, alertTestsSentSchema } from '#contract/bff/alert.ts'
import { alertsKey } from '../alert-options.ts'

/**
 * Changes to a profile of the account, if the vendor permits them. After each one the list is read again, also if it
 * was refused.
 */
export function profileMutations(queryClient: QueryClient) {
  const onSettled = () => queryClient.invalidateQueries({ queryKey: alertsKey })
  return {
    change: mutationOptions({
      mutationFn: ({ id, change }: { id: string; change: AlertChange }) =>
        sendJson(`alerts/${encodeURIComponent(id)}`, z.undefined(), { method: 'PUT', body: change }),
      onSettled,
    }),
    remove: mutationOptions({
      mutationFn: (id: string) =>
        sendJson(`alerts/${encodeURIComponent(id)}`, z.undefined(), { method: 'DELETE' }),
      onSettled,
    }),
  }
}

/** To a destination that no profile has yet. */
export async function testDestination(test: AlertTest) {
  return (await sendJson('alerts/test', alertTestsSentSchema, { body: test })).sent
}

/** To each destination of a profile. */
export async function testProfile(id: string) {
  return (await sendJson(`alerts/${encodeURIComponent(id)}/test`, alertTestsSentSchema, {})).sent
}

/** To one of them: `email.0`, `slack`, `teams`. */
export async function testOneDestination(id: string, destination: string) {
  const about = encodeURIComponent(id)
  return (await sendJson(`alerts/${about}/destinations/${destination}/test`, alertTestsSentSchema, {})).sent
}
