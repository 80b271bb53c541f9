import { ABSENT, duration } from '#app/format/time.ts'
import { DAY_MS } from '#contract/duration.ts'

/** One sentence for each figure of the team's work. */
export const DEFINITIONS = {
  firstLook:
    'Time from when Lantern knew a case until an analyst or admin first acted on it, for cases first acted on in the period. Cases read from the past are left out.',
  closing:
    'Time from when Lantern knew a case until a person last closed it in the period. Cases read from the past are left out.',
  closed:
    'Cases that people closed in the period and did not reopen in it, by the reason of the last closing.',
  open: 'Cases with a claim that is not closed, now; an older age counts each case with an open claim published before then.',
  alerts:
    'Share of alert messages that arrived within 5 minutes after their first claim became known, without digests and profiles with quiet hours.',
} as const

const LONG_DAYS = 2

/** `42 s`, `3 h 20 min`, `5 d`: how long something took. */
export function tookWords(milliseconds: number | null): string {
  if (milliseconds === null) return ABSENT
  return milliseconds < LONG_DAYS * DAY_MS ? duration(milliseconds) : `${Math.round(milliseconds / DAY_MS)} d`
}

/** `98 %`; absent where there is nothing that it could be a share of. Never rounded up to all. */
export function shareWords(part: number, of: number): string {
  return of === 0 ? ABSENT : `${Math.floor((part / of) * 100)} %`
}

/** `more than 7 days` */
export function olderWords(days: number): string {
  return `more than ${days === 1 ? '1 day' : `${days} days`}`
}
