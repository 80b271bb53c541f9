import { expect, test } from 'vitest'
import { exportLineSchema } from '#contract/bff/threat-export.ts'
import { threatAnswerSchema } from '#contract/bff/threat-list.ts'
import { trendAnswerSchema } from '#contract/bff/trend.ts'
import { HOUR_MS } from '#contract/duration.ts'
import { startFilled, V1_LIST } from './support/store/start-filled.ts'
import { v1List, v1Record } from './support/upstream-records.ts'
import { withDatabase } from './support/with-database.ts'

/** Questions that no kept answer is for. */
const BEFORE = '?timeZone=UTC'
const AFTER = '?timeZone=Europe/Paris'
const AT_LAST = '?timeZone=Asia/Tokyo'
const hoursAgo = (hours: number) => new Date(Date.now() - hours * HOUR_MS).toISOString()
const record = (id: string, hours: number) => v1Record({ id, published_at: hoursAgo(hours) })

async function start(
  database: Parameters<Parameters<typeof withDatabase>[1]>[0],
  records: readonly unknown[],
) {
  const lantern = await startFilled(database, { records })
  const { ask } = lantern
  return {
    ...lantern,
    async head() {
      const [first = ''] = (await (await ask('/bff/exports/threats')).text()).split('\n')
      return exportLineSchema.parse(JSON.parse(first))
    },
    async trend(zone: string) {
      return trendAnswerSchema.parse(await (await ask(`/bff/trends${zone}`)).json()).trend
    },
    read: async (id: string) => threatAnswerSchema.parse(await (await ask(`/bff/threats/${id}`)).json()),
  }
}

test(
  'what could not be read is named wherever all would be claimed, until it is mended',
  withDatabase('bff', async (database) => {
    const records = [record('thr_1', 1), { title: 'No id' }, record('thr_2', 30), record('thr_3', 50)]
    const { list, source, head, trend, standIn, reconcile, close } = await start(database, records)
    try {
      const unreadable = { count: 1, example: 'record 2 on page 1 of the list', reason: 'no id' }
      const missing = { unreadable, total: null, notes: [] }
      expect(await list(BEFORE)).toMatchObject({ total: 3, isTotalExact: false, freshness: { missing } })
      expect((await source()).window).toMatchObject({ status: 'partial', missing })
      expect(await head()).toMatchObject({
        head: { partialReason: expect.stringContaining('1 record could not be read: no id') },
      })
      expect((await trend(BEFORE)).days.map(({ coverage }) => coverage)).not.toContain('whole')

      standIn.play(V1_LIST, { json: v1List(records.map((one, at) => (at === 1 ? record('thr_4', 9) : one))) })
      await reconcile()
      expect(await list(AFTER)).toMatchObject({ total: 4, isTotalExact: true })
      expect((await list(AFTER)).freshness.missing).toBeUndefined()
      expect(await head()).toMatchObject({ head: { total: 4, partialReason: null } })
      expect((await trend(AFTER)).days.map(({ coverage }) => coverage)).toContain('whole')
    } finally {
      await close()
    }
  }),
)

test(
  'a record no longer listed is in no list, count, chart or export, but found by id',
  withDatabase('bff', async (database) => {
    const records = [record('thr_1', 1), record('thr_2', 3), record('thr_3', 50)]
    const { list, head, trend, read, standIn, reconcile, close } = await start(database, records)
    try {
      expect((await trend(BEFORE)).total).toBe(3)
      standIn.play(V1_LIST, { json: v1List(records.filter(({ id }) => id !== 'thr_2')) })
      await reconcile()
      expect((await list(AFTER)).threats.map(({ id }) => id)).toEqual(['thr_1', 'thr_3'])
      expect(await head()).toMatchObject({ head: { total: 2 } })
      expect((await trend(AFTER)).total).toBe(2)
      const gone = { state: 'gone', because: 'the vendor does not have this record any more' }
      expect(await read('thr_2')).toMatchObject({ threat: { id: 'thr_2' }, missing: gone })
      standIn.play(V1_LIST, { json: v1List(records) })
      await reconcile()
      expect(await list(AT_LAST)).toMatchObject({ total: 3, isTotalExact: true })
    } finally {
      await close()
    }
  }),
)
