import type { Log } from '#bff/http/log.ts'
import type { Channel } from '#database/listen.ts'
import type { KeyCustody } from './key-custody.ts'
import { KEYS_CHANGED_CHANNEL } from './key-queries.ts'

/** Receives the notices that a process has set a key, or has found another plan. */
export function keysChannel(custody: KeyCustody, onTakenUp: () => void, log: Log): Channel {
  const hear = (isOtherPlan: boolean) =>
    custody.takeUp({ isOtherPlan }).then(onTakenUp, (error: unknown) => log.error('keys-not-taken-up', error))
  return {
    name: KEYS_CHANGED_CHANNEL,
    onNotice: (what) => hear(what === 'plan'),
    onHearing: () => hear(false),
  }
}
