import { type LiveEvent, liveEventSchema } from '#contract/bff/live.ts'
import type { Database } from '#database/database.ts'
import type { Channel } from '#database/listen.ts'

const LIVE_CHANNEL = 'lantern_live'
/** PostgreSQL takes no payload of 8,000 bytes or more. */
const PAYLOAD_MAX_BYTES = 7_900

/** Sends an event to the open pages of every process. Inside a transaction it goes out at the commit. */
export async function notifyLive(db: Database, event: LiveEvent): Promise<void> {
  const whole = JSON.stringify(event)
  const payload = Buffer.byteLength(whole) > PAYLOAD_MAX_BYTES ? JSON.stringify({ kind: event.kind }) : whole
  await db.query('select pg_notify($1, $2)', [LIVE_CHANNEL, payload])
}

/** Receives the events of every process, this one included. */
export function liveChannel(publish: (event: LiveEvent) => void): Channel {
  return {
    name: LIVE_CHANNEL,
    onNotice(payload) {
      const event = readEvent(payload)
      if (event) publish(event)
    },
  }
}

/** Null for an event that only a newer process knows. */
function readEvent(payload: string): LiveEvent | null {
  try {
    return liveEventSchema.parse(JSON.parse(payload))
  } catch {
    return null
  }
}
