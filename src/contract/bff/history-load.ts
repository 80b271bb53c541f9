import * as z from 'zod/mini'
import { momentSchema } from '../moment.ts'
import { gapReasonSchema } from './coverage.ts'

export const loadStateSchema = z.enum(['waiting', 'reading', 'done', 'stopped', 'failed'])

/** A time of the past that a person has requested, ISO 8601 UTC: from its first moment on, before its end. */
export const historyLoadSchema = z.object({
  id: z.string(),
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  state: loadStateSchema,
  /** Whose name it has; null once the account is deleted. */
  requestedBy: z.nullable(z.string()),
  requestedAt: z.iso.datetime(),
  /** Pages read, and how many there are about in all; null where nobody knows. */
  pages: z.int(),
  pagesExpected: z.nullable(z.int()),
  /** Records read, and those of them that were not stored before. */
  records: z.int(),
  added: z.int(),
  /** Down to which time the sync has read, where the list can only be read from its newest record on. */
  reachedFrom: z.nullable(z.iso.datetime()),
  /** Why it failed, or what it waits for: a sentence. */
  reason: z.nullable(z.string()),
})
export type HistoryLoad = z.infer<typeof historyLoadSchema>

/** Describes what can be loaded of a time that is not stored. */
export const loadOfferSchema = z.object({
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  /** True if the load includes everything between this time and what is stored. */
  isBackTo: z.boolean(),
  /** Calls that it takes, about. */
  calls: z.int(),
  /** Calls that are left today; null where the vendor names no limit of a day. */
  callsLeft: z.nullable(z.int()),
})
export type LoadOffer = z.infer<typeof loadOfferSchema>

/** Answer of `GET /bff/history-loads`. Costs no call. */
export const historyLoadsSchema = z.object({
  /** Those that touch the time, under way or ended within the last day; newest first. */
  loads: z.array(historyLoadSchema),
  /** The newest part of the time that is not stored and can be loaded; null where there is none. */
  offer: z.nullable(loadOfferSchema),
  /** Why nothing can be loaded of what is not stored; null where there is an offer, or nothing is missing. */
  refusal: z.nullable(gapReasonSchema),
})
export type HistoryLoads = z.infer<typeof historyLoadsSchema>

/** Body of `POST /bff/history-loads`: a time as it was offered. */
export const newHistoryLoadSchema = z.strictObject({ from: momentSchema, to: momentSchema })
