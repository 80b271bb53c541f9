import { expect, test } from 'vitest'
import { UpstreamError } from '#bff/upstream/upstream-error.ts'
import { actorAnswerSchema, actorListSchema } from '#contract/bff/actor.ts'
import type { Threat } from '#contract/bff/threat.ts'
import type { OpenDatabase } from '#database/open-database.ts'
import { createTestBff, readProblem } from '../../../test/support/ask-bff.ts'
import { StubUpstream } from '../../../test/support/stub-upstream.ts'
import { holdThreats, makeThreat } from '../../../test/support/window/hold-threats.ts'
import { withDatabase } from '../../../test/support/with-database.ts'
import { actorRoutes } from './actor-routes.ts'

const NOW = '2026-04-10T12:00:00.000Z'

const LISTED = {
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

async function start(database: OpenDatabase, { threats = [], from, answer, isTrial }: Given) {
  const upstream = new StubUpstream(answer ?? (() => LISTED))
  const { clock, readTallies } = await holdThreats(database, { now: NOW, threats, ...(from && { from }) })
  const { call } = upstream.dependencies.upstream
  const set = {
    status: 'unknown',
    reason: null,
    budgets: { minute: null, day: null },
    blockedUntil: null,
  } as const
  const trialExpiresAt = isTrial ? '2026-05-01T00:00:00Z' : null
  const sets = { v1: set, earlier: set }
  const state = async () => ({ isDemo: false, key: 'valid' as const, sets, trialExpiresAt })
  const bff = await createTestBff(database, {
    routes: actorRoutes({ upstream: { call, state }, clock, readTallies }),
  })
  await bff.signIn()
  const list = async (query = '') =>
    actorListSchema.parse(await (await bff.ask(`/bff/actors${query}`)).json())
  const names = async (query: string) => (await list(query)).actors.map(({ name }) => name)
  const one = async (name: string) =>
    actorAnswerSchema.parse(await (await bff.ask(`/bff/actors/${encodeURIComponent(name)}`)).json())
  return { ...bff, upstream, clock, list, names, one }
}

const THREATS = [
  makeThreat('a', '2026-04-09T01:00:00.000Z', { actors: ['LockBit'], industries: ['Energy'] }),
  makeThreat('b', '2026-04-08T01:00:00.000Z', {
    actors: ['LockBit', 'Ashfall'],
    countries: [{ code: 'FR', name: 'FR' }],
    organizations: ['Northwind'],
  }),
  makeThreat('c', '2026-03-30T01:00:00.000Z', {
    actors: ['LockBit'],
    category: 'DDoS',
    organizations: ['NORTHWIND'],
  }),
  makeThreat('d', '2026-03-29T01:00:00.000Z', { actors: ['Café Noir'] }),
  makeThreat('e', '2026-03-01T01:00:00.000Z', { actors: ['LockBit'] }),
]

test(
  'counts the mentions of the window, and joins what the source lists, whatever the spelling',
  withDatabase('bff', async (database) => {
    const { list, upstream } = await start(database, { threats: THREATS, from: '2026-01-01T00:00:00.000Z' })

    const { actors, total, days, listing } = await list()

    expect(actors.map(({ name, mentions, isHeld }) => [name, mentions, isHeld])).toEqual([
      ['LockBit', 3, true],
      ['Ashfall', 1, true],
      ['Café Noir', 1, true],
      ['Sandstorm', 0, false],
    ])
    const [lockBit] = actors
    expect(lockBit).toMatchObject({
      previousMentions: 1,
      week: { count: 2, before: 1 },
      firstObservedAt: '2026-03-01T01:00:00.000Z',
      latestObservedAt: '2026-04-09T01:00:00.000Z',
      listedMentions: 120,
      categories: ['Ransomware', 'DDoS'],
      countries: ['DE', 'FR'],
      industries: ['Energy'],
    })
    const counted = days.flatMap(({ date }, at) => (lockBit?.counts[at] ? [date] : []))
    expect(counted).toEqual(['2026-03-30', '2026-04-08', '2026-04-09'])
    expect(total).toBe(4)
    expect(listing).toMatchObject({ absent: null, fetchedAt: NOW })
    expect(upstream.calls).toEqual([
      { name: 'listActors', params: { query: { limit: 100 } }, priority: 'prefetch' },
    ])
  }),
)

test(
  'spends one call a day, however often and whatever is asked',
  withDatabase('bff', async (database) => {
    const { list, one, wait, clock, upstream } = await start(database, { threats: THREATS, isTrial: true })
    await list()
    await one('LockBit')
    clock.wait(23 * 3_600_000)
    wait(23 * 3_600_000)
    await list()
    expect(upstream.calls).toEqual([
      { name: 'listActors', params: { query: { limit: 50 } }, priority: 'prefetch' },
    ])
    clock.wait(2 * 3_600_000)
    wait(2 * 3_600_000)
    await list()
    expect(upstream.calls).toHaveLength(2)
  }),
)

test(
  'finds parts of names and aliases, whatever case, accents and spaces',
  withDatabase('bff', async (database) => {
    const { names } = await start(database, { threats: THREATS })
    expect(await names('?q=LOCK')).toEqual(['LockBit'])
    expect(await names('?q=bit%20lock')).toEqual(['LockBit'])
    expect(await names('?q=abcd')).toEqual(['LockBit'])
    expect(await names('?q=cafe%CC%81%20no')).toEqual(['Café Noir'])
    expect(await names('?q=lockbat')).toEqual([])
  }),
)

test(
  'sorts by each column in both directions',
  withDatabase('bff', async (database) => {
    const { names } = await start(database, { threats: THREATS })
    expect(await names('?sort=name')).toEqual(['Ashfall', 'Café Noir', 'LockBit', 'Sandstorm'])
    expect(await names('?sort=name&order=reverse')).toEqual(['Sandstorm', 'LockBit', 'Café Noir', 'Ashfall'])
    expect((await names('?sort=latest')).slice(0, 2)).toEqual(['Sandstorm', 'LockBit'])
    expect((await names('?sort=change')).slice(0, 2)).toEqual(['LockBit', 'Ashfall'])
  }),
)

test(
  'tells who is rising, new, and targeting the asked countries or industries',
  withDatabase('bff', async (database) => {
    const { list, names } = await start(database, { threats: THREATS })
    expect((await list()).tabs).toEqual({ all: 4, rising: 2, new: 1, targeting: null })
    expect(await names('?tab=rising')).toEqual(['LockBit', 'Ashfall'])
    expect(await names('?tab=new')).toEqual(['Ashfall'])
    expect(await names('?tab=targeting&country=FR')).toEqual(['LockBit', 'Ashfall'])
    expect(await names('?tab=targeting&industry=energy')).toEqual(['LockBit'])
    expect(await names('?tab=targeting')).toEqual([])
  }),
)

test(
  'calls nobody new where the time before is not held',
  withDatabase('bff', async (database) => {
    const { list } = await start(database, { threats: THREATS, from: '2026-04-05T00:00:00.000Z' })
    expect(await list('?tab=new')).toMatchObject({ tabs: { rising: null, new: null }, actors: [] })
  }),
)

test(
  'answers from the window when the source refuses its list, and says why that is absent',
  withDatabase('bff', async (database) => {
    const { list, ask } = await start(database, {
      threats: THREATS,
      answer: () => {
        throw new UpstreamError({ set: 'v1', kind: 'set_forbidden', reason: 'status 403' })
      },
    })
    const { actors, listing } = await list()
    expect(actors).toHaveLength(3)
    expect(listing).toMatchObject({ fetchedAt: null, absent: expect.stringContaining('plan') })
    expect(await readProblem(await ask('/bff/actors/Nobody'))).toMatchObject({
      code: 'not_found',
      detail: expect.stringContaining('could not be looked at'),
    })
  }),
)

test(
  'lists the source’s own while nothing is held, and tells a refused call as the problem it is',
  withDatabase('bff', async (database) => {
    const answers: (() => unknown)[] = [
      () => {
        throw new UpstreamError({ set: 'v1', kind: 'rate_limited', reason: 'status 429' })
      },
      () => LISTED,
    ]
    const { ask, list, upstream } = await start(database, { answer: () => answers.shift()?.() })
    expect((await readProblem(await ask('/bff/actors'))).code).toBe('rate_limited')
    const { actors, days } = await list()
    expect(actors.map(({ name, mentions }) => [name, mentions])).toEqual([
      ['LOCKBIT', null],
      ['Sandstorm', null],
    ])
    expect(days.every(({ coverage }) => coverage === 'unknown')).toBe(true)
    expect(upstream.calls.at(0)).toMatchObject({ priority: 'person' })
  }),
)

test(
  'tells all of one actor, by any spelling of its name',
  withDatabase('bff', async (database) => {
    const { one } = await start(database, { threats: THREATS })
    const { actor } = await one('lockBIT')
    expect(actor).toMatchObject({
      name: 'LockBit',
      aliases: ['lock bit', 'ABCD'],
      mentions: 3,
      victims: 1,
      countries: [
        { value: 'DE', count: 2 },
        { value: 'FR', count: 1 },
      ],
      industries: [{ value: 'Energy', count: 1 }],
      otherFields: [{ path: 'motive', value: 'money' }],
    })
    expect((await one('Sandstorm')).actor).toMatchObject({ isHeld: false, listedCategories: ['DDoS'] })
  }),
)

test(
  'opens names of any characters, and says what to do about an unknown one',
  withDatabase('bff', async (database) => {
    const odd = 'a/b?c#d%2F& \u202e株式会社 "x"'
    const { one, ask } = await start(database, {
      threats: [
        makeThreat('a', '2026-04-09T01:00:00.000Z', {
          actors: [odd],
          organizations: ['nul \0', '\ud800', 'C:\\\\u0000', '"]}'],
        }),
      ],
    })
    expect((await one(odd)).actor).toMatchObject({ name: odd, mentions: 1, victims: 4 })
    expect(await readProblem(await ask('/bff/actors/Nobody'))).toMatchObject({
      code: 'not_found',
      detail: expect.stringContaining('search the threats'),
    })
    expect((await ask(`/bff/actors/${'x'.repeat(201)}`)).status).toBe(400)
    expect((await ask('/bff/actors/a%00b')).status).toBe(400)
    expect((await readProblem(await ask('/bff/actors?timeZone=Middle/Earth'))).fields).toMatchObject([
      { name: 'timeZone' },
    ])
  }),
)
