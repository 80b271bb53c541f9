import { actorRoutes } from '#bff/pages/actors/actor-routes.ts'
import { actorAnswerSchema, actorListSchema } from '#contract/bff/actor.ts'
import type { Threat } from '#contract/bff/threat.ts'
import type { OpenDatabase } from '#database/open-database.ts'
import { createTestBff } from '#test/support/ask-bff.ts'
import { holdThreats } from '#test/support/store/hold-threats.ts'
import { StubUpstream } from '#test/support/stub-upstream.ts'

export const ACTORS_NOW = '2026-04-10T12:00:00.000Z'

export const LISTED_ACTORS = {
  threatActors: [
    {
      alias: 'lock bit, ABCD',
      actor_name: 'LOCKBIT',
      seen: { count: 120, last: 1_760_000_000 },
      motive: 'money',
    },
    { actor_name: 'Sandstorm', seen: { count: 7, last: '2026-04-10T11:00:00Z' }, categories: { DDoS: 2 } },
  ],
}

type Given = { threats?: readonly Threat[]; from?: string; answer?: () => unknown; isTrial?: boolean }

/** The routes of actors on a window that holds these threats, beside a vendor that lists two actors by default. */
export async function startActors(database: OpenDatabase, { threats = [], from, answer, isTrial }: Given) {
  const upstream = new StubUpstream(answer ?? (() => LISTED_ACTORS))
  const { clock, store } = await holdThreats(database, {
    now: ACTORS_NOW,
    threats,
    ...(from && { from }),
  })
  const set = {
    status: 'unknown',
    reason: null,
    budgets: { minute: null, day: null },
    blockedUntil: null,
  } as const
  const trialExpiresAt = isTrial ? '2026-05-01T00:00:00Z' : null
  const sets = { v1: set, earlier: set }
  const state = async () => ({
    isDemo: false,
    isOwnService: false,
    connectionFault: null,
    key: 'valid' as const,
    sets,
    trialExpiresAt,
  })
  const bff = await createTestBff(database, {
    routes: actorRoutes({ upstream: { ...upstream.dependencies.upstream, state }, clock, store }),
  })
  await bff.signIn()
  const list = async (query = '') =>
    actorListSchema.parse(await (await bff.ask(`/bff/actors${query}`)).json())
  const names = async (query: string) => (await list(query)).actors.map(({ name }) => name)
  const one = async (name: string) =>
    actorAnswerSchema.parse(await (await bff.ask(`/bff/actors/${encodeURIComponent(name)}`)).json())
  return { ...bff, upstream, clock, list, names, one }
}
