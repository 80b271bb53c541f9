import { expect, test } from 'vitest'
import { dueTimeRoutes } from '#bff/pages/cases/due-time-routes.ts'
import { threatRoutes } from '#bff/pages/threats/threat-routes.ts'
import { placeAllClaims } from '#bff/store/cases/place-claims.ts'
import { placeThreats, storeThreats } from '#bff/store/records/store-threats.ts'
import type { Threat } from '#contract/bff/threat.ts'
import { threatListSchema } from '#contract/bff/threat-list.ts'
import type { TriageAction } from '#contract/bff/triage.ts'
import { HOUR_MS } from '#contract/duration.ts'
import type { Database } from '#database/database.ts'
import { createTestBff } from '#test/support/ask-bff.ts'
import { vendorIsNotCalled } from '#test/support/name-threats.ts'
import { holdThreats, makeThreat } from '#test/support/store/hold-threats.ts'
import { withDatabase } from '#test/support/with-database.ts'
import { triageRoutes } from './triage-routes.ts'

const OKAPI = { title: 'Okapi Lane', organizations: ['Okapi Lane'], domains: ['okapi.example'] }
const ZEBRA = { title: 'Zebra Works', organizations: ['Zebra Works'], domains: ['zebra.example'] }

/** A store with one threat of the past, whose clock a test moves. */
async function openFeed(database: Database) {
  const now = new Date().toISOString()
  const past = makeThreat('past', now, { ...ZEBRA, severity: 'critical' })
  const { store, clock } = await holdThreats(database, { now, threats: [past] })
  await placeAllClaims(database)
  const dependencies = { database, readThreat: vendorIsNotCalled, store, clock }
  const bff = await createTestBff(database, {
    routes: [
      ...threatRoutes({ ...dependencies, secret: 'secret-of-the-tests' }),
      ...triageRoutes(dependencies),
      ...dueTimeRoutes({ database }),
    ],
  })
  await bff.signIn()
  const list = async (query: string) =>
    threatListSchema.parse(await (await bff.ask(`/bff/threats?timeZone=UTC&${query}`)).json())
  return {
    bff,
    list,
    /** The ids by filter and by search, which are the same, as are their totals. */
    async overdue() {
      const [byFilter, bySearch, others] = [
        await list('triage=overdue&rows=claims'),
        await list('q=is:overdue&rows=claims'),
        await list('q=-is:overdue&rows=claims'),
      ]
      const ids = byFilter.threats.map(({ id }) => id).toSorted()
      expect(bySearch.threats.map(({ id }) => id).toSorted()).toEqual(ids)
      expect([byFilter.total, bySearch.total]).toEqual([ids.length, ids.length])
      expect(others.total + ids.length).toBe((await list('')).total)
      return ids
    },
    async claim(id: string, facts: Partial<Threat>) {
      const at = new Date().toISOString()
      await storeThreats(database, placeThreats([makeThreat(id, at, facts)], at), () => 'live')
      await database.query(`update window_reach set revision = nextval('window_revision')`)
      await placeAllClaims(database)
      store.forget()
    },
    passHours: (hours: number) => clock.wait(hours * HOUR_MS),
    act: (action: TriageAction) => bff.ask('/bff/triage', { body: action }),
  }
}

function withFeed(run: (feed: Awaited<ReturnType<typeof openFeed>>, database: Database) => Promise<void>) {
  return withDatabase('bff', async (database) => run(await openFeed(database), database))
}

test(
  'a case becomes overdue as time passes, without a new record, with all its open claims',
  withFeed(async ({ overdue, claim, passHours, list }) => {
    await claim('first', { ...OKAPI, severity: 'high' })
    await claim('again', { ...OKAPI, severity: 'medium', actors: ['Brine'] })
    expect(await overdue()).toEqual([])
    passHours(23)
    expect(await overdue()).toEqual([])
    passHours(2)
    expect(await overdue()).toEqual(['again', 'first'])
    expect(await list('triage=overdue&rows=cases')).toMatchObject({ cases: 1, total: 2 })
    passHours(10_000)
    expect(await overdue()).toEqual(['again', 'first'])
  }),
)

test(
  'sorts cases by due time, and puts those without a due time last',
  withFeed(async ({ claim, list }) => {
    await claim('later', { ...OKAPI, severity: 'medium' })
    await claim('soon', { title: 'Heron', organizations: ['Heron Ltd'], domains: [], severity: 'critical' })
    const idsBy = async (query: string) => (await list(query)).threats.map(({ id }) => id)
    for (const rows of ['cases', 'claims']) {
      expect(await idsBy(`sort=due&rows=${rows}`)).toEqual(['soon', 'later', 'past'])
      expect(await idsBy(`sort=due&order=desc&rows=${rows}`)).toEqual(['later', 'soon', 'past'])
    }
  }),
)

test(
  'what people do, a rise of severity and other hours count at once',
  withFeed(async ({ overdue, claim, passHours, act, bff }) => {
    await claim('first', { ...OKAPI, severity: 'medium' })
    passHours(5)
    expect(await overdue()).toEqual([])
    await claim('first', { ...OKAPI, severity: 'critical' })
    expect(await overdue()).toEqual(['first'])
    await act({ action: 'close', ids: ['first'], reason: 'handled', text: null })
    expect(await overdue()).toEqual([])
    await act({ action: 'reopen', ids: ['first'] })
    expect(await overdue()).toEqual(['first'])
    const times = { critical: 6, high: 24, medium: 72, low: null }
    await bff.ask('/bff/due-times', { method: 'PUT', body: times })
    expect(await overdue()).toEqual([])
    await bff.ask('/bff/due-times', { method: 'PUT', body: { ...times, critical: 4 } })
    expect(await overdue()).toEqual(['first'])
  }),
)

test(
  'a claim that changes its case is due with its current case',
  withFeed(async ({ overdue, claim, passHours }, database) => {
    await claim('first', { ...OKAPI, severity: 'high' })
    await claim('low', { ...ZEBRA, severity: 'low' })
    passHours(30)
    expect(await overdue()).toEqual(['first'])
    const caseOf = (id: string) => `(select case_id from case_claim where threat_id = '${id}')`
    await database.query(`update case_claim set case_id = ${caseOf('first')} where threat_id = 'low'`)
    expect(await overdue()).toEqual(['first', 'low'])
    await database.query(`update case_claim set case_id = ${caseOf('past')} where threat_id = 'low'`)
    expect(await overdue()).toEqual(['first'])
    await database.query(`update case_claim set case_id = ${caseOf('past')} where threat_id = 'first'`)
    expect(await overdue()).toEqual(['first', 'low', 'past'])
  }),
)

test(
  'a claim that comes to a case with comments is found by them at once',
  withFeed(async ({ claim, act, list }) => {
    const commented = async () =>
      (await list('q=has:comment&rows=claims')).threats.map(({ id }) => id).toSorted()
    await claim('first', OKAPI)
    await act({ action: 'note', ids: ['first'], text: 'ask legal' })
    expect(await commented()).toEqual(['first'])
    await claim('again', { ...OKAPI, actors: ['Brine'] })
    expect(await commented()).toEqual(['again', 'first'])
  }),
)
