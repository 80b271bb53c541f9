import type { Channel } from '#database/listen.ts'

export const WINDOW_CHANGED_CHANNEL = 'window_changed'

/** Receives the notices of the process that syncs the window, whichever that is. */
export function windowChannel(onChange: () => void): Channel {
  return { name: WINDOW_CHANGED_CHANNEL, onNotice: onChange, onHearing: onChange }
}
