import { expect, test } from 'vitest'
import { createLog } from '#bff/http/log.ts'
import { exportRoutes } from '#bff/pages/exports/export-routes.ts'
import { viewRoutes } from '#bff/pages/views/view-routes.ts'
import { threatListSchema } from '#contract/bff/threat-list.ts'
import { viewListSchema } from '#contract/bff/view.ts'
import { DAY_MS } from '#contract/duration.ts'
import type { OpenDatabase } from '#database/open-database.ts'
import { createTestBff, readProblem } from '#test/support/ask-bff.ts'
import { holdThreats, makeThreat } from '#test/support/store/hold-threats.ts'
import { withDatabase } from '#test/support/with-database.ts'
import { threatRoutes } from './threat-routes.ts'

const NOW = '2026-11-22T08:00:00.000Z'
const dayAgo = (days: number) => new Date(Date.parse(NOW) - days * DAY_MS).toISOString()

/** There is one a day for 120 days, of which the last 30 are stored whole. */
const THREATS = Array.from({ length: 120 }, (_, at) =>
  makeThreat(`t${at}`, dayAgo(at), {
    title: at % 3 === 0 ? 'Cl0p lists a supplier' : 'A supplier is listed',
    actors: at % 5 === 0 ? ['Clop'] : ['Ashfall'],
    severity: at % 2 === 0 ? 'high' : 'low',
    countries: at % 4 === 0 ? [] : [{ code: 'DE', name: 'Germany' }],
  }),
)

async function start(database: OpenDatabase) {
  const held = await holdThreats(database, { now: NOW, threats: THREATS })
  const deps = { ...held, database, log: createLog(() => {}), origin: 'https://lantern.example' }
  const bff = await createTestBff(database, {
    routes: [
      ...threatRoutes({ ...deps, secret: 'of the tests' }),
      ...exportRoutes(deps),
      ...viewRoutes(deps),
    ],
  })
  await bff.signIn()
  const page = async (query: string) =>
    threatListSchema.parse(await (await bff.ask(`/bff/threats?${query}`)).json())
  /** The ids of all pages, whose number is the total. */
  async function ids(query: string): Promise<Set<string>> {
    const found: string[] = []
    let { threats, nextCursor, total } = await page(query)
    found.push(...threats.map(({ id }) => id))
    while (nextCursor !== null) {
      ;({ threats, nextCursor } = await page(`${query}&cursor=${nextCursor}`))
      found.push(...threats.map(({ id }) => id))
    }
    expect(found.length).toBe(total)
    return new Set(found)
  }
  return { ...bff, database, ids }
}

const withFeed = (run: (feed: Awaited<ReturnType<typeof start>>) => Promise<void>) =>
  withDatabase('bff', async (database) => run(await start(database)))

test(
  'a wider query never has fewer results than a narrower one, in any time range',
  withFeed(async ({ ids }) => {
    const froms = [7, 31, 90, 400].map((days) => `&from=${dayAgo(days).slice(0, 10)}`)
    const filters = ['q=clop', 'q=supplier -clop', 'actor=Clop&severity=high', 'country=DE', 'triage=open']
    for (const filter of filters) {
      const all = await ids(filter)
      let before = new Set<string>()
      for (const from of froms) {
        const found = await ids(filter + from)
        expect([...before].filter((id) => !found.has(id))).toEqual([])
        expect([...found].filter((id) => !all.has(id))).toEqual([])
        before = found
      }
      expect(before).toEqual(all)
    }
  }),
)

test(
  'ignores the name of an API in a link or a saved view',
  withFeed(async ({ ask, ids, database }) => {
    expect(await ids('set=earlier&q=clop&from=2026-01-01')).toEqual(await ids('q=clop'))
    expect((await ask('/bff/exports/threats?set=v1&q=clop')).status).toBe(200)
    expect((await ask('/bff/threats?sett=v1')).status).toBe(400)
    const draft = { name: 'Old', filter: { actor: ['Clop'] }, timeZone: 'UTC', isShared: false }
    await ask('/bff/views', { body: draft })
    const old = JSON.stringify({ ...draft.filter, set: 'earlier' })
    await database.query('update saved_view set filter = $1', [old])
    const { views } = viewListSchema.parse(await (await ask('/bff/views')).json())
    expect(views.map(({ filter }) => filter)).toEqual([draft.filter])
  }),
)

test(
  'days and moments that end before they begin are refused by name',
  withFeed(async ({ ask }) => {
    const fieldsOf = async (query: string) => (await readProblem(await ask(`/bff/threats?${query}`))).fields
    expect(await fieldsOf('from=2026-03-02&to=2026-03-01')).toMatchObject([{ name: 'from' }])
    expect(await fieldsOf('since=2026-03-02T00:00:00Z&until=2026-03-01T00:00:00Z')).toMatchObject([
      { name: 'since' },
    ])
  }),
)
