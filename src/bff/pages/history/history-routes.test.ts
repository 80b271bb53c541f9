import { expect, test } from 'vitest'
import { historyLoadSchema, historyLoadsSchema } from '#contract/bff/history-load.ts'
import type { OpenDatabase } from '#database/open-database.ts'
import { ADMIN, createTestBff, readProblem } from '#test/support/ask-bff.ts'
import { iso, startHistory, V1_FROM_MS } from '#test/support/history/start-history.ts'
import { withDatabase } from '#test/support/with-database.ts'
import { historyRoutes } from './history-routes.ts'

const LIMITS = { days: 400, records: 300_000 }
const PATH = '/bff/history-loads'
const JULY = { from: '2026-07-01T00:00:00.000Z', to: '2026-08-01T00:00:00.000Z' }

async function start(database: OpenDatabase, options: Parameters<typeof startHistory>[1] = {}) {
  const past = await startHistory(database, options)
  const { upstream, clock } = past
  const routes = historyRoutes({
    database,
    upstream,
    clock,
    source: 'a source',
    limits: options.limits ?? LIMITS,
  })
  const bff = await createTestBff(database, { routes })
  await bff.signIn()
  const read = async (query = '') => historyLoadsSchema.parse(await (await bff.ask(`${PATH}${query}`)).json())
  return { ...past, ...bff, read }
}

test(
  'offers the newest month of a question that is not stored, and loads it for everybody',
  withDatabase('bff', async (database) => {
    const { read, ask, step, clock, records, coverage, loads, storedIds } = await start(database, {
      sync: { status: 'complete', recheck: null },
    })
    const before = (await storedIds()).length
    const { offer } = await read(`?from=${JULY.from}&to=${JULY.to}`)
    expect(offer).toMatchObject({ ...JULY, isBackTo: false, calls: 2, callsLeft: null })
    expect((await read('?period=2026-07')).offer).toEqual(offer)
    expect((await ask(`${PATH}?period=2026-13`)).status).toBe(400)
    const created = historyLoadSchema.parse(await (await ask(PATH, { body: JULY })).json())
    expect(created).toMatchObject({ ...JULY, state: 'waiting', requestedBy: 'ada' })
    // A second press is the same load, and nothing more is offered meanwhile.
    expect(historyLoadSchema.parse(await (await ask(PATH, { body: JULY })).json()).id).toBe(created.id)
    expect((await read(`?from=${JULY.from}&to=${JULY.to}`)).offer).toBeNull()
    expect((await read('?period=2026-07&timeZone=Europe/Berlin')).loads).toMatchObject([{ id: created.id }])
    expect((await read('?period=2026-06')).loads).toEqual([])
    for (let steps = 0; steps < 2; steps++) clock.wait(await step())
    const july = records.filter(({ atMs }) => atMs >= Date.parse(JULY.from) && atMs < Date.parse(JULY.to))
    expect((await read()).loads[0]).toMatchObject({ state: 'done', records: july.length, added: july.length })
    expect((await storedIds()).length).toBeGreaterThanOrEqual(before + july.length)
    expect((await loads())[0]).toMatchObject({ state: 'done' })
    expect(await coverage(JULY.from)).toMatchObject({
      gaps: [{ from: JULY.to, to: iso(V1_FROM_MS), why: 'notRead' }],
    })
    const { rows } = await database.query(
      `select action, object from audit_event where action like 'history%'`,
    )
    expect(rows).toEqual([{ action: 'history-load-requested', object: created.id }])
  }),
)

test(
  'users who may start a load may stop it, and its records stay',
  withDatabase('bff', async (database) => {
    const { ask, step, clock, read, storedIds, readHistory } = await start(database, { everyMs: 3_600_000 })
    const before = (await storedIds()).length
    const { id } = historyLoadSchema.parse(await (await ask(PATH, { body: JULY })).json())
    for (let steps = 0; steps < 2; steps++) clock.wait(await step())
    expect((await ask(`${PATH}/${id}`, { method: 'DELETE' })).status).toBe(204)
    expect((await ask(`${PATH}/${id}`, { method: 'DELETE' })).status).toBe(204)
    expect((await read()).loads).toMatchObject([{ id, state: 'stopped', pages: 2 }])
    expect((await storedIds()).length).toBeGreaterThan(before)
    expect((await readHistory()).ranges).toEqual([])
    expect((await read(`?from=${JULY.from}&to=${JULY.to}`)).offer).toMatchObject(JULY)
    expect(await readProblem(await ask(`${PATH}/77`, { method: 'DELETE' }))).toMatchObject({
      code: 'not_found',
    })
  }),
)

test(
  'viewers see loads and may not begin one',
  withDatabase('bff', async (database) => {
    const { createBrowser } = await start(database)
    await database.query(
      `insert into account (email, name, role, password_hash)
       select 'vi@example.com', 'vi', 'viewer', password_hash from account`,
    )
    const viewer = createBrowser()
    await viewer.signIn({ ...ADMIN, email: 'vi@example.com' })
    expect((await viewer.ask(PATH)).status).toBe(200)
    const refused = await readProblem(await viewer.ask(PATH, { body: JULY }))
    expect(refused).toMatchObject({ code: 'role_not_allowed' })
  }),
)

test(
  'reports a plan that does not include a month, and offers no load',
  withDatabase('bff', async (database) => {
    const { vendor, ask, step, clock, read } = await start(database)
    vendor.set({ fault: () => ({ status: 403, json: { error: 'Outside your data window' } }) })
    await ask(PATH, { body: JULY })
    for (let steps = 0; steps < 2; steps++) clock.wait(await step())
    const { loads, offer, refusal } = await read(`?from=${JULY.from}&to=${JULY.to}`)
    expect({ offer, refusal }).toEqual({ offer: null, refusal: 'planWindow' })
    expect(loads[0]?.state).toBe('failed')
    expect(loads[0]?.reason).toMatch(/plan/)
    const refused = await readProblem(await ask(PATH, { body: JULY }))
    expect(refused).toMatchObject({ code: 'conflict', detail: expect.stringContaining('plan') })
  }),
)

test(
  'offers no load beyond the storage limit',
  withDatabase('bff', async (database) => {
    const { read } = await start(database, { limits: { days: 60, records: 300_000 } })
    const old = '?from=2026-05-01T00:00:00Z&to=2026-06-01T00:00:00Z'
    expect(await read(old)).toMatchObject({ offer: null, refusal: 'historyLimit' })
  }),
)
