import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { threatRoutes } from '#bff/pages/threats/threat-routes.ts'
import { addEvent, lockStates, writeAspect } from '#bff/store/records/triage-queries.ts'
import { threatListQuerySchema, threatListSchema } from '#contract/bff/threat-list.ts'
import { TRIAGE_FILTERS } from '#contract/bff/triage-filter.ts'
import { createTestBff } from '#test/support/ask-bff.ts'
import { vendorIsNotCalled } from '#test/support/name-threats.ts'
import { holdThreats, makeThreat } from '#test/support/store/hold-threats.ts'
import { withDatabase } from '#test/support/with-database.ts'
import { actOn, triageRoutes } from './triage-routes.ts'

const NOW = '2026-03-10T12:00:00.000Z'
const OPEN = { start: null, end: null }
const ADA = { accountId: 'u-1', who: 'ada@example.com', name: 'Ada' }

test(
  'feed, counts and export agree at once on the actions of the team',
  withDatabase('bff', async (database) => {
    const threats = ['a', 'b', 'c', 'd'].map((id, at) => makeThreat(id, `2026-03-10T0${9 - at}:00:00.000Z`))
    const { store } = await holdThreats(database, { now: NOW, threats })
    async function listed() {
      const found = TRIAGE_FILTERS.map(async (triage) => {
        const page = await store.list(threatListQuerySchema.parse({ triage }), OPEN, null)
        const ids = page?.answer.threats.map(({ id }) => id) ?? []
        const newest = await store.newest({ triage }, 10)
        expect(newest?.map(({ id }) => id)).toEqual(ids)
        const exported = await store.snapshot(threatListQuerySchema.parse({ triage }), OPEN)
        expect((await exported?.read(0, 10))?.map(({ id }) => id)).toEqual(ids)
        const inFacets = page?.answer.facets?.category.at(0)?.count ?? 0
        expect([exported?.count, inFacets, page?.answer.total]).toEqual(Array(3).fill(ids.length))
        return [triage, ids.join('')]
      })
      return Object.fromEntries(await Promise.all(found))
    }
    expect(await listed()).toEqual({
      open: 'abcd',
      unread: 'abcd',
      mine: '',
      overdue: '',
      starred: '',
      closed: '',
    })

    await actOn(database, { action: 'read', ids: ['a', 'b'] }, ADA)
    await actOn(database, { action: 'star', ids: ['b', 'never-held'] }, ADA)
    await actOn(database, { action: 'close', ids: ['c'], reason: 'other', text: null }, ADA)

    expect(await listed()).toEqual({
      open: 'abd',
      unread: 'd',
      mine: '',
      overdue: '',
      starred: 'b',
      closed: 'c',
    })
  }),
)

test(
  'a list that was just answered does not keep what has been read since',
  withDatabase('bff', async (database) => {
    const threats = ['a', 'b'].map((id, at) => makeThreat(id, `2026-03-10T0${9 - at}:00:00.000Z`))
    const { store, clock } = await holdThreats(database, { now: NOW, threats })
    const threatList = threatRoutes({
      database,
      secret: 'secret-of-the-tests',
      store,
      clock,
    })
    const { ask, signIn } = await createTestBff(database, {
      routes: [...threatList, ...triageRoutes({ database, readThreat: vendorIsNotCalled })],
    })
    await signIn()
    const unread = async () =>
      threatListSchema
        .parse(await (await ask('/bff/threats?triage=unread')).json())
        .threats.map(({ id }) => id)
    expect(await unread()).toEqual(['a', 'b'])

    await ask('/bff/triage', { body: { action: 'read', ids: ['a'] } })
    expect(await unread()).toEqual(['b'])
  }),
)

test(
  'what was begun first and done last is not missed',
  withDatabase('bff', async (database) => {
    const threats = ['slow', 'fast'].map((id) => makeThreat(id, '2026-03-10T09:00:00.000Z'))
    const { store } = await holdThreats(database, { now: NOW, threats })
    const starred = async () => (await store.newest({ triage: 'starred' }, 10)).map(({ id }) => id)
    const begun = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    const slow = database.transaction(async (db) => {
      await lockStates(db, ['slow'], '')
      await writeAspect(db, 'starred', new Map([['slow', { at: NOW, who: ADA.who }]]))
      await addEvent(db, {
        ...ADA,
        action: 'star',
        ids: ['slow'],
        reason: null,
        text: null,
        ownerId: null,
        before: {},
      })
      begun.resolve()
      await goOn.promise
    })
    await begun.promise
    const fast = actOn(database, { action: 'star', ids: ['fast'] }, ADA)
    await Promise.race([fast, sleep(300)])
    await starred()
    goOn.resolve()
    await Promise.all([slow, fast])

    expect(await starred()).toEqual(['slow', 'fast'])
  }),
)
