import { expect, test } from 'vitest'
import { emptyStore, storeReadDetail } from '#bff/store/sync/store-page.ts'
import { readSyncState } from '#bff/store/sync/sync-state.ts'
import { createThreatStore } from '#bff/store/threat-store.ts'
import { systemClock } from '#bff/time/clock.ts'
import { threatListQuerySchema } from '#contract/bff/threat-list.ts'
import type { OpenDatabase } from '#database/open-database.ts'
import { aThreat } from '#test/fixtures/threat-fixtures.ts'
import { startFilled } from '#test/support/store/start-filled.ts'
import { earlierDetail, v1Record } from '#test/support/upstream-records.ts'
import { USUAL_HISTORY } from '#test/support/usual-settings.ts'
import { withDatabase } from '#test/support/with-database.ts'

const DETAIL = '/api/feed/thr_1'

const recordAt = (id: string, hours: number) =>
  v1Record({ id, published_at: new Date(Date.now() - hours * 3_600_000).toISOString() })

async function start(database: OpenDatabase) {
  const lantern = await startFilled(database, { records: [recordAt('thr_1', 1), recordAt('thr_2', 2)] })
  const { standIn, rooms, list, ask } = lantern
  const find = async (q: string) => {
    rooms.store.forget()
    const { threats } = await list(`?q=${encodeURIComponent(q)}`)
    return threats.map(({ id, foundIn = 'record' }) => ({ [id]: foundIn }))
  }
  return {
    ...lantern,
    find,
    async open(content: string) {
      standIn.play(DETAIL, { json: earlierDetail({ content }) })
      expect((await ask('/bff/threats/thr_1')).status).toBe(200)
    },
  }
}

test(
  'searches use the content of opened threats, and mark what it matches',
  withDatabase('bff', async (database) => {
    const { find, open, list, close } = await start(database)
    try {
      expect(await find('"vaultwarden passwords"')).toEqual([])
      await open('The Vaultwarden passwords of Fabrikam: ＡＬＬ of them.')
      expect(await find('vaultwarden')).toEqual([{ thr_1: 'fullText' }])
      expect(await find('"all of them" vault*')).toEqual([{ thr_1: 'fullText' }])
      expect(await find('"of all them"')).toEqual([])
      expect(await find('northwind')).toEqual([{ thr_1: 'record' }, { thr_2: 'record' }])
      expect(await find('northwind vaultwarden')).toEqual([{ thr_1: 'fullText' }])
      expect(await find('northwind -vaultwarden')).toEqual([{ thr_2: 'record' }])
      expect(await find('vaultwarden -before:2020')).toEqual([{ thr_1: 'fullText' }])
      expect((await list()).threats.map(({ foundIn }) => foundIn)).toEqual([undefined, undefined])
    } finally {
      await close()
    }
  }),
)

test(
  'fields are what they are without it, and no phrase reaches from a content into the title',
  withDatabase('bff', async (database) => {
    const { find, open, close } = await start(database)
    try {
      await open('victim fabrikam')
      expect(await find('victim:fabrikam')).toEqual([])
      expect(await find('actor:fabrikam')).toEqual([])
      expect(await find('domain:fabrikam')).toEqual([])
      expect(await find('victim:"northwind foods"')).toHaveLength(2)
      expect(await find('domain:northwind.example')).toHaveLength(2)
      expect(await find('country:germany')).toHaveLength(2)
      expect(await find('"fabrikam northwind"')).toEqual([])
    } finally {
      await close()
    }
  }),
)

test(
  'stored content survives restarts and crawls, and is replaced by newer content',
  withDatabase('bff', async (database) => {
    const { find, open, reconcile, standIn, close } = await start(database)
    try {
      await open('fabrikam')
      await reconcile()
      expect(await find('fabrikam')).toEqual([{ thr_1: 'fullText' }])
      const state = await readSyncState(database)
      if (state.status === 'empty') throw new Error('Nothing is stored')
      const { source } = state
      const other = createThreatStore({ limits: USUAL_HISTORY, database, clock: systemClock, source: source })
      const query = threatListQuerySchema.parse({ q: 'fabrikam' })
      const found = () => other.list(query, { start: null, end: null }, null)
      expect((await found())?.answer.threats).toMatchObject([{ id: 'thr_1', foundIn: 'fullText' }])
      const detail = { ...aThreat('thr_1'), set: 'earlier' as const, content: 'contoso' }
      await storeReadDetail(database, source, detail)
      other.forget()
      expect((await found())?.answer.threats).toEqual([])
      expect(await find('contoso')).toEqual([{ thr_1: 'fullText' }])
      expect(standIn.calls.filter(({ path }) => path === DETAIL)).toHaveLength(1)
    } finally {
      await close()
    }
  }),
)

test(
  'stores 20,000 characters of content, only for stored threats, until the store is emptied',
  withDatabase('bff', async (database) => {
    const { find, open, source, close } = await start(database)
    try {
      await open(`early ${'wörd '.repeat(40_000)} late`)
      expect(await find('early')).toEqual([{ thr_1: 'fullText' }])
      expect(await find('late')).toEqual([])
      const { rows } = await database.query('select id, length(text) <= 20000 as is_short from full_text')
      expect(rows).toEqual([{ id: 'thr_1', is_short: true }])
      expect((await source()).window.threats).toBe(2)
      expect((await database.query('select from full_text')).rowCount).toBe(1)
      await storeReadDetail(database, 'another source', { ...aThreat('thr_2'), content: 'fabrikam' })
      await emptyStore(database)
      expect((await database.query('select from full_text')).rowCount).toBe(0)
    } finally {
      await close()
    }
  }),
)
