import * as z from 'zod/mini'
import type { Database } from '#database/database.ts'
import { affectsRows, execute, findRow, readRows } from '#database/read-rows.ts'
import type { Answer } from './channels/channel.ts'
import { refuse } from './channels/read-answer.ts'
import { LEASE_MS, UNMARKED_LEASE_MS } from './claim-delivery.ts'
import { type ReadNow, toStorable } from './ledger-access.ts'
import { judge, later, nextBreaker } from './retry-rules.ts'

const EXCERPT_MAX = 200
const ABANDONED_MAX = 100

const deliverySchema = z.object({
  kind: z.enum(['matches', 'digest', 'test', 'notice']),
  state: z.string(),
  attempts: z.int(),
  attemptsBefore: z.int(),
  isLeased: z.boolean(),
  mayHaveArrived: z.boolean(),
  retriesUntil: z.nullable(z.coerce.date()),
  destinationId: z.uuid(),
  wasAccepted: z.boolean(),
  hasLeft: z.boolean(),
})
const abandonedSchema = z.object({ id: z.uuid(), number: z.int(), channel: z.string() })
const erasedSchema = z.object({ mark: z.string() })
const breakerSchema = z.object({ failures: z.int() })

type Completed = {
  readonly id: string
  readonly number: number
  readonly answer: Answer
  readonly recognizesRepeats: boolean
  readonly random: () => number
  readonly readNow: ReadNow
  /** The lease of the attempt expired. A late answer still counts. */
  readonly isAbandoned?: boolean
}

/**
 * Records the result of an attempt for its delivery and its destination. A message that the destination has accepted
 * counts as sent, even if the answer is late.
 */
export async function completeAttempt(db: Database, completed: Completed): Promise<void> {
  const { answer, isAbandoned = false } = completed
  await db.transaction(async (tx) => {
    const destinationId = await completeDelivery(tx, completed)
    if (destinationId && !isAbandoned) await completeDestination(tx, destinationId, answer, completed.readNow)
  })
}

/** Returns the destination; null if the result of the attempt was recorded before. */
async function completeDelivery(tx: Database, completed: Completed): Promise<string | null> {
  const { id, number, recognizesRepeats, isAbandoned = false } = completed
  const now = await completed.readNow(tx)
  const delivery = await lockDelivery(tx, completed, now)
  if (!delivery) return null
  // A worker sends the message only after `markBody`, and never after the attempt has ended.
  const isUnsent = completed.answer.kind === 'unclear' && !delivery.hasLeft
  const answer = isUnsent ? refuse(completed.answer.excerpt) : completed.answer
  const { state, attempts, attemptsBefore, destinationId } = delivery
  const isLatest = attempts === number
  if (isAbandoned && (!isLatest || state !== 'sending' || delivery.isLeased)) return null
  const erased = await readErased(tx, destinationId)
  if (!(await endAttempt(tx, { ...completed, answer }, now, erased?.mark ?? answer.excerpt))) return null
  const wasAccepted = answer.kind === 'accepted' || delivery.wasAccepted
  // A later attempt is in progress. It finds this answer when it completes.
  const isUnderWay = state === 'sending' && !isLatest
  // Another attempt, a person or a stopped cause has changed the delivery since.
  const isOvertaken = !isLatest || !['sending', 'unclear', 'retrying'].includes(state)
  if (isUnderWay || (isOvertaken && !wasAccepted)) return destinationId
  const verdict = wasAccepted
    ? ({ state: 'sent' } as const)
    : judge({
        ...delivery,
        answer,
        number: number - attemptsBefore,
        retriesUntil: delivery.retriesUntil ?? now,
        recognizesRepeats,
        now,
        // The lease has already delayed the next attempt.
        random: isAbandoned ? () => 0 : completed.random,
      })
  const retriesAt = verdict.state === 'retrying' ? verdict.nextAttemptAt : null
  const isLeftOut = erased && retriesAt !== null
  const endState = delivery.mayHaveArrived || answer.kind === 'unclear' ? 'unclear' : 'notSent'
  const values = isLeftOut ? [id, endState, null, now, 'removed'] : [id, verdict.state, retriesAt, now, null]
  await execute(tx, values)`
    update delivery
       set state = $2, next_attempt_at = $3, leased_by = null, leased_until = null, is_open = false, reason = $5,
           touched_at = $4
     where id = $1`
  return destinationId
}

/**
 * An account may be erased during the attempt, and the answer may contain its name. The erasure locks the delivery
 * first.
 */
async function readErased(tx: Database, destinationId: string) {
  return findRow(tx, erasedSchema, [destinationId])`
    select masked as mark from delivery_destination where id = $1 and octet_length(sealed) = 0`
}

async function lockDelivery(tx: Database, { id, number }: Completed, now: Date) {
  return findRow(tx, deliverySchema, [id, number, now, unmarkedBefore(now)])`
    select kind, state, attempts, attempts_before as "attemptsBefore", retries_until as "retriesUntil",
           destination_id as "destinationId", coalesce(not ${IS_ABANDONED}, false) as "isLeased",
           exists (select from delivery_attempt where delivery_id = delivery.id and outcome = 'accepted')
             as "wasAccepted",
           exists (select from delivery_attempt
                    where delivery_id = delivery.id and outcome = 'unclear'
                      and number > attempts_before and number <> $2) as "mayHaveArrived",
           body_from is not null as "hasLeft"
      from delivery join delivery_attempt attempt on delivery_id = delivery.id and number = $2
     where delivery.id = $1 for no key update`
}

