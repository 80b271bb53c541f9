import { setTimeout as sleep } from 'node:timers/promises'
import type { AnswerCache } from '#bff/http/answer-cache.ts'
import type { Channel } from '#database/listen.ts'

export const WINDOW_CHANGED_CHANNEL = 'window_changed'
/** All stored records were replaced, so records on open pages may be deleted. */
export const ANEW = 'anew'
/** The crawl continues after this page. Several such notices are applied together. */
export const GOES_ON = 'goes on'
/** Each applied change updates the index, invalidates all cached answers and makes open pages fetch again. */
const GOES_ON_EVERY_MS = 5_000

/** `last`: number of the last change in the change log, if the notice has it. */
export type StoreChange = { isAnew: boolean; last?: number }

/** Receives the notices of the process that syncs the store. A notice has a number, and may have the kind of change. */
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
 * Drops cached answers, because any of them may contain changed records. While the database is unavailable, outdated
 * answers from stored threats may be shown with a label. Answers for another key or plan may not.
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
