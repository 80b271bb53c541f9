import { randomUUID } from 'node:crypto'
import { ProblemError } from '#bff/http/problem-error.ts'
import { claimAnswer, releaseAnswer } from '#bff/upstream/client/stored-answer-queries.ts'
import { pollUntil } from '#server/poll-until.ts'
import type { AlertContext } from './alert-context.ts'

/** Nobody waits longer than 35 seconds in all: for the turn, then for the list and for one change. */
const WAIT = { everyMs: 100, forMs: 8_000 }
/** Longer than a turn may take. The turn of a process that has died ends then. */
const TURN_MAX_MS = 30_000
/** The claims of stored answers order the turns too, and hold no connection meanwhile. Their names have 32 bytes. */
const TURN = Buffer.from('orders changes of alert profiles')

/** Makes changes of profiles of our own service, one after the other in all processes: one that reads them first misses none. */
export async function takeSourceTurn<Result>(
  { database, clock, log }: AlertContext,
  run: () => Promise<Result>,
): Promise<Result> {
  const claimant = randomUUID()
  const claim = () => {
    const nowMs = clock.nowMs()
    return claimAnswer(database, TURN, { claimant, nowMs, untilMs: nowMs + TURN_MAX_MS })
  }
  if (!(await pollUntil(claim, WAIT))) {
    throw new ProblemError({
      code: 'upstream_timeout',
      detail:
        'Another change waits for the vendor, which does not answer. Nothing was changed. Try again in a minute.',
    })
  }
  try {
    return await run()
  } finally {
    await releaseAnswer(database, TURN, { claimant, isGone: true }).catch((error: unknown) =>
      log.error('source-turn-not-ended', error),
    )
  }
}
