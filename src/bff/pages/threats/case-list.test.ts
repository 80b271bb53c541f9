import { expect, test } from 'vitest'
import { placeAllClaims } from '#bff/store/cases/place-claims.ts'
import { groupAnswerSchema, threatListSchema } from '#contract/bff/threat-list.ts'
import type { Database } from '#database/database.ts'
import { createTestBff, readProblem } from '#test/support/ask-bff.ts'
import { holdThreats, makeThreat } from '#test/support/store/hold-threats.ts'
import { withDatabase } from '#test/support/with-database.ts'
import { threatRoutes } from './threat-routes.ts'

const NOW = '2026-03-10T12:00:00.000Z'
const OKAPI = { title: 'Okapi Lane', organizations: ['Okapi Lane'], domains: ['okapi.example'] }
const ZEBRA = { title: 'Zebra Works', organizations: ['Zebra Works'], domains: ['zebra.example'] }
/** The victim of one group is posted again as a part, and sold by another. */
const CLAIMS = [
  makeThreat('sold', '2026-03-10T09:00:00.000Z', { ...OKAPI, actors: ['Brine'], category: 'Data leak' }),
  makeThreat('part', '2026-03-09T09:00:00.000Z', { ...OKAPI, title: 'Okapi Lane part 2' }),
  makeThreat('other', '2026-03-08T09:00:00.000Z', ZEBRA),
  makeThreat('first', '2026-03-07T09:00:00.000Z', OKAPI),
]

async function open(database: Database) {
  const { store, clock } = await holdThreats(database, { now: NOW, threats: CLAIMS })
  const dependencies = { database, store, clock }
  const bff = await createTestBff(database, {
    routes: threatRoutes({ ...dependencies, secret: 'secret-of-the-tests' }),
  })
  await bff.signIn()
  const list = async (query: string) =>
    threatListSchema.parse(await (await bff.ask(`/bff/threats${query}`)).json())
  return {
    list,
    rows: async (query: string) => (await list(query)).threats.map(({ id }) => id).join(' '),
    groups: async (query: string) => {
      const { groups } = groupAnswerSchema.parse(await (await bff.ask(`/bff/groups/${query}`)).json())
      return groups.map(({ key, count }) => `${key} ${count}`)
    },
    refuse: async (query: string) => readProblem(await bff.ask(`/bff/threats${query}`)),
    async place() {
      await placeAllClaims(database)
      store.forget()
    },
  }
}

type Feed = Awaited<ReturnType<typeof open>>

function withFeed(run: (feed: Feed, database: Database) => Promise<void>) {
  return withDatabase('bff', async (database) => run(await open(database), database))
}

test(
  'a list of cases has one row per victim, with newest claim and counts',
  withFeed(async ({ list, rows, place }) => {
    // A claim that was not compared yet is a case of its own.
    const before = await list('?rows=cases&order=desc')
    expect(before).toMatchObject({ total: 4, cases: 4 })
    expect(before.threats.some((threat) => threat.case)).toBe(false)
    await place()
    const cases = await list('?rows=cases')
    expect(cases).toMatchObject({ total: 4, cases: 2 })
    expect(cases.threats.map(({ id }) => id)).toEqual(['sold', 'other'])
    expect(cases.threats[0]?.case).toEqual({ id: expect.any(String), claimCount: 3, actorCount: 2 })
    expect(cases.threats[1]).not.toHaveProperty('case')

    // Other readers of the list get each claim, as before.
    const claims = await list('')
    expect(claims).toMatchObject({ total: 4 })
    expect([claims.cases, claims.threats.some((threat) => threat.case)]).toEqual([undefined, false])
    expect(await rows('?rows=claims')).toBe('sold part other first')
  }),
)

test(
  'a filter chooses the newest claim that matches, and the case is counted whole',
  withFeed(async ({ list, rows, place }) => {
    await place()
    const found = await list('?rows=cases&category=Ransomware')
    expect(found).toMatchObject({ total: 3, cases: 2 })
    expect(found.threats.map((threat) => [threat.id, threat.case?.claimCount])).toEqual([
      ['part', 3],
      ['other', undefined],
    ])
    expect(await rows('?rows=cases&sort=published&order=asc')).toBe('first other')
    expect(await rows('?rows=cases&group=actor')).toBe('part other sold')
    expect(await list('?rows=cases&group=actor&closed=brine')).toMatchObject({ total: 4, cases: 2 })
  }),
)

test(
  'groups count what the list has rows for',
  withFeed(async ({ groups, place }) => {
    await place()
    expect(await groups('actor')).toEqual(['ashfall 3', 'brine 1'])
    expect(await groups('actor?rows=cases')).toEqual(['ashfall 2', 'brine 1'])
    expect(await groups('category?rows=cases&groupOrder=size')).toEqual(['ransomware 2', 'data leak 1'])
  }),
)

test(
  'other rows than cases and claims are refused by name',
  withFeed(async ({ refuse }) => {
    const { code, fields } = await refuse('?rows=victims')
    expect([code, fields?.map(({ name }) => name)]).toEqual(['bad_request', ['rows']])
  }),
)
