import { expect, test } from 'vitest'
import { alertListSchema } from '#contract/bff/alert.ts'
import { overviewSchema } from '#contract/bff/overview.ts'
import { trendAnswerSchema } from '#contract/bff/trend.ts'
import { HOUR_MS } from '#contract/duration.ts'
import type { OpenDatabase } from '#database/open-database.ts'
import type { StandInCall, StandInReply } from './support/stand-in-upstream.ts'
import { startFilled, V1_LIST } from './support/store/start-filled.ts'
import { earlierList, earlierRecord, v1List, v1Record } from './support/upstream-records.ts'
import { withDatabase } from './support/with-database.ts'

const FEED = '/api/feed'
const SETS = ['v1', 'earlier'] as const
const daysAgo = (days: number) => new Date(Date.now() - days * 24 * HOUR_MS).toISOString()
const hasBound = ({ query }: StandInCall) => query.since !== undefined || query.date_from !== undefined

/** A vendor with one route set, whose records a test adds, and which may refuse a list without a bound. */
async function start(database: OpenDatabase, set: (typeof SETS)[number], days: number[] = []) {
  const lantern = await startFilled(database, { records: [], isStored: false })
  const { standIn, ask } = lantern
  const rules: { refusal: StandInReply | null } = { refusal: null }
  const reply = (list: (times: string[]) => unknown) => (call: StandInCall) => {
    if (rules.refusal && !hasBound(call)) return rules.refusal
    const bound = call.query.since ?? call.query.date_from ?? ''
    return { json: list(days.map(daysAgo).filter((time) => time >= bound)) }
  }
  const isV1 = set === 'v1'
  const closed = () => ({ status: 404, json: { error: 'Not found' } })
  const ofV1 = (at: string) => v1Record({ id: at, published_at: at })
  const ofEarlier = (at: string) => earlierRecord({ id: at, posted_at: at })
  standIn.play(V1_LIST, isV1 ? reply((times) => v1List(times.map(ofV1))) : closed)
  standIn.play(FEED, isV1 ? closed : reply((times) => earlierList(times.map(ofEarlier))))
  return {
    ...lantern,
    days,
    rules,
    /** How many lists were read since the last count, with a bound and without. */
    countLists() {
      const lists = standIn.calls.splice(0).filter(({ path }) => path === (isV1 ? V1_LIST : FEED))
      const bounded = lists.filter(hasBound).length
      return { bounded, unbounded: lists.length - bounded }
    },
    overview: async () => overviewSchema.parse(await (await ask('/bff/overview')).json()),
    trend: async () => trendAnswerSchema.parse(await (await ask('/bff/trends')).json()).trend,
  }
}

test.each(SETS)('every page shows a %s vendor without records as read and empty', (set) =>
  withDatabase('bff', async (database) => {
    const vendor = await start(database, set)
    try {
      await vendor.readNewer()
      expect(vendor.countLists()).toEqual({ bounded: 1, unbounded: 1 })
      const { window } = await vendor.source()
      expect(window).toMatchObject({ status: 'complete', threats: 0, trouble: null })
      const empty = { total: 0, isTotalExact: true, freshness: { isStale: false } }
      expect(await vendor.list()).toMatchObject(empty)
      expect(await vendor.list(`?from=${daysAgo(90).slice(0, 10)}`)).toMatchObject(empty)
      const { period, freshness } = await vendor.overview()
      expect([period.count, freshness.staleReason]).toEqual([0, null])
      const { total, days } = await vendor.trend()
      expect([total, days.length, new Set(days.map(({ count }) => count))]).toEqual([0, 30, new Set([0])])
      expect(days.slice(0, -1).map(({ coverage }) => coverage)).toEqual(Array(29).fill('whole'))
      // Each later request for new records replaces the one that would have had a bound.
      expect(vendor.countLists()).toEqual({ bounded: 0, unbounded: 0 })
      await vendor.readNewer()
      expect(vendor.countLists()).toEqual({ bounded: 0, unbounded: 1 })
    } finally {
      await vendor.close()
    }
  })(),
)

test(
  'the first record of an empty vendor is shown by the next request for new records',
  withDatabase('bff', async (database) => {
    const vendor = await start(database, 'v1')
    try {
      await vendor.readNewer()
      vendor.days.push(0.1)
      await vendor.readNewer()
      expect(await vendor.list('?timeZone=UTC')).toMatchObject({ total: 1 })
      expect((await vendor.source()).window).toMatchObject({ status: 'complete', threats: 1 })
      vendor.countLists()
      await vendor.readNewer()
      expect(vendor.countLists()).toEqual({ bounded: 1, unbounded: 0 })
    } finally {
      await vendor.close()
    }
  }),
)

test.each([403, 429, 503])('a refusal with %i is no evidence of an empty vendor', (status) =>
  withDatabase('bff', async (database) => {
    const vendor = await start(database, 'v1')
    const headers = status === 403 ? undefined : { 'retry-after': '1' }
    vendor.rules.refusal = { status, json: { error: 'No' }, ...(headers && { headers }) }
    try {
      await vendor.readNewer()
      expect((await vendor.source()).window.status).toBe('empty')
      expect(await vendor.list()).toMatchObject({ total: 0, isTotalExact: false })
      vendor.rules.refusal = null
      // A comparison of all records is due once a day.
      if (status === 403) await vendor.compareAll()
      await vendor.readNewer()
      expect((await vendor.source()).window).toMatchObject({ status: 'complete', trouble: null })
    } finally {
      await vendor.close()
    }
  })(),
)

test(
  'an empty list of alert profiles counts as read',
  withDatabase('bff', async (database) => {
    const { ask, standIn, close } = await startFilled(database, { records: [] })
    try {
      standIn.play('/api/alerts', { json: { alert_profiles: [] } })
      const readAlerts = async () =>
        alertListSchema.parse(await (await ask('/bff/alerts?timeZone=UTC')).json())
      const first = await readAlerts()
      expect(first).toMatchObject({ profiles: [], freshness: { isStale: false } })
      expect((await readAlerts()).freshness.fetchedAt).toBe(first.freshness.fetchedAt)
    } finally {
      await close()
    }
  }),
)
