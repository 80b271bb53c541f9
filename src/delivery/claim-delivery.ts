import * as z from 'zod/mini'
import type { Database } from '#database/database.ts'
import { execute, findRow } from '#database/read-rows.ts'
import { endEmptied, leaveOutStopped, STATE_OF_UNSENT } from './causes.ts'
import type { ReadNow } from './ledger-access.ts'
import {
  CAP_PERIOD_MS,
  freeAfter,
  GROUP_MS,
  HOURLY_CAP,
  isTrial,
  later,
  type Rate,
  retriesUntil,
} from './retry-rules.ts'

/** An attempt belongs to its worker for this long after the last heartbeat. */
export const LEASE_MS = 60_000
/**
 * The same limit for an attempt whose message was not sent yet. Ending it early cannot send twice: `markBody` stops a
 * worker whose attempt has ended.
 */
export const UNMARKED_LEASE_MS = 10_000

const dueSchema = z.object({
  id: z.uuid(),
  kind: z.enum(['matches', 'digest', 'test', 'notice']),
  content: z.unknown(),
  isRequested: z.boolean(),
  isOpen: z.boolean(),
  isUrgent: z.boolean(),
  attempts: z.int(),
  pagesTaken: z.int(),
  destinationId: z.uuid(),
  channel: z.string(),
  line: z.string(),
  fingerprint: z.string(),
  sealed: z.string(),
  failures: z.int(),
  isEnded: z.boolean(),
  freeAt: z.nullable(z.coerce.date()),
  hourFrom: z.nullable(z.coerce.date()),
  hourCount: z.int(),
})
type Due = z.infer<typeof dueSchema>

/** A delivery that only this worker may send now. */
export type Claimed = Due & {
  /** The attempt number, from 1. */
  readonly number: number
}

/** Destinations and servers (`lines`) to which this worker already makes as many attempts as it may. */
export type Busy = { readonly destinations: readonly string[]; readonly lines: readonly string[] }

type ClaimOptions = {
  readonly worker: string
  readonly channels: readonly string[]
  readonly busy: Busy
  readonly rateOf: (channel: string) => Rate
  readonly readNow: ReadNow
  /** Marks matches as removed if their cause no longer notifies the destination. */
  readonly leaveOutRemoved?: (tx: Database, due: Due) => Promise<void>
}

/** Claims a due delivery. Returns 'put aside' if that delivery may not be sent now, and null if nothing is due. */
export async function claimDelivery(
  db: Database,
  options: ClaimOptions,
): Promise<Claimed | 'put aside' | null> {
  return db.transaction(async (tx) => {
    const now = await options.readNow(tx)
    const due = await takeDue(tx, options, now)
    if (!due) return null
    if (due.isEnded && !due.isRequested) {
      await endWithDestination(tx, due.id, now)
      return 'put aside'
    }
    if (due.kind === 'matches' || due.kind === 'digest') {
      await leaveOutStopped(tx, due.id)
      await options.leaveOutRemoved?.(tx, due)
      if (await endEmptied(tx, due.id)) return 'put aside'
    }
    // The hourly cap does not apply to deliveries with critical threats.
    const capped = due.isOpen && !due.isUrgent ? countMessage(due, now) : null
    if (capped?.heldUntil) {
      await holdBack(tx, due.id, capped.heldUntil, now)
      return 'put aside'
    }
    await chargeDestination(tx, due, { now, rate: options.rateOf(due.channel), capped })
    await startAttempt(tx, due.id, options.worker, now)
    return { ...due, number: due.attempts + 1 }
  })
}

/**
 * Claims critical deliveries first. It locks the destination as well, so that no other worker decides on it. A test
 * message ignores the circuit breaker and the end of a destination.
 */
async function takeDue(tx: Database, { channels, busy }: ClaimOptions, now: Date): Promise<Due | null> {
  return findRow(tx, dueSchema, [now, channels, busy.destinations, busy.lines])`
    select delivery.id, kind, content, kind = 'test' and content -> 'requestedBy' <> 'null' as "isRequested", is_open as "isOpen", is_urgent as "isUrgent", attempts,
           pages_taken as "pagesTaken",
           destination_id as "destinationId", channel, line, encode(fingerprint, 'hex') as fingerprint, encode(sealed, 'hex') as sealed, failures,
           ended_at is not null as "isEnded", free_at as "freeAt", hour_from as "hourFrom", hour_count as "hourCount"
      from delivery join delivery_destination destination on destination.id = destination_id
     where next_attempt_at <= $1 and channel = any($2) and destination_id <> all($3::uuid[])
       and line <> all($4)
       and (free_at is null or free_at <= $1) and (not_before is null or not_before <= $1 or kind = 'test')
     order by is_urgent desc, next_attempt_at
     limit 1 for no key update skip locked`
}

/**
 * Ends a delivery because its destination requested no further messages. A message that may have arrived is not
 * recorded as unsent.
 */
async function endWithDestination(tx: Database, id: string, now: Date): Promise<void> {
  await execute(tx, [id, now])`
    update delivery
       set state = ${STATE_OF_UNSENT}, reason = 'ended', is_open = false, next_attempt_at = null, touched_at = $2
     where id = $1`
}

type Capped = { readonly hourFrom: Date; readonly hourCount: number; readonly heldUntil: Date | null }

function countMessage({ hourFrom, hourCount }: Due, now: Date): Capped {
  const ends = hourFrom && later(hourFrom, CAP_PERIOD_MS)
  if (!hourFrom || !ends || ends <= now) return { hourFrom: now, hourCount: 1, heldUntil: null }
  return { hourFrom, hourCount: hourCount + 1, heldUntil: hourCount < HOURLY_CAP ? null : ends }
}

/** Postpones a delivery until the hour is over. Further matches are added to it, so that it becomes the summary. */
async function holdBack(tx: Database, id: string, until: Date, now: Date): Promise<void> {
  await execute(tx, [id, until, now])`
    update delivery set state = 'heldBack', next_attempt_at = $2, touched_at = $3 where id = $1`
}

async function chargeDestination(
  tx: Database,
  { destinationId, freeAt, failures, kind, isOpen }: Due,
  { now, rate, capped }: { now: Date; rate: Rate; capped: Capped | null },
): Promise<void> {
  await execute(tx, [
    destinationId,
    freeAfter(freeAt, now, rate),
    now,
    isTrial(failures) && kind !== 'test',
    later(now, LEASE_MS),
    isOpen ? later(now, GROUP_MS) : null,
    capped?.hourFrom,
    capped?.hourCount,
  ])`
    update delivery_destination
       set free_at = $2, touched_at = $3,
           not_before = case when $4 then $5 else not_before end,
           gathers_until = coalesce($6, gathers_until),
           hour_from = coalesce($7, hour_from), hour_count = coalesce($8, hour_count)
     where id = $1`
}

async function startAttempt(tx: Database, id: string, worker: string, now: Date): Promise<void> {
  await execute(tx, [id, worker, retriesUntil(now), later(now, LEASE_MS), now])`
    with started as (
      update delivery
         set state = 'sending', is_open = false, attempts = attempts + 1, next_attempt_at = null,
             retries_until = coalesce(retries_until, $3), leased_by = $2, leased_until = $4, touched_at = $5
       where id = $1 returning id, attempts)
    insert into delivery_attempt (delivery_id, number, started_at) select id, attempts, $5 from started`
}
