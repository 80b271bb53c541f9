import * as z from 'zod/mini'
import { composeRooms } from '#bff/compose.ts'
import { DAY_MS, MINUTE_MS } from '#contract/duration.ts'
import type { Database } from '#database/database.ts'
import type { OpenDatabase } from '#database/open-database.ts'
import { createTestBff } from '#test/support/ask-bff.ts'
import type { Plan } from '#test/support/limit-calls.ts'
import { Random } from '#test/support/random.ts'
import { createVirtualClock } from '#test/support/start-governed.ts'
import { USUAL_HISTORY, USUAL_NOTIFY } from '#test/support/usual-settings.ts'
import { verdict } from '../test/support/verdict.ts'
import { withBenchDatabase } from './bench-database.ts'
import { median, percentile } from './percentile.ts'
import { type SimulatedVendor, startSimulatedVendor } from './simulated-vendor.ts'
import { type Arrival, type OfficeDay, PEOPLE, planArrivals, planOffice } from './team-days.ts'

const START_MS = Date.parse('2026-03-09T00:00:00Z')
/** What is published before, for the window to hold, and what is simulated before the days that are measured. */
const PAST_DAYS = 31
const DAYS_BEFORE = 2
/** What a team looks at. */
const NEWEST = 60

type Measured = { plan: Plan; looks: number; days: number; targetMinutes: number }
/** With few calls several days, for as many records. */
const MEASURED: readonly Measured[] = [
  { plan: { perMinute: 5, perDay: 100 }, looks: 2, days: 5, targetMinutes: 20 },
  { plan: { perMinute: 5, perDay: 100 }, looks: 6, days: 5, targetMinutes: 20 },
  { plan: { perMinute: 10, perDay: 1_000 }, looks: 6, days: 1, targetMinutes: 2 },
]

type Simulated = {
  arrivals: readonly Arrival[]
  offices: readonly OfficeDay[]
  shownAtMs: ReadonlyMap<string, number>
  counted: ReturnType<SimulatedVendor['counted']>
  opened: Opened
}
type Opened = { threats: number; older: number }

/** How long after its publication a record is in the window that open pages show. */
export async function measureFreshness(only: readonly number[] = MEASURED.keys().toArray()): Promise<void> {
  console.log(
    `\nFreshness: minutes from published to shown on an open page (${PEOPLE} people, simulated days)`,
  )
  for (const measured of MEASURED.filter((_, at) => only.includes(at)))
    await withBenchDatabase('bff', async (database) => report(measured, await simulate(database, measured)))
}

async function simulate(database: OpenDatabase, { plan, looks, days }: Measured): Promise<Simulated> {
  const random = new Random(17)
  const allDays = DAYS_BEFORE + days
  const arrivals = planArrivals(START_MS - PAST_DAYS * DAY_MS, PAST_DAYS + allDays, random)
  const newestIds = (atMs: number) => {
    const published = arrivals.filter((arrival) => arrival.atMs <= atMs)
    return published.slice(-NEWEST).map(({ id }) => id)
  }
  const offices = Array.from({ length: allDays }, (_, day) =>
    planOffice({ startMs: START_MS + day * DAY_MS, looks, random, newestIds }),
  )
  const clock = createVirtualClock(START_MS)
  const vendor = await startSimulatedVendor(plan, arrivals, clock.nowMs)
  const rooms = composeRooms({
    history: USUAL_HISTORY,
    notify: USUAL_NOTIFY,
    upstream: { url: vendor.url, apiKey: 'key-of-the-measurement', kind: 'vendor' },
    database,
    clock,
    secret: 'secret-of-the-measurement-and-long-enough',
    origin: 'http://localhost:4173',
    log: { info() {}, warn() {}, error: console.error },
  })
  const bff = await createTestBff(database, { routes: rooms.routes })
  const people = Array.from({ length: PEOPLE }, () => bff.createBrowser())
  for (const person of people) await person.signIn()

  const turns = createTurns(clock.nowMs)
  const reader = rooms.startReader(database, { pause: turns.pause })
  await turns.rests()
  const shownAtMs = new Map<string, number>()
  const opened: Opened = { threats: 0, older: 0 }

  function moveTo(atMs: number): void {
    const ms = Math.max(0, atMs - clock.nowMs())
    clock.wait(ms)
    bff.wait(ms)
  }

  async function syncUntil(atMs: number): Promise<void> {
    while (turns.dueAtMs() <= atMs) {
      moveTo(turns.dueAtMs())
      await turns.go()
      for (const id of await readNewestIds(database)) if (!shownAtMs.has(id)) shownAtMs.set(id, clock.nowMs())
    }
    moveTo(atMs)
  }

  async function visit({ person, view }: OfficeDay['visits'][number]): Promise<void> {
    for (const path of view.pages) {
      const response = await people[person]?.ask(path)
      const { freshness } = freshnessSchema.parse(await response?.json())
      if (!/threats\/thr_\d+\?/.test(path)) continue
      opened.threats += 1
      if (freshness?.isStale !== false) opened.older += 1
    }
  }

  try {
    let before = vendor.counted()
    for (const [day, { visits }] of offices.entries()) {
      if (day === DAYS_BEFORE) {
        before = vendor.counted()
        Object.assign(opened, { threats: 0, older: 0 })
      }
      for (const planned of visits) {
        await syncUntil(planned.atMs)
        await visit(planned)
      }
      await syncUntil(START_MS + (day + 1) * DAY_MS)
    }
    const after = vendor.counted()
    await syncUntil(clock.nowMs() + DAY_MS)
    const counted = {
      calls: after.calls - before.calls,
      bySync: after.bySync - before.bySync,
      intoReserve: after.intoReserve - before.intoReserve,
      refusals: after.refusals,
    }
    return { arrivals, offices, shownAtMs, counted, opened }
  } finally {
    await reader.close()
    await rooms.close()
    await vendor.close()
  }
}

