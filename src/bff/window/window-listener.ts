import type { Channel } from '#database/listen.ts'

export const WINDOW_CHANGED_CHANNEL = 'window_changed'

/** Hears of what the elected reader, in whichever process it is, has read. */
export function windowChannel(onChange: () => void): Channel {
  return { name: WINDOW_CHANGED_CHANNEL, onNotice: onChange, onHearing: onChange }
}
