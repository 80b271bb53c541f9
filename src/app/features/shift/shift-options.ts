import { queryOptions } from '@tanstack/react-query'
import { getJson } from '#app/api/get-json.ts'
import { sendJson } from '#app/api/send-json.ts'
import { shiftSchema, shiftStartSchema } from '#contract/bff/shift.ts'

/** Cases become overdue by time alone, without an event. */
const AGE_MAX_MS = 60_000

/** Reads what happened since a moment; from the store, free. */
export function shiftOptions(since: string) {
  return queryOptions({
    queryKey: ['shift', since],
    queryFn: ({ signal }) => getJson('shift', shiftSchema, { query: { since }, signal, background: true }),
    refetchInterval: AGE_MAX_MS,
  })
}

/** Notes a visit of the page, and reads when it begins. Nothing is cached: each visit is noted. */
export function shiftVisitOptions(timeZone: string) {
  return queryOptions({
    queryKey: ['shift-visits', timeZone],
    queryFn: () => sendJson('shift-visits', shiftStartSchema, { body: { timeZone } }),
    gcTime: 0,
    staleTime: 0,
  })
}