const freshnessSchema = z.object({ freshness: z.optional(z.object({ isStale: z.boolean() })) })
const idsSchema = z.array(z.object({ id: z.string() }))

async function readNewestIds(database: Database): Promise<string[]> {
  const { rows } = await database.query(
    'select id from window_threat order by sorted_at desc, id desc limit 300',
  )
  return idsSchema.parse(rows).map(({ id }) => id)
}

/** Lets the sync go on for one step at a time, once the clock says that it is due. */
function createTurns(nowMs: () => number) {
  let dueAtMs = 0
  let wake = () => {}
  let resting = Promise.withResolvers<void>()
  return {
    dueAtMs: () => dueAtMs,
    rests: () => resting.promise,
    pause(ms: number, signal: AbortSignal): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>()
      dueAtMs = nowMs() + ms
      wake = resolve
      signal.addEventListener('abort', () => resolve(), { once: true })
      resting.resolve()
      return promise
    },
    async go(): Promise<void> {
      resting = Promise.withResolvers()
      wake()
      await resting.promise
    },
  }
}

function report({ plan, looks, days, targetMinutes }: Measured, simulated: Simulated): void {
  const { arrivals, shownAtMs, counted, opened } = simulated
  const fromMs = START_MS + DAYS_BEFORE * DAY_MS
  const offices = simulated.offices.slice(DAYS_BEFORE)
  const waits = arrivals
    .filter(({ atMs }) => atMs >= fromMs && atMs < fromMs + days * DAY_MS)
    .map(({ id, atMs }) => ({
      minutes: ((shownAtMs.get(id) ?? Number.POSITIVE_INFINITY) - atMs) / MINUTE_MS,
      isSeen: offices.some(({ opensMs, closesMs }) => atMs >= opensMs && atMs < closesMs),
    }))
  const inOffice = quantilesOf(waits.flatMap(({ minutes, isSeen }) => (isSeen ? [minutes] : [])))
  const aDay = (count: number) => Math.round(count / days)
  const { calls, bySync, refusals, intoReserve } = counted
  console.log(
    `  ${plan.perMinute} a minute and ${plan.perDay} a day, ${looks * 5} pages each, ${days === 1 ? 'one day' : `${days} days`}`,
  )
  console.log(`    while a page is open   ${inOffice.text}`)
  console.log(`    in all 24 hours        ${quantilesOf(waits.map(({ minutes }) => minutes)).text}`)
  console.log(
    `    calls a day: ${aDay(calls)}, ${aDay(bySync)} of them the sync's; 429s ${refusals}, calls of the sync into the people's reserve ${intoReserve}`,
  )
  console.log(
    `    of ${aDay(opened.threats)} threats opened a day, ${aDay(opened.older)} were shown as stored`,
  )
  const isMet = inOffice.p95 <= targetMinutes && refusals === 0 && intoReserve === 0
  console.log(
    `    ${verdict(isMet)}: target p95 ${targetMinutes} or less while a page is open, no 429, reserve kept`,
  )
}

function quantilesOf(minutes: readonly number[]) {
  const p95 = percentile(minutes, 0.95)
  const text = `median ${median(minutes).toFixed(1)}, p95 ${p95.toFixed(1)}, longest ${Math.max(...minutes).toFixed(1)} (${minutes.length} records)`
  return { p95, text }
}
