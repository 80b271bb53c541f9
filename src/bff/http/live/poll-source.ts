import type { Source } from '#contract/bff/source.ts'
import { startLoop } from '#server/start-loop.ts'
import type { LiveHub } from './live-hub.ts'

const POLL_MS = 2_000

export type SourceFacts = Pick<Source, 'key' | 'sets' | 'trialExpiresAt'> & {
  connectionFault?: string | null
  isDatabaseWritable?: boolean
}

/** Publishes an event when the key or its rights have changed, whichever process found it out. Returns what stops it. */
export function pollSource(hub: LiveHub, readFacts: () => Promise<SourceFacts>): () => Promise<void> {
  let known: string | null = null
  async function poll(): Promise<void> {
    const facts = hub.size === 0 ? null : describeFacts(await readFacts())
    if (known !== null && facts !== null && facts !== known) hub.publish({ kind: 'source' })
    known = facts
  }
  // While the database is away nothing is known; the next poll may succeed.
  return startLoop(poll, { everyMs: POLL_MS, onFault() {} }).stop
}

/** The count of calls is left out, because each call changes it. */
function describeFacts({
  key,
  sets,
  trialExpiresAt,
  connectionFault = null,
  isDatabaseWritable,
}: SourceFacts): string {
  const states = Object.values(sets).map(({ budgets, ...state }) => state)
  return JSON.stringify([key, trialExpiresAt, connectionFault, isDatabaseWritable, states])
}
