import type { Channel } from '#database/listen.ts'
import { SESSIONS_ENDED_CHANNEL } from './session-queries.ts'
import type { SessionStore } from './session-store.ts'

/**
 * Hears of sessions that other processes end. While nothing is heard, this process keeps no session in memory: either a
 * sign-out takes effect everywhere at once, or the database is asked each time.
 */
export function endedSessionsChannel(
  sessions: Pick<SessionStore, 'forgetAll' | 'trustCache'>,
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
