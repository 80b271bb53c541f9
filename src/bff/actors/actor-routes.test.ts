import { expect, test } from 'vitest'
import { UpstreamError } from '#bff/upstream/upstream-error.ts'
import { actorListSchema } from '#contract/bff/actor.ts'
import { createTestBff, readProblem } from '../../../test/support/ask-bff.ts'
import { StubUpstream } from '../../../test/support/stub-upstream.ts'
import { withDatabase } from '../../../test/support/with-database.ts'
import { actorRoutes } from './actor-routes.ts'

test(
  'lists actors, for one call however often it is asked',
  withDatabase('bff', async (database) => {
    const upstream = new StubUpstream(() => ({
      threatActors: [
        {
          alias: 'x',
          actor_name: 'LockBit',
          seen: { count: 12, last: 1_760_000_000 },
          categories: { DDoS: 2 },
        },
        { nothing: true },
      ],
    }))
    const bff = await createTestBff(database, { routes: actorRoutes(upstream.dependencies) })
    await bff.signIn()

    const list = actorListSchema.parse(await (await bff.ask('/bff/actors?limit=20')).json())

    expect(list.actors).toEqual([
      {
        name: 'LockBit',
        mentions: 12,
        latestObservedAt: '2025-10-09T08:53:20.000Z',
        categories: ['DDoS'],
        otherFields: [{ path: 'alias', value: 'x' }],
      },
    ])
    expect(list.unreadable).toBe(1)
    expect(list.freshness.isStale).toBe(false)
    await bff.ask('/bff/actors?limit=20')
    expect(upstream.calls).toEqual([
      { name: 'listActors', params: { query: { limit: 20 } }, priority: 'person' },
    ])
  }),
)

test(
  'refuses a limit above the documented one, and tells an unreadable answer from an empty one',
  withDatabase('bff', async (database) => {
    const answers: unknown[] = [{ data: [] }, { data: 'none' }]
    const upstream = new StubUpstream(() => answers.shift())
    const bff = await createTestBff(database, { routes: actorRoutes(upstream.dependencies) })
    await bff.signIn()

    expect((await readProblem(await bff.ask('/bff/actors?limit=101'))).code).toBe('bad_request')
    expect(actorListSchema.parse(await (await bff.ask('/bff/actors')).json()).actors).toEqual([])
    expect((await readProblem(await bff.ask('/bff/actors?limit=3'))).code).toBe('upstream_unreadable')
  }),
)

test(
  'tells a refused call as the problem it is',
  withDatabase('bff', async (database) => {
    const upstream = new StubUpstream(() => {
      throw new UpstreamError({
        set: 'v1',
        kind: 'rate_limited',
        reason: 'status 429',
        retryAtMs: Date.now() + 9_000,
      })
    })
    const bff = await createTestBff(database, { routes: actorRoutes(upstream.dependencies) })
    await bff.signIn()
    expect((await readProblem(await bff.ask('/bff/actors'))).code).toBe('rate_limited')
  }),
)
