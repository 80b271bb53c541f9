import { queryOptions } from '@tanstack/react-query'
import { getJson } from '#app/api/get-json.ts'
import { alertHealthSchema } from '#contract/bff/alert-health.ts'

const POLL_MS = 60_000

/** Free. Read again with the profiles, and by itself each minute, which must not prolong the session. */
export function alertHealthOptions() {
  return queryOptions({
    queryKey: ['alert-profiles', 'health'],
    queryFn: ({ signal }) => getJson('alerts/health', alertHealthSchema, { background: true, signal }),
    refetchInterval: POLL_MS,
  })
}
