import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/duration.ts'
import type { Random } from '#test/support/random.ts'
import { planViews, type View } from './plan-views.ts'

/**
 * How records arrive, from real feeds, 2026 (24.5 ransomware claims a day, and 23.5 DDoS targets, those of 2025). They come
 * in batches, and of the hours tell the claims that have a time of day (5,024, of 2022 and 2023).
 */
const RECORDS_A_DAY = 48
/** Shares of the hours of a UTC day, in thousandths. */
const HOUR_SHARES = [
  25, 30, 13, 26, 13, 15, 15, 45, 36, 38, 56, 56, 59, 65, 46, 66, 67, 41, 45, 39, 64, 58, 43, 38,
] as const
/** Records of a batch, none more than 5 minutes after the one before, and how many of 1,000 batches are as large. */
const BATCHES = [
  [1, 673],
  [2, 166],
  [3, 55],
  [4, 26],
  [5, 19],
  [6, 12],
  [8, 16],
  [10, 14],
  [14, 10],
  [20, 4],
  [30, 3],
  [57, 2],
] as const
const BATCH_GAP_MS = MINUTE_MS
const RECORDS_A_BATCH = BATCHES.reduce((sum, [size, share]) => sum + (size * share) / 1_000, 0)

export type Arrival = { id: string; atMs: number }

/** The records of a time, oldest first. */
export function planArrivals(fromMs: number, days: number, random: Random): Arrival[] {
  const times = Array.from({ length: days }, (_, day) => planDay(fromMs + day * DAY_MS, random)).flat()
  return times.toSorted((a, b) => a - b).map((atMs, at) => ({ id: `thr_${at}`, atMs }))
}

function planDay(startMs: number, random: Random): number[] {
  const batches = Math.round((RECORDS_A_DAY / RECORDS_A_BATCH) * (0.7 + 0.6 * random.next()))
  return Array.from({ length: batches }, () => {
    const hour = weigh(
      HOUR_SHARES.map((share, at) => [at, share] as const),
      random,
    )
    const beginsMs = startMs + (hour + random.next()) * HOUR_MS
    return Array.from({ length: weigh(BATCHES, random) }, (_, at) => Math.round(beginsMs + at * BATCH_GAP_MS))
  }).flat()
}

function weigh(choices: readonly (readonly [number, number])[], random: Random): number {
  let left = random.next() * choices.reduce((sum, [, share]) => sum + share, 0)
  for (const [choice, share] of choices) {
    left -= share
    if (left < 0) return choice
  }
  return 0
}

export const PEOPLE = 20
/** Of the UTC day, in which some of them are there. */
export const OFFICE_HOURS = [8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18] as const
/** Pages of one look at Lantern. */
const VIEWS_A_LOOK = 5
const VIEW_EVERY_MS = 40_000
const LUNCH_FROM = 12
const LUNCH_HOURS = 0.75

export type Visit = { atMs: number; person: number; view: View }
/** When a first page is opened and a last one closed. */
export type OfficeDay = { visits: Visit[]; opensMs: number; closesMs: number }

type Office = {
  startMs: number
  /** Of each person, in a day. */
  looks: number
  random: Random
  /** Oldest first. */
  newestIds: (atMs: number) => readonly string[]
}

/** Twenty people come between 8 and 9:30 UTC and leave between 16:30 and 18:30: a page of each is open all the time. */
export function planOffice({ startMs, looks, random, newestIds }: Office): OfficeDay {
  const people = Array.from({ length: PEOPLE }, () => ({
    comes: 8 + 1.5 * random.next(),
    leaves: 16.5 + 2 * random.next(),
  }))

  function planLook(look: number, person: number): Visit[] {
    const { comes = 0, leaves = 0 } = people[person] ?? {}
    const hour = look === 0 ? comes : comes + random.next() * (leaves - comes - 0.1)
    const isLunch = hour >= LUNCH_FROM && hour < LUNCH_FROM + LUNCH_HOURS
    const beginsMs = startMs + (isLunch ? hour + LUNCH_HOURS : hour) * HOUR_MS
    return Array.from({ length: VIEWS_A_LOOK }, (_, at) => {
      const atMs = Math.round(beginsMs + at * VIEW_EVERY_MS)
      const ids = newestIds(atMs)
      return planViews(1, random, (rank) => ids.at(-1 - rank) ?? '').map((view) => ({ atMs, person, view }))
    }).flat()
  }

  const visits = people.flatMap((_, person) =>
    Array.from({ length: looks }, (_, look) => planLook(look, person)).flat(),
  )
  return {
    visits: visits.toSorted((a, b) => a.atMs - b.atMs),
    opensMs: startMs + Math.min(...people.map(({ comes }) => comes)) * HOUR_MS,
    closesMs: startMs + Math.max(...people.map(({ leaves }) => leaves)) * HOUR_MS,
  }
}
