import type { AnswerCache } from '#bff/http/answer-cache.ts'
import type { Channel } from '#database/listen.ts'

export const WINDOW_CHANGED_CHANNEL = 'window_changed'
/** All that was stored is replaced: what a page shows may be gone. */
export const ANEW = 'anew'

/** `last`: the number of the last change of the change log, where the notice names it. */
export type StoreChange = { isAnew: boolean; last?: number }

/** Receives the notices of the process that syncs the window, whichever that is: a number, and perhaps `anew`. */
export function windowChannel(onChange: (change: StoreChange) => void): Channel {
  return {
    name: WINDOW_CHANGED_CHANNEL,
    onNotice(payload) {
      const last = Number.parseInt(payload, 10)
      onChange({ isAnew: payload.endsWith(ANEW), ...(!Number.isNaN(last) && { last }) })
    },
    onHearing: () => onChange({ isAnew: false }),
  }
}

/**
 * Any answer may hold something of what has changed, and what does not is cheap to make again. What was read of the
 * window may still be shown while the database is away, labelled; what another key or plan has read may not.
 */
export function withAnswers(channel: Channel, answers: AnswerCache): Channel {
  const isWindow = channel.name === WINDOW_CHANGED_CHANNEL
  const drop = () => (isWindow ? answers.outdate() : answers.forget())
  return {
    ...channel,
    onNotice: (payload) => Promise.resolve(channel.onNotice(payload)).then(drop),
    onHearing: () => Promise.resolve(channel.onHearing?.()).then(drop),
    onDeaf() {
      channel.onDeaf?.()
      answers.outdate()
    },
  }
}
