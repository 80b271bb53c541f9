import fc from 'fast-check'
import { expect, test } from 'vitest'
import { actorRoutes } from '#bff/pages/actors/actor-routes.ts'
import { countryRoutes } from '#bff/pages/countries/country-routes.ts'
import { overviewRoutes } from '#bff/pages/overview/overview-routes.ts'
import { trendRoutes } from '#bff/pages/trends/trend-routes.ts'
import { writeSyncState } from '#bff/store/sync/sync-state.ts'
import { comparedUntil, countedPeriod, countPeriod } from '#bff/time/counted-period.ts'
import { UpstreamError } from '#bff/upstream/client/upstream-error.ts'
import { actorAnswerSchema, actorListSchema } from '#contract/bff/actor.ts'
import { countryAnswerSchema, countryListSchema } from '#contract/bff/country.ts'
import { overviewSchema } from '#contract/bff/overview.ts'
import { shiftPeriod } from '#contract/bff/period.ts'
import type { Threat } from '#contract/bff/threat.ts'
import { type Comparison, trendAnswerSchema } from '#contract/bff/trend.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/duration.ts'
import type { Database } from '#database/database.ts'
import { createTestBff } from '#test/support/ask-bff.ts'
import { propertyRuns } from '#test/support/property-runs.ts'
import { holdThreats, makeThreat } from '#test/support/store/hold-threats.ts'
import { makeSyncState } from '#test/support/store/make-sync-state.ts'
import { makeUpstream } from '#test/support/stub-upstream.ts'
import { withDatabase } from '#test/support/with-database.ts'

const FIRST = Date.parse('2025-12-01T00:00:00Z')
const LATER = '2999-01-01T00:00:00.000Z'
const readUpTo = (to: number) => ({
  time: {
    ranges: [{ from: Date.parse('2000-01-01T00:00:00.000Z'), to }],
    beyond: 'notRead' as const,
    lacksRecords: false,
  },
})
const STORED = readUpTo(Date.parse(LATER))

/** Moments of days on which clocks change, with the time zone in which they do. */
const AWKWARD = [
  ['Asia/Tokyo', '2026-06-09T21:22:00Z'],
  ['Europe/Berlin', '2026-03-29T01:30:00Z'],
  ['Europe/Berlin', '2026-10-25T00:30:00Z'],
  ['Europe/Berlin', '2026-10-25T22:59:59Z'],
  ['America/Los_Angeles', '2026-11-01T09:17:00Z'],
  ['Pacific/Auckland', '2026-04-04T14:05:00Z'],
  ['Australia/Lord_Howe', '2026-04-04T15:30:00Z'],
  ['Asia/Kathmandu', '2026-07-01T18:14:00Z'],
] as const

/** What a reader can choose at a moment of UTC: some of it begins and ends when clocks change. */
function periodsAt(nowMs: number): string[] {
  const [year, month] = new Date(nowMs - 2 * DAY_MS).toISOString().split('-').map(Number)
  const running = [`${year}-${String(month).padStart(2, '0')}`, `${year}-Q${Math.ceil((month ?? 1) / 3)}`]
  const over = running.flatMap((name) => shiftPeriod(name, -1) ?? [])
  return [
    '7d',
    '30d',
    '90d',
    '12m',
    ...running,
    ...over,
    ...over.flatMap((name) => shiftPeriod(name, -1) ?? []),
  ]
}

/** How many moments of one an hour, so many milliseconds after it, are from one moment on and before another. */
function hoursBetween(start: number, end: number, phase: number): number {
  return Math.ceil((end - phase) / HOUR_MS) - Math.ceil((start - phase) / HOUR_MS)
}

