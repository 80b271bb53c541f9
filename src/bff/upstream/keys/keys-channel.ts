import type { Log } from '#bff/http/log.ts'
import type { Channel } from '#database/listen.ts'
import { KEYS_CHANGED_CHANNEL } from './key-queries.ts'
import type { KeyStore } from './key-store.ts'

/** Receives the notices that a process has set a key, or has found another plan. */
export function keysChannel(keyStore: KeyStore, onReloaded: () => void, log: Log): Channel {
  const hear = (isOtherPlan: boolean) =>
    keyStore
      .reload({ isOtherPlan })
      .then(onReloaded, (error: unknown) => log.error('keys-not-reloaded', error))
  return {
    name: KEYS_CHANGED_CHANNEL,
    onNotice: (what) => hear(what === 'plan'),
    onHearing: () => hear(false),
  }
}