/**
 * Records that the message of an attempt may arrive from now on. Throws if the attempt has ended, because another
 * worker may send the message.
 */
export async function markBody(
  db: Database,
  { id, number }: { id: string; number: number },
  readNow: ReadNow,
): Promise<void> {
  const rowCount = await execute(db, [id, number, await readNow(db)])`
    update delivery_attempt set body_from = $3 where delivery_id = $1 and number = $2 and ended_at is null`
  if (rowCount === 0) throw new Error('The attempt has ended before its message left')
}

/** Records how many pages of a message a destination has accepted. */
export async function notePages(db: Database, id: string, pagesTaken: number): Promise<void> {
  await execute(db, [id, pagesTaken])`
    update delivery set pages_taken = greatest(pages_taken, $2) where id = $1`
}

/** Returns false if the attempt had ended before. */
async function endAttempt(
  tx: Database,
  { id, number, answer, isAbandoned = false }: Completed,
  now: Date,
  excerpt: string,
): Promise<boolean> {
  const values = [
    id,
    number,
    now,
    answer.kind,
    codeOf(answer),
    toStorable(excerpt.slice(0, EXCERPT_MAX)),
    isAbandoned,
  ]
  return affectsRows(tx, values)`
    update delivery_attempt
       set ended_at = $3, outcome = $4, code = $5, excerpt = $6, is_abandoned = $7
     where delivery_id = $1 and number = $2 and (outcome is null or is_abandoned)`
}

async function completeDestination(
  tx: Database,
  id: string,
  answer: Answer,
  readNow: ReadNow,
): Promise<void> {
  const destination = await findRow(tx, breakerSchema, [id])`
    select failures from delivery_destination where id = $1 for no key update`
  if (!destination) return
  const now = await readNow(tx)
  const { failures, notBefore } = nextBreaker(destination.failures, answer, now)
  const isGone = answer.kind === 'refused' && answer.isGone === true
  const isAccepted = answer.kind === 'accepted'
  const fault = isAccepted ? null : toStorable(answer.excerpt.slice(0, EXCERPT_MAX))
  const values = [id, failures, notBefore, now, isGone, isAccepted, codeOf(answer), fault]
  await execute(tx, values)`
    update delivery_destination
       set failures = $2, not_before = $3, touched_at = $4,
           ended_at = case when $5 then $4 when $6 then null else ended_at end,
           proven_at = case when $6 then $4 else proven_at end,
           failing_since = case when $6 then null else coalesce(failing_since, $4) end,
           fault_code = case when $6 then null else $7 end,
           fault = case when octet_length(sealed) > 0 or $6 then $8 else masked end
     where id = $1`
}

function codeOf(answer: Answer): string | null {
  return answer.kind === 'unclear' || answer.code === null ? null : toStorable(answer.code)
}

/** True for an attempt whose worker stopped its heartbeats. `$3` is now, `$4` the time of `unmarkedBefore`. */
const IS_ABANDONED = '(leased_until < $4 and (body_from is null or leased_until < $3))'

/** A lease that ends before this time frees an attempt whose message has not left. */
function unmarkedBefore(now: Date): Date {
  return later(now, LEASE_MS - UNMARKED_LEASE_MS)
}

/** Ends attempts whose worker died, or lost the database, before they were complete. */
export async function completeAbandoned(
  db: Database,
  {
    recognizesRepeats,
    ...completed
  }: { recognizesRepeats: ReadonlyMap<string, boolean>; random: () => number; readNow: ReadNow },
): Promise<void> {
  const now = await completed.readNow(db)
  const values = [[...recognizesRepeats.keys()], ABANDONED_MAX, now, unmarkedBefore(now)]
  const rows = await readRows(db, abandonedSchema, values)`
    select delivery.id, number, channel
      from delivery join delivery_destination destination on destination.id = destination_id
      join delivery_attempt on delivery_id = delivery.id and number = attempts
     where channel = any($1) and ${IS_ABANDONED} limit $2`
  const answer = { kind: 'unclear', excerpt: 'Lantern ended before an answer came' } as const
  for (const { id, number, channel } of rows) {
    const recognizes = recognizesRepeats.get(channel) ?? false
    await completeAttempt(db, {
      ...completed,
      id,
      number,
      answer,
      recognizesRepeats: recognizes,
      isAbandoned: true,
    })
  }
}

/** Extends the leases of all attempts of a worker. This is its heartbeat. */
export async function extendLeases(db: Database, worker: string, readNow: ReadNow): Promise<void> {
  const now = await readNow(db)
  await execute(db, [worker, later(now, LEASE_MS), now])`
    update delivery set leased_until = $2, touched_at = $3 where leased_by = $1 and leased_until is not null`
}