test('one threat an hour shows no change at any minute, in any zone, with any delay', () => {
  const zones = fc.constantFrom(...Intl.supportedValuesOf('timeZone'))
  // Samoa skipped a day at the end of 2011; clocks have changed everywhere since.
  const minutes = fc.integer({
    min: Date.parse('2011-12-01') / MINUTE_MS,
    max: Date.parse('2028-01-01') / MINUTE_MS,
  })
  const steady = fc.property(
    zones,
    minutes,
    fc.nat({ max: HOUR_MS - 1 }),
    fc.nat({ max: 2 * HOUR_MS }),
    (timeZone, minute, phase, lag) => {
      const nowMs = minute * MINUTE_MS + phase
      for (const name of periodsAt(nowMs)) {
        const period = countedPeriod(name, { timeZone, nowMs, stored: readUpTo(nowMs - lag) })
        const pieces = period.edges
          .slice(0, -1)
          .map((start, at) => hoursBetween(start, period.edges[at + 1] ?? start, phase))
        for (const time of ['week', 'chosen'] as const) {
          const { compared } = countPeriod(period, { counts: pieces }, time)
          const { since, until, previousUntil } = period[time].parts
          expect(compared?.count).toBe(hoursBetween(since, until, phase))
          expect(compared?.previous).toBe(compared?.count)
          expect(previousUntil).toBeLessThanOrEqual(since)
        }
      }
    },
  )
  fc.assert(steady, {
    ...propertyRuns(200),
    examples: AWKWARD.map(([zone, now]) => [zone, Date.parse(now) / MINUTE_MS, 0, 0]),
  })
})

test('a vendor with days and no times shows no change on any day, in any zone', () => {
  const zones = fc.constantFrom(...Intl.supportedValuesOf('timeZone'))
  const minutes = fc.integer({
    min: Date.parse('2011-12-01') / MINUTE_MS,
    max: Date.parse('2028-01-01') / MINUTE_MS,
  })
  const steady = fc.property(zones, minutes, fc.nat({ max: 2 * HOUR_MS }), (timeZone, minute, lag) => {
    const nowMs = minute * MINUTE_MS
    const readTo = nowMs - lag
    const stored = { ...readUpTo(readTo), isDatedByDay: true }
    // One an hour, each dated by the midnight before it.
    const listed = (start: number, end: number) => {
      let count = 0
      for (let day = Math.ceil(start / DAY_MS) * DAY_MS; day < end; day += DAY_MS) {
        count += Math.min(24, Math.max(0, Math.ceil((readTo - day) / HOUR_MS)))
      }
      return count
    }
    for (const name of periodsAt(nowMs)) {
      const period = countedPeriod(name, { timeZone, nowMs, stored })
      const pieces = period.edges
        .slice(0, -1)
        .map((start, at) => listed(start, period.edges[at + 1] ?? start))
      for (const time of ['week', 'chosen'] as const) {
        const { compared } = countPeriod(period, { counts: pieces }, time)
        const { since, previousUntil } = period[time].parts
        const isOver = time === 'chosen' && !period.period.isRunning
        if (isOver || name === '30d') expect(compared?.count).toBeGreaterThan(24 * 4)
        expect(compared).toEqual({
          count: compared?.count,
          previous: compared?.count,
          ...(isOver ? { isOver } : { isWithoutToday: true }),
        })
        expect(previousUntil).toBeLessThanOrEqual(since)
      }
    }
  })
  fc.assert(steady, {
    ...propertyRuns(200),
    examples: AWKWARD.map(([zone, now]) => [zone, Date.parse(now) / MINUTE_MS, 0]),
  })
})

test('compares up to the last whole minute of which all is read', () => {
  const now = Date.parse('2026-06-09T21:22:40Z')
  expect(comparedUntil(STORED, now)).toBe(Date.parse('2026-06-09T21:22:00Z'))
  expect(comparedUntil(readUpTo(Date.parse('2026-06-09T20:01:30.000Z')), now)).toBe(
    Date.parse('2026-06-09T20:01:00Z'),
  )
})

