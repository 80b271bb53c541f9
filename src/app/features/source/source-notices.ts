import { clockTime, exactDay, millisecondsOf } from '#app/format/time.ts'
import { REFUSED_KEY_STATE, type SetState, type Source } from '#contract/bff/source.ts'
import { DAY_MS } from '#contract/duration.ts'
import { isUsable } from './budget.ts'

export type Notice = {
  tone: 'info' | 'warning' | 'danger'
  text: string
  /** The vendor's own words to it. Third-party text. */
  quote?: string
  /** Action of an admin in Settings that mends it. */
  remedy?: 'replace_key' | 'import'
}

const TRIAL_NOTICE_MS = 14 * DAY_MS

/** Returns what the user must know about the vendor's data, most serious first. */
export function sourceNotices(
  source: Source,
  { now, timeZone }: { now: number; timeZone: string },
): Notice[] {
  const keyTrouble = [...troubleNotices(source), ...keyNotices(source)]
  return [
    // With the key in trouble, the end of a wait would be an empty promise.
    ...(keyTrouble.length > 0 ? keyTrouble : waitNotices(source, now, timeZone)),
    ...trialNotices(source, now, timeZone),
    ...demoNotices(source),
    ...emptyNotices(source),
  ]
}

function troubleNotices({ trouble }: Source): Notice[] {
  return trouble ? [{ tone: 'danger', text: trouble }] : []
}

function keyNotices({ kind, key, sets }: Source): Notice[] {
  if (kind === 'embedded' && key !== 'valid' && key !== 'unknown') {
    return [
      {
        tone: 'danger',
        text: 'Lantern’s own service does not accept the dashboard’s key. An admin has to restart Lantern: it makes itself another.',
      },
    ]
  }
  if (key === 'missing') {
    return [
      {
        tone: 'danger',
        text: 'No API key is set, so nothing new can be read. An admin can set one.',
        remedy: 'replace_key',
      },
    ]
  }
  if (key === REFUSED_KEY_STATE) {
    return [
      {
        tone: 'danger',
        text: 'The vendor refuses Lantern’s API key, so what you see may be old. An admin has to replace it.',
        remedy: 'replace_key',
      },
    ]
  }
  if (isUsable(sets.v1) || isUsable(sets.earlier)) return []
  const absent = [sets.v1, sets.earlier].filter(
    ({ status }) => status === 'absent' || status === 'withoutList',
  ).length
  if (absent === 2) {
    return [
      {
        tone: 'danger',
        text: 'The address of the vendor has no list of threats, so nothing new can be read. An admin has to check UPSTREAM_URL.',
      },
    ]
  }
  const quote = sets.v1.reason ?? sets.earlier.reason ?? undefined
  const apis =
    absent === 1 ? 'does not permit the one API that this vendor has' : 'permits neither of its APIs'
  return [
    {
      tone: 'danger',
      text: `The plan of Lantern’s API key ${apis}.`,
      quote,
      remedy: 'replace_key',
    },
  ]
}

function waitNotices({ sets }: Source, now: number, timeZone: string): Notice[] {
  const usable = [sets.v1, sets.earlier].filter(isUsable)
  const ends = usable.map((set) => waitEnd(set, now))
  const soonest = Math.min(...ends)
  // While one set is free to go, pages can be answered from it.
  if (ends.length === 0 || soonest === 0) return []
  const until = clockTime(soonest, timeZone)
  return [
    {
      tone: 'warning',
      text: `The API refuses calls until ${until}, as its limit is reached: you see what was read before.`,
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

function demoNotices({ isDemo, kind }: Source): Notice[] {
  if (!isDemo) return []
  const text = 'Demo data: every record is generated, and its organisations are invented.'
  if (kind === 'embedded') return [{ tone: 'info', text, remedy: 'import' }]
  return [{ tone: 'info', text: `${text} Whoever runs the service replaces it by the command import.` }]
}

/** Without a demo, pages of a new Lantern are empty, and nothing else says how to fill them. */
function emptyNotices({ isDemo, kind, window: { status, threats } }: Source): Notice[] {
  if (isDemo || kind !== 'embedded' || status !== 'complete' || threats > 0) return []
  return [{ tone: 'info', text: 'Lantern’s own service has no records yet.', remedy: 'import' }]
}
