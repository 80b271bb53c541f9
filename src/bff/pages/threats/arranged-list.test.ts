import { expect, test } from 'vitest'
import { triageRoutes } from '#bff/pages/triage/triage-routes.ts'
import type { Threat } from '#contract/bff/threat.ts'
import { groupAnswerSchema, threatListSchema } from '#contract/bff/threat-list.ts'
import type { Database } from '#database/database.ts'
import { createTestBff, readProblem } from '#test/support/ask-bff.ts'
import { vendorIsNotCalled } from '#test/support/name-threats.ts'
import { holdThreats, makeThreat } from '#test/support/store/hold-threats.ts'
import { withDatabase } from '#test/support/with-database.ts'
import { threatRoutes } from './threat-routes.ts'

const NOW = '2026-03-10T12:00:00.000Z'

type Named = { victim?: string; actor?: string; severity?: string | null; country?: string }

function named(id: string, publishedAt: string | null, some: Named): Threat {
  const { victim, actor, severity = null, country } = some
  return {
    ...makeThreat(id, publishedAt ?? ''),
    publishedAt,
    severity,
    organizations: victim ? [victim, 'Zzz'] : [],
    actors: actor ? [actor, 'Aaa'] : [],
    countries: country ? [{ code: country, name: country }] : [],
  }
}

const SOME = [
  named('a', '2026-03-10T09:00:00.000Z', {
    victim: 'Zeta',
    actor: 'LockBit',
    severity: 'low',
    country: 'CH',
  }),
  named('b', '2026-03-09T20:00:00.000Z', { victim: 'acme', actor: 'lockbit', severity: 'critical' }),
  named('c', '2026-03-09T18:20:00.000Z', { victim: 'Ácme', severity: 'unknown', country: 'DE' }),
  named('d', '2026-03-09T10:00:00.000Z', { actor: 'Ashfall', country: 'AT' }),
  named('e', null, { victim: 'Beta', severity: 'high', country: 'DE' }),
]

/** Starts a BFF whose vendor must not be called. */
async function open(database: Database, threats: readonly Threat[] = SOME) {
  const { store, clock } = await holdThreats(database, { now: NOW, threats })
  const routes = threatRoutes({
    database,
    secret: 'secret-of-the-tests',
    store,
    clock,
  })
  const bff = await createTestBff(database, {
    routes: [...routes, ...triageRoutes({ database, readThreat: vendorIsNotCalled })],
  })
  await bff.signIn()
  const list = async (query = '') =>
    threatListSchema.parse(await (await bff.ask(`/bff/threats${query}`)).json())
  return {
    ...bff,
    list,
    order: async (query: string) => (await list(query)).threats.map(({ id }) => id).join(''),
    groups: async (path: string) =>
      groupAnswerSchema.parse(await (await bff.ask(`/bff/groups/${path}`)).json()),
    refuse: async (query: string) => readProblem(await bff.ask(`/bff/threats${query}`)),
  }
}

type Feed = Awaited<ReturnType<typeof open>>

function withFeed(run: (feed: Feed, database: Database) => Promise<void>, threats?: readonly Threat[]) {
  return withDatabase('bff', async (database) => run(await open(database, threats), database))
}

test(
  'sorts by each name, either way, with what has no value last',
  withFeed(async ({ order }) => {
    expect(await order('')).toBe('abcde')
    expect(await order('?sort=published')).toBe('abcde')
    expect(await order('?order=asc')).toBe('dcbae')
    expect(await order('?sort=severity')).toBe('beacd')
    expect(await order('?sort=severity&order=asc')).toBe('caebd')
    expect(await order('?sort=actor')).toBe('dabce')
    expect(await order('?sort=actor&order=desc')).toBe('abdce')
    // Accents and letter case make no other name.
    expect(await order('?sort=victim')).toBe('bcead')
    // The order is by names, not by codes: Austria, Germany, Switzerland.
    expect(await order('?sort=country')).toBe('dceab')
    expect(await order('?sort=country&category=Ransomware&severity=unknown&severity=high')).toBe('ce')
  }),
)

