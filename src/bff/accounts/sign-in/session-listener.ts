import type { Channel } from '#database/listen.ts'
import { SESSIONS_ENDED_CHANNEL } from './session-queries.ts'
import type { SessionStore } from './session-store.ts'

/**
 * Listens for sessions that other processes end. While the connection is down, this process keeps no session in memory:
 * either a sign-out takes effect everywhere at once, or each request queries the database.
 */
export function endedSessionsChannel(
  sessions: SessionStore,
  onEnded: (accountId: string) => void = () => {},
): Channel {
  return {
    name: SESSIONS_ENDED_CHANNEL,
    onNotice(accountId) {
      sessions.forgetAll()
      onEnded(accountId)
    },
    onHearing: () => sessions.trustCache(true),
    onDeaf: () => sessions.trustCache(false),
  }
}
