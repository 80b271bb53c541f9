import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { callLedgerSchema } from '#contract/bff/call-ledger.ts'
import { createTestBff } from '#test/support/ask-bff.ts'
import { NOON_MS, personOf, READER, startGoverned, THREATS } from '#test/support/start-governed.ts'
import { withDatabase } from '#test/support/with-database.ts'
import { callRoutes } from './call-routes.ts'

test(
  'shows admins the newest calls and who waited for them, and counts the hours of the day',
  withDatabase('bff', async (database) => {
    const { standIn, clock, list } = await startGoverned(database)
    const { ask, signIn } = await createTestBff(database, { routes: callRoutes({ database, clock }) })
    const { user } = z.object({ user: z.object({ id: z.string() }) }).parse(await (await signIn()).json())
    const reply = { 'x-ratelimit-limit': '5', 'x-ratelimit-remaining': '1', 'x-ratelimit-reset': '60' }

    standIn.play(THREATS, { json: { data: [], meta: {} } })
    clock.wait(-24 * 3_600_000)
    await list(READER)
    clock.wait(24 * 3_600_000)
    standIn.play(THREATS, { status: 400, headers: reply, json: { error: 'no' } })
    await list({ priority: 'person', who: user.id, session: 's-1' })
    await list(READER)
    clock.wait(3_600_000)
    standIn.play(THREATS, { raw: 'garbage' })
    await list(personOf('s-2'))

    const ledger = callLedgerSchema.parse(await (await ask('/bff/calls')).json())
    expect(ledger.hours).toEqual([
      { hour: 12, set: 'v1', calls: 1 },
      { hour: 13, set: 'v1', calls: 1 },
    ])
    const call = {
      set: 'v1',
      route: 'listThreats',
      priority: 'person',
      who: null,
      durationMs: expect.any(Number),
    }
    const at = (ms: number) => new Date(NOON_MS + ms).toISOString()
    expect(ledger.calls).toEqual([
      { ...call, at: at(3_600_000), outcome: 'failed', status: 200 },
      { ...call, at: at(0), priority: 'window', outcome: 'saved', status: null, durationMs: null },
      { ...call, at: at(0), who: 'ada@example.com', outcome: 'refused_by_vendor', status: 400 },
      { ...call, at: at(-24 * 3_600_000), priority: 'window', outcome: 'answered', status: 200 },
    ])
  }),
)
