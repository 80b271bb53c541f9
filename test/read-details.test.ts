import { expect, test } from 'vitest'
import { trendAnswerSchema } from '#contract/bff/trend.ts'
import { HOUR_MS } from '#contract/duration.ts'
import { startFilled, V1_LIST } from './support/store/start-filled.ts'
import { v1Detail, v1List, v1Record } from './support/upstream-records.ts'
import { withDatabase } from './support/with-database.ts'

const hoursAgo = (hours: number) => new Date(Date.now() - hours * HOUR_MS).toISOString()
const DETAIL = `${V1_LIST}/thr_1`

async function start(database: Parameters<Parameters<typeof withDatabase>[1]>[0]) {
  const at = hoursAgo(1)
  const listed = v1Record({ published_at: at, title: 'As listed', risk_level: 'low' })
  const other = v1Record({ id: 'thr_2', published_at: hoursAgo(2), risk_level: 'medium' })
  const lantern = await startFilled(database, { records: [listed, other] })
  const { standIn, ask, list } = lantern
  let asked = 0
  return {
    ...lantern,
    at,
    listed,
    other,
    playDetail: (changes: Parameters<typeof v1Detail>[0]) =>
      standIn.play(DETAIL, { json: { data: v1Detail({ published_at: at, ...changes }) } }),
    open: async () => expect((await ask('/bff/threats/thr_1')).status).toBe(200),
    /** The first row of the list, and severities in a chart, by questions that no kept answer is for. */
    async shown() {
      asked++
      lantern.rooms.store.forget()
      const { threats, facets } = await list(`?q=-word${asked}`)
      return { first: threats[0], severities: facets?.severity }
    },
    trend: async () =>
      trendAnswerSchema.parse(await (await ask('/bff/trends?severity=critical')).json()).trend,
  }
}

test(
  'a detail updates list, filter, search and chart at once, until the list changes',
  withDatabase('bff', async (database) => {
    const { playDetail, open, shown, list, trend, reconcile, close } = await start(database)
    try {
      playDetail({ title: 'Corrected heading', risk_level: 'critical' })
      await open()
      const { first, severities } = await shown()
      expect(first).toMatchObject({ id: 'thr_1', title: 'Corrected heading', severity: 'critical' })
      expect(severities?.map(({ value }) => value)).toEqual(expect.arrayContaining(['critical', 'medium']))
      expect((await list('?severity=critical')).threats.map(({ id }) => id)).toEqual(['thr_1'])
      expect((await list('?q=corrected')).total).toBe(1)
      expect((await list('?severity=low')).total).toBe(0)
      expect((await trend()).total).toBe(1)
      await reconcile()
      expect((await shown()).first).toMatchObject({ title: 'Corrected heading', severity: 'critical' })
    } finally {
      await close()
    }
  }),
)

test(
  'a new value in the list replaces only the same member of a detail',
  withDatabase('bff', async (database) => {
    const { playDetail, open, shown, standIn, listed, other, reconcile, close } = await start(database)
    try {
      playDetail({ title: 'Corrected heading', risk_level: 'critical' })
      await open()
      standIn.play(V1_LIST, { json: v1List([{ ...listed, title: 'Listed anew' }, other]) })
      await reconcile()
      expect((await shown()).first).toMatchObject({ title: 'Listed anew', severity: 'critical' })
    } finally {
      await close()
    }
  }),
)

test(
  'what a detail leaves out stays as the list reported it',
  withDatabase('bff', async (database) => {
    const { standIn, open, shown, at, close } = await start(database)
    try {
      standIn.play(DETAIL, { json: { data: { id: 'thr_1', title: 'Short', published_at: at } } })
      await open()
      expect((await shown()).first).toMatchObject({ title: 'Short', severity: 'low', actors: ['Ashfall'] })
    } finally {
      await close()
    }
  }),
)

test(
  'a detail that gives a threat another date moves it there',
  withDatabase('bff', async (database) => {
    const { playDetail, open, shown, close } = await start(database)
    try {
      playDetail({ published_at: hoursAgo(5) })
      await open()
      expect((await shown()).first?.id).toBe('thr_2')
    } finally {
      await close()
    }
  }),
)