test(
  'puts a list in groups, counts them, and leaves out those that are closed',
  withFeed(async ({ list, groups, ask }) => {
    // Where it is 5:45 later, b and c are of the tenth.
    const zone = 'timeZone=Asia/Kathmandu'
    const whole = await list(`?group=day&sort=victim&${zone}`)
    expect(whole.threats.map(({ id }) => id).join('')).toBe('bcade')
    const days = ['2026-03-10', '2026-03-10', '2026-03-10', '2026-03-09', '']
    expect(whole.groupKeys).toEqual(days)
    expect((await list('?group=day')).groupKeys).toEqual(['2026-03-10', ...Array(3).fill('2026-03-09'), ''])
    expect(await groups(`day?${zone}`)).toEqual({
      groups: [
        { key: '2026-03-10', label: '2026-03-10', count: 3 },
        { key: '2026-03-09', label: '2026-03-09', count: 1 },
        { key: '', label: '', count: 1 },
      ],
      more: 0,
      isExact: true,
    })
    // They have an order of their own, and take no other.
    const ordered = await readProblem(await ask('/bff/groups/day?sort=victim&order=asc&group=actor'))
    expect(ordered.fields?.map(({ name }) => name)).toEqual(['sort', 'order', 'group'])
    const closed = await list(`?group=day&${zone}&closed=2026-03-10&closed=`)
    expect(closed).toMatchObject({ threats: [{ id: 'd' }], groupKeys: ['2026-03-09'], total: 5 })

    const none = await list(`?group=day&${zone}&closed=2026-03-10&closed=2026-03-09&closed=`)
    expect(none).toMatchObject({ threats: [], nextCursor: null, total: 5 })
    expect((await list('?closed=&sort=actor')).threats).toHaveLength(5)

    expect((await groups('severity?country=DE')).groups.map(({ key, count }) => [key, count])).toEqual([
      ['high', 1],
      ['unknown', 1],
    ])
    expect((await groups('victim')).groups).toEqual([
      { key: 'acme', label: 'acme', count: 2 },
      { key: 'beta', label: 'Beta', count: 1 },
      { key: 'zeta', label: 'Zeta', count: 1 },
      { key: '', label: '', count: 1 },
    ])
    expect((await groups('country')).groups.map(({ key, label }) => `${key} ${label}`)).toEqual([
      'AT Austria',
      'DE Germany',
      'CH Switzerland',
      ' ',
    ])
    expect((await list('')).groupKeys).toBeUndefined()
  }),
)

test(
  'sorts by what the team did last, as soon as it has',
  withFeed(async ({ ask, order }, database) => {
    const act = (action: string, id: string) => ask('/bff/triage', { body: { action, ids: [id] } })
    expect(await order('?sort=activity')).toBe('abcde')
    await act('star', 'd')
    await act('read', 'b')
    expect(await order('?sort=activity')).toBe('bdace')
    expect(await order('?sort=activity&order=asc')).toBe('dbace')
    await act('unstar', 'd')
    expect(await order('?sort=activity')).toBe('dbace')
    // The history may be gone: what it has led to is not.
    await database.query(`delete from triage_event`)
    const { order: orderLater } = await open(database, [])
    expect(await orderLater('?sort=activity')).toBe('bacde')
  }),
)

const MANY = Array.from({ length: 120 }, (_, at) =>
  named(`thr_${at}`, new Date(Date.parse(NOW) - at * 3_600_000).toISOString(), {
    victim: `Victim ${String((at * 7) % 40).padStart(2, '0')}`,
    ...(at % 3 !== 0 && { actor: at % 3 === 1 ? 'LockBit' : 'Ashfall' }),
  }),
)

/** The sizes of its groups have another order than their names. */
const UNEVEN = MANY.map((threat, at) => (at % 8 === 1 ? { ...threat, actors: ['Vice'] } : threat))

test(
  'orders groups by their size, in the list, in each page of it, and in their count',
  withFeed(async ({ list, groups, refuse }) => {
    const bySize = await groups('actor?groupOrder=size')
    expect(bySize.groups?.map(({ label, count }) => [label, count])).toEqual([
      ['Ashfall', 35],
      ['LockBit', 35],
      ['Vice', 15],
      ['', 35],
    ])
    expect((await groups('actor?groupOrder=size&q=actor:vice')).groups).toMatchObject([{ count: 15 }])
    const keys: string[] = []
    const ids = new Set<string>()
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Awaited<ReturnType<typeof list>> = await list(
        `?group=actor&groupOrder=size${cursor && `&cursor=${cursor}`}`,
      )
      keys.push(...(page.groupKeys ?? []))
      for (const { id } of page.threats) ids.add(id)
      cursor = page.nextCursor
    }
    expect(ids.size).toBe(120)
    const runs = keys.filter((key, at) => key !== keys[at - 1])
    expect(runs).toEqual(bySize.groups?.map(({ key }) => key))
    const others = [runs[0], runs[1], runs[3]].map((key) => `&closed=${key}`).join('')
    expect((await list(`?group=actor&groupOrder=size${others}`)).threats).toHaveLength(15)

    // This filter's groups have other sizes: three days of 24 hours, then the rest of the fourth and the first.
    const days = (await groups('day?groupOrder=size&actor=LockBit')).groups.map(({ count }) => count) ?? []
    expect(days).toEqual(days.toSorted((a, b) => b - a))
    expect((await refuse('?group=actor&groupOrder=alphabet')).status).toBe(400)
  }, UNEVEN),
)

