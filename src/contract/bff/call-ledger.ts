import * as z from 'zod/mini'
import { routeSetSchema } from '../route-set.ts'

/** The reason of a call: a person, a page that updates by itself, the sync, or a prefetch. */
export const callPrioritySchema = z.enum(['person', 'refresh', 'window', 'prefetch'])
export type CallPriority = z.infer<typeof callPrioritySchema>

/** One call that was made, or refused for want of budget. No secrets, no search terms. */
export const ledgerCallSchema = z.object({
  at: z.iso.datetime(),
  set: routeSetSchema,
  route: z.string(),
  priority: callPrioritySchema,
  /** Email of the person who waited; null for the reader and for accounts that are gone. */
  who: z.nullable(z.string()),
  outcome: z.enum(['answered', 'refused_by_vendor', 'failed', 'saved']),
  /** HTTP status; null where there was no answer. */
  status: z.nullable(z.int()),
  durationMs: z.nullable(z.int()),
})
export type LedgerCall = z.infer<typeof ledgerCallSchema>

/** The ledger's answer holds this many calls. */
export const CALLS_MAX_COUNT = 200

/** Answer of `GET /bff/calls` (admins): the newest calls, and the calls of each hour of the current UTC day. */
export const callLedgerSchema = z.object({
  calls: z.array(ledgerCallSchema),
  hours: z.array(z.object({ hour: z.int(), set: routeSetSchema, calls: z.int() })),
})
export type CallLedger = z.infer<typeof callLedgerSchema>
