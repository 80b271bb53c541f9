import { queryOptions } from '@tanstack/react-query'
import { getJson } from '#app/api/get-json.ts'
import { callLedgerSchema } from '#contract/bff/call-ledger.ts'

const POLL_MS = 30_000

/** Costs no vendor call. Its polls must not prolong the session. */
export function callLedgerOptions() {
  return queryOptions({
    queryKey: ['calls'],
    queryFn: ({ signal }) => getJson('calls', callLedgerSchema, { signal, background: true }),
    refetchInterval: POLL_MS,
  })
}
