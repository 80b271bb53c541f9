import { expect, test } from 'vitest'
import { UpstreamError } from '#bff/upstream/client/upstream-error.ts'
import { actorAnswerSchema } from '#contract/bff/actor.ts'
import { pathSegment } from '#contract/bff/path-segment.ts'
import { ACTORS_NOW, LISTED_ACTORS, startActors } from '#test/support/actors/start-actors.ts'
import { readProblem } from '#test/support/ask-bff.ts'
import { makeThreat } from '#test/support/store/hold-threats.ts'
import { withDatabase } from '#test/support/with-database.ts'

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
  'counts the mentions of the window, and joins what the vendor lists, whatever the spelling',
  withDatabase('bff', async (database) => {
    const { list, upstream } = await startActors(database, {
      threats: THREATS,
      from: '2026-01-01T00:00:00.000Z',
    })

    const { actors, total, days, listing } = await list()

    expect(actors.map(({ name, mentions, isHeld }) => [name, mentions, isHeld])).toEqual([
      ['LockBit', 3, true],
      ['Ashfall', 1, true],
      ['Café Noir', 1, true],
      ['Sandstorm', 0, false],
    ])
    const [lockBit] = actors
    expect(lockBit).toMatchObject({
      compared: { count: 3, previous: 1 },
      week: { count: 2, compared: { count: 2, previous: 1 } },
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
    expect(listing).toMatchObject({ absent: null, fetchedAt: ACTORS_NOW })
    expect(upstream.calls).toEqual([
      { name: 'listActors', params: { query: { limit: 100 } }, priority: 'prefetch' },
    ])
  }),
)

test(
  'spends one call a day for any requests, and none to prefetch an unopened page',
  withDatabase('bff', async (database) => {
    const given = { threats: THREATS, isTrial: true }
    const { ask, list, one, wait, clock, upstream } = await startActors(database, given)
    const guess = () => ask('/bff/actors?tab=new', { headers: { 'x-lantern-background': '1' } })
    expect([(await guess()).status, upstream.calls]).toEqual([429, []])
    await list()
    await one('LockBit')
    expect((await guess()).status).toBe(200)
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
    const { names } = await startActors(database, { threats: THREATS })
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
    const { names } = await startActors(database, { threats: THREATS })
    expect(await names('?sort=name')).toEqual(['Ashfall', 'Café Noir', 'LockBit', 'Sandstorm'])
    expect(await names('?sort=name&order=reverse')).toEqual(['Sandstorm', 'LockBit', 'Café Noir', 'Ashfall'])
    expect(await names('?sort=listed')).toEqual(['LockBit', 'Sandstorm', 'Ashfall', 'Café Noir'])
    expect((await names('?sort=latest')).slice(0, 2)).toEqual(['Sandstorm', 'LockBit'])
    expect((await names('?sort=change')).slice(0, 2)).toEqual(['LockBit', 'Ashfall'])
  }),
)

test(
  'lists rising actors, new actors, and actors seen in a chosen industry and country together',
  withDatabase('bff', async (database) => {
    const { list, names } = await startActors(database, { threats: THREATS })
    expect((await list()).tabs).toEqual({ all: 4, rising: 2, new: 1, concerning: null })
    expect(await names('?tab=rising')).toEqual(['LockBit', 'Ashfall'])
    expect(await names('?tab=new')).toEqual(['Ashfall'])
    expect(await names('?tab=concerning')).toEqual([])
    expect(await names('?tab=concerning&country=FR')).toEqual([])
    expect(await names('?tab=concerning&industry=energy')).toEqual([])
    // Ashfall was seen in France, but not in that industry there.
    expect(await names('?tab=concerning&country=FR&country=DE&industry=energy')).toEqual(['LockBit'])
    expect(await names('?tab=concerning&country=FR&industry=energy')).toEqual([])
    const { actors, tabs } = await list('?country=FR&country=DE&industry=energy')
    expect(tabs.concerning).toBe(1)
    expect(actors.map(({ name, concerns, mentions }) => [name, concerns, mentions])).toEqual([
      ['LockBit', 1, 3],
      ['Ashfall', 0, 1],
      ['Café Noir', 0, 1],
      ['Sandstorm', 0, 0],
    ])
    expect((await list('?country=FR')).actors.map(({ concerns }) => concerns)).toEqual([
      null,
      null,
      null,
      null,
    ])
  }),
)

test(
  'finds an actor by another name, where only one has it',
  withDatabase('bff', async (database) => {
    const { one } = await startActors(database, { threats: THREATS })
    expect((await one('abcd')).actor).toMatchObject({ name: 'LockBit', victims: 1, mentions: 3 })
  }),
)

test(
  'ignores an alias that two actors have',
  withDatabase('bff', async (database) => {
    const named = (name: string) => ({ actor_name: name, alias: 'ABCD' })
    const { ask } = await startActors(database, {
      answer: () => ({ threatActors: [named('LockBit'), named('Ashfall')] }),
    })
    expect((await readProblem(await ask('/bff/actors/ABCD'))).code).toBe('not_found')
  }),
)

test(
  'lists no actor as new if earlier threats are not stored',
  withDatabase('bff', async (database) => {
    const { list } = await startActors(database, { threats: THREATS, from: '2026-04-05T00:00:00.000Z' })
    expect(await list('?tab=new')).toMatchObject({ tabs: { rising: null, new: null }, actors: [] })
  }),
)

test(
  'answers from the window when the vendor refuses its list, and says why that is absent',
  withDatabase('bff', async (database) => {
    const { list, ask } = await startActors(database, {
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
      detail: expect.stringContaining('could not be read'),
    })
  }),
)

test(
  'lists the vendor’s actors while no threats are stored, and reports a refused call',
  withDatabase('bff', async (database) => {
    const answers: (() => unknown)[] = [
      () => {
        throw new UpstreamError({ set: 'v1', kind: 'rate_limited', reason: 'status 429' })
      },
      () => LISTED_ACTORS,
    ]
    const { ask, list, upstream } = await startActors(database, { answer: () => answers.shift()?.() })
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
  'returns all facts of an actor by any spelling of its name',
  withDatabase('bff', async (database) => {
    const { one } = await startActors(database, { threats: THREATS })
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
    const { one, ask } = await startActors(database, {
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
    expect((await ask(`/bff/actors/${'x'.repeat(513)}`)).status).toBe(400)
    expect((await ask('/bff/actors/a%00b')).status).toBe(400)
    expect((await readProblem(await ask('/bff/actors?timeZone=Middle/Earth'))).fields).toMatchObject([
      { name: 'timeZone' },
    ])
  }),
)

test(
  'opens an actor whatever the name',
  withDatabase('bff', async (database) => {
    const odd = [
      '.',
      '..',
      '~.',
      'a/b',
      '../threats',
      'https://evil.example/x?y#z',
      '100%25',
      'x'.repeat(300),
      'Группа 日',
    ]
    const threats = odd.map((name, at) =>
      makeThreat(`t${at}`, '2026-04-09T01:00:00.000Z', { actors: [name] }),
    )
    const { ask } = await startActors(database, { threats })
    for (const name of odd) {
      const answer = await ask(`/bff/actors/${pathSegment(name)}`)
      expect.soft(answer.status, name).toBe(200)
      expect
        .soft(actorAnswerSchema.parse(await answer.json()).actor, name)
        .toMatchObject({ name, mentions: 1 })
    }
  }),
)
