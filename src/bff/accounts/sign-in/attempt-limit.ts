import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import { ProblemError } from '#bff/http/problem-error.ts'
import type { Database } from '#database/database.ts'
import { isoUtc } from '#database/iso-timestamp.ts'
import { execute, onlyColumn, readRow } from '#database/read-rows.ts'

/** Failures are counted by these. */
export type AttemptBucket = {
  key: Buffer
  /** The longest that its failures can make the next attempt wait. */
  maxDelaySeconds: number
  /** Others may have failed here too: a success forgives itself only. */
  isShared: boolean
}

const FREE_FAILURES = 5

/** The wait is short, so that an attack from everywhere cannot keep the owner's new device out for long. */
export function accountBucket(email: string): AttemptBucket {
  return { key: hashKey('account', email), maxDelaySeconds: 60, isShared: false }
}

export function addressBucket(address: string): AttemptBucket {
  return { key: hashKey('address', address), maxDelaySeconds: 15 * 60, isShared: true }
}

/** Limits the single sign-on answers that the provider refuses, so that few of them reach it. */
export function ssoAddressBucket(address: string): AttemptBucket {
  return { key: hashKey('sso-address', address), maxDelaySeconds: 60, isShared: true }
}

/** A device that the account has signed in from: only failures made there count against it. */
export function knownDeviceBucket(accountId: string, device: string): AttemptBucket {
  return { key: hashKey('known', accountId, device), maxDelaySeconds: 15 * 60, isShared: false }
}

/** Guesses of the password at a session that stands open. */
export function passwordBucket(accountId: string): AttemptBucket {
  return { key: hashKey('password', accountId), maxDelaySeconds: 15 * 60, isShared: false }
}

/** Codes and passkeys tried after the right password: strangers' failures do not slow a browser that is known. */
export function factorBucket(accountId: string, isKnownDevice: boolean): AttemptBucket {
  const key = hashKey('factor', accountId, isKnownDevice ? 'known' : 'new')
  return { key, maxDelaySeconds: 15 * 60, isShared: false }
}

/** Returns the bucket of a known address. It waits as long as an account, so that strangers there learn nothing. */
export function knownAddressBucket(email: string, address: string): AttemptBucket {
  return { ...accountBucket(''), key: hashKey('known-address', email, address) }
}

/**
 * Counts an attempt as failed before it is made, so that parallel guesses cannot outrun the count. A refusal does not
 * prolong the wait. `now()` is when a transaction began: one that has waited for another's row compares with the clock.
 */
export async function reserveAttempt(db: Database, buckets: readonly AttemptBucket[]): Promise<void> {
  await db.transaction(async (transaction) => {
    await transaction.query(`delete from sign_in_attempt where changed_at < now() - interval '1 day'`)
    for (const { key, maxDelaySeconds } of buckets) {
      const rowCount = await execute(transaction, [key, FREE_FAILURES, maxDelaySeconds])`
        insert into sign_in_attempt as attempt (bucket, failures, blocked_until) values ($1, 1, now())
        on conflict (bucket) do update set
          failures = attempt.failures + 1,
          changed_at = now(),
          blocked_until = now() + case when attempt.failures + 1 < $2 then interval '0'
            else make_interval(secs => least($3, power(2, least(attempt.failures + 1 - $2, 20)))) end
        where attempt.blocked_until <= clock_timestamp()`
      if (rowCount === 0) throw tooManyAttempts(await readBlockedUntil(transaction, key))
    }
  })
}

/** Takes back what a successful attempt had reserved. */
export async function forgiveAttempt(db: Database, buckets: readonly AttemptBucket[]): Promise<void> {
  const values = [
    buckets.map(({ key }) => key),
    buckets.filter(({ isShared }) => isShared).map(({ key }) => key),
  ]
  await execute(db, values)`
    update sign_in_attempt
       set failures = case when bucket = any($2) then greatest(0, failures - 1) else 0 end, blocked_until = now()
     where bucket = any($1)`
}

async function readBlockedUntil(db: Database, key: Buffer): Promise<string> {
  return readRow(db, onlyColumn(z.iso.datetime()), [key])`
    select ${isoUtc('blocked_until')} as "blockedUntil"
      from sign_in_attempt where bucket = $1`
}

function tooManyAttempts(retryAt: string): ProblemError {
  return new ProblemError({
    code: 'too_many_attempts',
    detail:
      'Wait, then try again. A browser that has signed in before is not slowed by failures made elsewhere.',
    retryAt,
  })
}

function hashKey(...parts: readonly string[]): Buffer {
  return createHash('sha256').update(parts.join('\n')).digest()
}