/** The pages of a dashboard that holds these threats, at any moment. */
async function openPages(database: Database, threats: Threat[]) {
  const { clock, store } = await holdThreats(database, { now: LATER, threats })
  await writeSyncState(database, makeSyncState(LATER, { storedFrom: new Date(FIRST).toISOString() }))
  const never = async () => {
    throw new UpstreamError({ set: null, kind: 'unavailable', reason: 'no list' })
  }
  const deps = {
    upstream: makeUpstream({ call: never, state: never }),
    store,
    database,
    clock,
  }
  return async (timeZone: string, now: string) => {
    clock.wait(Date.parse(now) - clock.nowMs())
    const bff = await createTestBff(database, {
      routes: [...overviewRoutes(deps), ...trendRoutes(deps), ...actorRoutes(deps), ...countryRoutes(deps)],
    })
    await bff.signIn()
    const ask = async (path: string) => (await bff.ask(`/bff/${path}?timeZone=${timeZone}`)).json()
    const overview = overviewSchema.parse(await ask('overview'))
    const actors = actorListSchema.parse(await ask('actors'))
    const { actor } = actorAnswerSchema.parse(await ask('actors/Ashfall'))
    const countries = countryListSchema.parse(await ask('countries'))
    const country = countryAnswerSchema.parse(await ask('countries/DE'))
    const { trend } = trendAnswerSchema.parse(await ask('trends'))
    const compared: (Comparison | null | undefined)[] = [
      overview.week.compared,
      overview.period.compared,
      ...Object.values(overview.top).map((ranked) => ranked[0]?.compared),
      actors.actors[0]?.compared,
      actors.actors[0]?.week?.compared,
      actor.compared,
      actor.week?.compared,
      countries.countries[0]?.compared,
      country.window?.compared,
      trend.compared,
    ]
    return { overview, compared, rising: actors.tabs.rising }
  }
}

test(
  'no page shows a change for one threat an hour, and no actor is rising',
  withDatabase('bff', async (database) => {
    const threats = Array.from({ length: 365 * 24 }, (_, hour) =>
      makeThreat(`t-${hour}`, new Date(FIRST + hour * HOUR_MS + 17 * MINUTE_MS).toISOString(), {
        industries: ['Energy'],
      }),
    )
    const read = await openPages(database, threats)
    for (const [timeZone, now] of AWKWARD) {
      const { overview, compared, rising } = await read(timeZone, now)
      for (const each of [overview.day.compared, ...compared]) {
        expect(each?.count, `${timeZone} ${now}`).toBeGreaterThan(20)
        expect(each?.previous, `${timeZone} ${now}`).toBe(each?.count)
        expect(each, `${timeZone} ${now}`).not.toHaveProperty('isWithoutToday')
      }
      expect(rising, `${timeZone} ${now}`).toBe(0)
    }
  }),
)

test.each([
  ['UTC', '2026-06-09T06:22:00Z'],
  ['Asia/Tokyo', '2026-06-09T21:22:00Z'],
  ['America/Los_Angeles', '2026-11-01T09:17:00Z'],
  ['Pacific/Kiritimati', '2026-06-09T10:01:00Z'],
])('a vendor that gives days and no times changes on no page, in %s at %s', (timeZone, now) =>
  withDatabase('bff', async (database) => {
    const nowMs = Date.parse(now)
    const threats = Array.from({ length: 70 * 24 }, (_, hour) =>
      makeThreat(
        `t-${hour}`,
        `${new Date(nowMs - hour * HOUR_MS).toISOString().slice(0, 10)}T00:00:00.000Z`,
        {
          industries: ['Energy'],
        },
      ),
    )
    const { overview, compared, rising } = await (await openPages(database, threats))(timeZone, now)
    for (const each of compared) {
      expect(each?.count).toBeGreaterThan(24 * 4)
      expect(each).toEqual({ ...each, previous: each?.count, isWithoutToday: true })
    }
    expect(rising).toBe(0)
    // Hours of a day that is not over are not known.
    expect(overview).toMatchObject({ isDatedByDay: true, day: { isWhole: true, compared: null } })
  })(),
)
