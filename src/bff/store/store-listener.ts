import { setTimeout as sleep } from 'node:timers/promises'
import type { AnswerCache } from '#bff/http/answer-cache.ts'
import type { Channel } from '#database/listen.ts'

export const WINDOW_CHANGED_CHANNEL = 'window_changed'
/** All that was stored is replaced: what a page shows may be gone. */
export const ANEW = 'anew'
/** A crawl goes on at once after this page: many such notices are applied as one. */
export const GOES_ON = 'goes on'
/** Each change that is applied renews the index, makes all cached answers old, and has every open page read again. */
const GOES_ON_EVERY_MS = 5_000

/** `last`: the number of the last change of the change log, where the notice names it. */
export type StoreChange = { isAnew: boolean; last?: number }

/** Receives the notices of the process that syncs the store, whichever that is: a number, and perhaps what kind of change. */
export function storeChannel(
  onChange: (change: StoreChange) => void,
  { goesOnEveryMs = GOES_ON_EVERY_MS } = {},
): Channel {
  let pending: Promise<void> | null = null
  let latest: StoreChange = { isAnew: false }

  async function applyLater(): Promise<void> {
    await sleep(goesOnEveryMs, undefined, { ref: false })
    pending = null
    onChange(latest)
  }

  return {
    name: WINDOW_CHANGED_CHANNEL,
    onNotice(payload) {
      const number = Number.parseInt(payload, 10)
      const change = { isAnew: payload.endsWith(ANEW), ...(!Number.isNaN(number) && { last: number }) }
      if (!payload.endsWith(GOES_ON)) return onChange(change)
      latest = change
      pending ??= applyLater()
      return pending
    },
    onHearing: () => onChange({ isAnew: false }),
  }
}

/**
 * Any answer may hold something of what has changed, and what does not is cheap to make again. What was read of the
 * stored threats may still be shown while the database is away, labelled; what another key or plan has read may not.
 */
export function withAnswers(channel: Channel, answers: AnswerCache, drops: 'outdate' | 'forget'): Channel {
  const drop = () => answers[drops]()
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
