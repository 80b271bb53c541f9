import { DAY_MS } from '#contract/duration.ts'
import { createRandom } from '#service/random.ts'

const DAYS = 120
const BURST_FACTOR = 9
/** Something always happened lately, even on a Sunday night. */
const LATELY_DAYS = 0.1

// Sunday first: crime keeps office hours.
const WEEKDAY_WEIGHTS = [0.45, 0.95, 1, 1, 0.95, 0.85, 0.55]
const BUSY_HOURS_UTC = { from: 7, to: 19 }

/** Draws when an actor strikes: within 120 days up to now, in bursts of its own, rarer at night and at weekends. */
export function createDemoTimes(now: Date, actorSeed: number): () => Date {
  const random = createRandom(actorSeed)
  const bursts = Array.from({ length: random.between(1, 4) }, () => {
    const start = random.between(0, DAYS - 3)
    return { start, end: start + random.between(2, 5) }
  })
  // Some actors appeared lately, some have gone quiet.
  const firstDay = random.chance(0.25) ? random.between(30, 80) : 0
  const lastDay = firstDay === 0 && random.chance(0.2) ? random.between(50, 100) : DAYS

  return function drawTime() {
    for (;;) {
      const day = random.next() * DAYS
      const time = new Date(now.getTime() - (DAYS - day) * DAY_MS)
      if (day < firstDay || day >= lastDay) continue
      if (random.chance(weigh(day, time))) return time
    }
  }

  function weigh(day: number, time: Date) {
    if (day > DAYS - LATELY_DAYS) return 1
    const isBurst = bursts.some(({ start, end }) => day >= start && day < end)
    const isBusyHour = time.getUTCHours() >= BUSY_HOURS_UTC.from && time.getUTCHours() < BUSY_HOURS_UTC.to
    const weekday = WEEKDAY_WEIGHTS[time.getUTCDay()] ?? 1
    return weekday * (isBusyHour ? 1 : 0.4) * (isBurst ? 1 : 1 / BURST_FACTOR)
  }
}
