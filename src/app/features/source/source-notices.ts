import { clockTime, DAY_MS, exactDay, millisecondsOf } from '#app/format/time.ts'
import type { SetState, Source } from '#contract/bff/source.ts'

export type Notice = {
  tone: 'info' | 'warning' | 'danger'
  text: string
  /** The vendor's own words to it. Third-party text. */
  quote?: string
  /** Whether another key fixes it. */
  isOfKey?: boolean
}

const TRIAL_NOTICE_MS = 14 * DAY_MS

/** What a reader must know about where the data comes from, gravest first. */
export function sourceNotices(
  source: Source,
  { now, timeZone }: { now: number; timeZone: string },
): Notice[] {
  const keyTrouble = keyNotices(source)
  return [
    // With the key in trouble, the end of a wait would be an empty promise.
    ...(keyTrouble.length > 0 ? keyTrouble : waitNotices(source, now, timeZone)),
    ...trialNotices(source, now, timeZone),
    ...demoNotices(source),
  ]
}

function keyNotices({ key, sets }: Source): Notice[] {
  if (key === 'missing') {
    return [
      {
        tone: 'danger',
        text: 'No API key is set, so nothing new can be read. An administrator can set one.',
        isOfKey: true,
      },
    ]
  }
  if (key === 'invalid') {
    return [
      {
        tone: 'danger',
        text: 'The API no longer accepts Lantern’s key, so what you see may be old. An administrator has to replace it.',
        isOfKey: true,
      },
    ]
  }
  if (sets.v1.status === 'forbidden' && sets.earlier.status === 'forbidden') {
    const quote = sets.v1.reason ?? sets.earlier.reason ?? undefined
    return [
      {
        tone: 'danger',
        text: 'The plan of Lantern’s API key permits neither of its APIs.',
        quote,
        isOfKey: true,
      },
    ]
  }
  return []
}

function waitNotices({ sets }: Source, now: number, timeZone: string): Notice[] {
  const usable = [sets.v1, sets.earlier].filter(({ status }) => status !== 'forbidden')
  const ends = usable.map((set) => waitEnd(set, now))
  const soonest = Math.min(...ends)
  // While one set is free to go, pages can be answered from it.
  if (ends.length === 0 || soonest === 0) return []
  const until = clockTime(soonest, timeZone)
  return [
    {
      tone: 'warning',
      text: `The API’s limit of calls is reached: until ${until} you see what was read before.`,
    },
  ]
}

/** 0 when calls are free to go. */
function waitEnd({ blockedUntil }: SetState, now: number): number {
  const end = millisecondsOf(blockedUntil)
  return end > now ? end : 0
}

function trialNotices({ trialExpiresAt }: Source, now: number, timeZone: string): Notice[] {
  const end = millisecondsOf(trialExpiresAt)
  if (Number.isNaN(end) || end - now > TRIAL_NOTICE_MS) return []
  const day = exactDay(end, timeZone)
  return end > now
    ? [{ tone: 'info', text: `The trial of Lantern’s API key ends on ${day}.` }]
    : [{ tone: 'warning', text: `The trial of Lantern’s API key ended on ${day}.` }]
}

function demoNotices({ isDemo }: Source): Notice[] {
  if (!isDemo) return []
  return [{ tone: 'info', text: 'Demo data: every record is generated, and its organisations are invented.' }]
}