test(
  'pages through a sorted list by cursors of its own query, past deleted rows',
  withFeed(async ({ list, refuse }, database) => {
    const query = '?sort=victim&order=desc&group=actor'
    const ids: string[] = []
    let cursor: string | null = null
    do {
      const page: Awaited<ReturnType<typeof list>> = await list(cursor ? `${query}&cursor=${cursor}` : query)
      ids.push(...page.threats.map(({ id }) => id))
      cursor = page.nextCursor
      expect(page.total).toBe(120)
    } while (cursor)
    const key = (id: string) => {
      const threat = MANY.find((one) => one.id === id)
      return { actor: threat?.actors[0] ?? 'none', victim: threat?.organizations[0] ?? '' }
    }
    const wanted = MANY.map(({ id }) => id).toSorted((a, b) => {
      const [ofA, ofB] = [key(a), key(b)]
      const at = Number(a.slice(4)) - Number(b.slice(4))
      if (ofA.actor !== ofB.actor) {
        const actors = ['Ashfall', 'LockBit', 'none']
        return actors.indexOf(ofA.actor) - actors.indexOf(ofB.actor)
      }
      return ofA.victim === ofB.victim ? at : ofA.victim < ofB.victim ? 1 : -1
    })
    expect(ids).toEqual(wanted)

    const { nextCursor } = await list(query)
    const problem = await refuse(`?sort=victim&order=asc&group=actor&cursor=${nextCursor}`)
    expect(problem).toMatchObject({ status: 400, fields: [{ name: 'cursor' }] })
    await database.query('delete from window_threat where id = $1', [wanted[49]])
    const after = await list(`${query}&cursor=${nextCursor}`)
    expect(after.threats.map(({ id }) => id)).toEqual(wanted.slice(50, 100))
    // A cursor of the newest-first list stays as it was.
    const plain = (await list('')).nextCursor ?? ''
    const position = JSON.parse(Buffer.from(plain.slice(22), 'base64url').toString())
    expect(Object.keys(position)).toEqual(['at', 'id'])
  }, MANY),
)

test(
  'omits up to 100 closed groups of a query with many filters, and reports the limit',
  withFeed(async ({ list, refuse, groups }) => {
    const keys = (await groups('victim')).groups.map(({ key }) => key)
    expect(keys).toHaveLength(40)
    const closing = (some: readonly string[]) => some.map((key) => `&closed=${key}`).join('')
    const filter = Array.from({ length: 28 }, (_, at) => `&category=c${at}`).join('')
    const query = `?group=victim&sort=victim${filter}&category=Ransomware`

    const rest = await list(`${query}${closing(keys.slice(0, 38))}`)
    expect([...new Set(rest.groupKeys)]).toEqual(keys.slice(38))
    const names = Array.from({ length: 101 }, (_, at) => `n${at}`)
    expect((await list(`${query}${closing(names.slice(1))}`)).total).toBe(120)
    expect(await refuse(`${query}${closing(names)}`)).toMatchObject({
      status: 400,
      fields: [{ name: 'closed', reason: 'Give it at most 100 times.' }],
    })
  }, MANY),
)

test(
  'says so where names are too long for a cursor',
  withFeed(
    async ({ list }) => {
      const { threats, nextCursor, endsEarly } = await list('?sort=actor&group=category')
      expect([threats.length, nextCursor]).toEqual([50, null])
      expect(endsEarly).toMatch(/^The names that this list is ordered by are too long/)
      expect((await list('?sort=actor')).nextCursor).not.toBeNull()
    },
    Array.from({ length: 51 }, (_, at) => ({
      ...makeThreat(`${10 + at}${'☂'.repeat(510)}`, NOW),
      category: '☂'.repeat(500),
      actors: ['★'.repeat(500)],
    })),
  ),
)

test(
  'sorts and groups any requested time range, and returns nothing from an empty store',
  withFeed(async ({ list, order, groups, refuse }, database) => {
    const all = await order('?sort=victim')
    expect(await order('?from=2020-01-01&sort=victim')).toBe(all.replace('e', ''))
    expect((await groups('victim?from=2020-01-01')).groups).not.toEqual([])
    expect((await refuse('?sort=weather')).fields).toMatchObject([{ name: 'sort' }])
    await database.query('delete from window_reach')
    const { list: listLater } = await open(database, [])
    expect(await listLater('?sort=actor')).toMatchObject({ threats: [], total: 0 })
    expect((await list('?sort=actor')).total).toBe(SOME.length)
  }),
)
