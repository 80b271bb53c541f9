import { DAY_MS, HOUR_MS } from '#contract/duration.ts'

/** People's usual calls in an hour of the UTC day. Hours without calls are absent. */
export type UsualHours = ReadonlyMap<number, number>

/** An hour in which people usually ask counts as much as so many others. */
const USUAL_WEIGHT = 4
const HOURS_A_DAY = 24

/**
 * The share of a day's use that is still to come in a time that ends a day: of its hours, and most of those in which people
 * usually ask. While nothing is known of people, all hours count alike.
 */
export function restOfDay(fromMs: number, endMs: number, usual: UsualHours): number {
  if (endMs - fromMs >= DAY_MS) return 1
  let weight = 0
  for (let atMs = fromMs; atMs < endMs; atMs = hourAfter(atMs)) {
    weight += (Math.min(endMs, hourAfter(atMs)) - atMs) * weightAt(atMs, usual)
  }
  return weight / weightOfDay(usual)
}

/** Returns the time at which `restOfDay` gives the share. */
export function timeOfRest(share: number, endMs: number, usual: UsualHours): number {
  let left = Math.min(1, share) * weightOfDay(usual)
  let atMs = endMs
  for (;;) {
    const fromMs = Math.ceil(atMs / HOUR_MS - 1) * HOUR_MS
    const weight = weightAt(fromMs, usual)
    if (left <= (atMs - fromMs) * weight) return atMs - left / weight
    left -= (atMs - fromMs) * weight
    atMs = fromMs
  }
}

function hourAfter(atMs: number): number {
  return (Math.floor(atMs / HOUR_MS) + 1) * HOUR_MS
}

function weightAt(atMs: number, usual: UsualHours): number {
  return usual.has(Math.floor(atMs / HOUR_MS) % HOURS_A_DAY) ? USUAL_WEIGHT : 1
}

function weightOfDay(usual: UsualHours): number {
  return HOUR_MS * (HOURS_A_DAY + usual.size * (USUAL_WEIGHT - 1))
}
