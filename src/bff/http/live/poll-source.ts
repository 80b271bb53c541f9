import { setTimeout as sleep } from 'node:timers/promises'
import type { Source } from '#contract/bff/source.ts'
import type { LiveHub } from './live-hub.ts'

const LOOK_MS = 2_000

export type SourceFacts = Pick<Source, 'key' | 'sets' | 'trialExpiresAt'> & {
  connectionFault?: string | null
  isDatabaseWritable?: boolean
}

/** Publishes an event when the key or its rights have changed, whichever process found it out. Returns what stops it. */
export function pollSource(hub: LiveHub, readFacts: () => Promise<SourceFacts>): () => Promise<void> {
  const closing = new AbortController()
  async function poll(): Promise<void> {
    let known: string | null = null
    while (!closing.signal.aborted) {
      if (hub.size === 0) known = null
      else {
        // While the database is away nothing is known; the next poll may succeed.
        const facts = await readFacts().then(describeFacts, () => known)
        if (known !== null && facts !== null && facts !== known) hub.publish({ kind: 'source' })
        known = facts
      }
      await sleep(LOOK_MS, undefined, { signal: closing.signal, ref: false }).catch(() => {})
    }
  }
  const polling = poll()
  return async () => {
    closing.abort()
    await polling
  }
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
