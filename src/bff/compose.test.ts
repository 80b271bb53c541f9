import { expect, test } from 'vitest'
import { createLog } from '#bff/http/log.ts'
import { threatAnswerSchema } from '#contract/bff/threat-list.ts'
import type { Database } from '#database/database.ts'
import { createTestBff, readProblem } from '#test/support/ask-bff.ts'
import { type StandInUpstream, startStandInUpstream } from '#test/support/stand-in-upstream.ts'
import { createVirtualClock } from '#test/support/start-governed.ts'
import { v1Detail } from '#test/support/upstream-records.ts'
import { USUAL_HISTORY, USUAL_NOTIFY } from '#test/support/usual-settings.ts'
import { withDatabase } from '#test/support/with-database.ts'
import { composeRooms } from './compose.ts'

const DETAIL = '/api/v1/threats/thr_1'
const PAGE = '/bff/threats/thr_1?set=v1'
const PATHS = [
  '/bff/source',
  '/bff/threats',
  '/bff/threats/thr_1',
  '/bff/threats/thr_1/related',
  '/bff/threats/thr_1/evidence/0',
]

function dataRoutes(database: Database, standIn: StandInUpstream) {
  const clock = createVirtualClock()
  const { routes } = composeRooms({
    history: USUAL_HISTORY,
    notify: USUAL_NOTIFY,
    upstream: { url: standIn.url, apiKey: 'the-key', kind: 'vendor' },
    database,
    origin: 'http://localhost:4173',
    secret: 'secret',
    log: createLog(() => {}),
    clock,
  })
  return { routes, clock }
}

test(
  'nothing is answered, and no call made, without a session',
  withDatabase('bff', async (database) => {
    const standIn = await startStandInUpstream()
    const bff = await createTestBff(database, dataRoutes(database, standIn))
    for (const path of PATHS) {
      expect(await readProblem(await bff.ask(path))).toMatchObject({ status: 401, code: 'signed_out' })
    }
    expect(standIn.calls).toEqual([])
  }),
)

test(
  'a user gets the same cached bytes, and new ones on request',
  withDatabase('bff', async (database) => {
    const standIn = await startStandInUpstream()
    standIn.play(DETAIL, { json: { data: v1Detail() } })
    const { routes, clock } = dataRoutes(database, standIn)
    const bff = await createTestBff(database, { routes })
    await bff.signIn()
    const read = async (headers = {}) =>
      threatAnswerSchema.parse(await (await bff.ask(PAGE, { headers })).json())

    const first = await read()
    clock.wait(10_000)
    bff.wait(10_000)
    expect(await read()).toEqual(first)
    expect(await read({ 'x-lantern-background': '1' })).toEqual(first)
    expect(standIn.calls).toHaveLength(1)

    const second = await read({ 'x-lantern-refresh': '1' })
    expect(second.freshness.fetchedAt).not.toBe(first.freshness.fetchedAt)
    expect(await read()).toEqual(second)
    expect(standIn.calls).toHaveLength(2)
  }),
)

test(
  'a vendor that refuses the key does not sign the reader out',
  withDatabase('bff', async (database) => {
    const standIn = await startStandInUpstream()
    standIn.play(DETAIL, { status: 401, json: { error: 'Invalid key' } })
    const bff = await createTestBff(database, dataRoutes(database, standIn))
    await bff.signIn()
    expect(await readProblem(await bff.ask(PAGE))).toMatchObject({
      status: 503,
      code: 'key_invalid',
    })
    expect(await bff.readSession()).not.toBeNull()
    expect(await (await bff.ask('/bff/source')).json()).toMatchObject({ key: 'invalid' })
  }),
)
