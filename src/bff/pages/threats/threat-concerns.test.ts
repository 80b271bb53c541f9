import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { createLog } from '#bff/http/log.ts'
import { caseRoutes } from '#bff/pages/cases/case-routes.ts'
import { exportRoutes } from '#bff/pages/exports/export-routes.ts'
import { listRoutes } from '#bff/pages/lists/list-routes.ts'
import { placeAllClaims } from '#bff/store/cases/place-claims.ts'
import { createListMatching } from '#bff/store/lists/match-lists.ts'
import { nameListSchema } from '#contract/bff/list.ts'
import type { NewList } from '#contract/bff/list-draft.ts'
import { exportLineSchema } from '#contract/bff/threat-export.ts'
import {
  facetAnswerSchema,
  relatedThreatsSchema,
  storedThreatAnswerSchema,
  threatListSchema,
} from '#contract/bff/threat-list.ts'
import type { Database } from '#database/database.ts'
import { createTestBff, readProblem } from '#test/support/ask-bff.ts'
import { holdThreats, makeThreat } from '#test/support/store/hold-threats.ts'
import { withDatabase } from '#test/support/with-database.ts'
import { threatDetailRoutes } from './threat-detail-routes.ts'
import { threatRoutes } from './threat-routes.ts'

const NOW = '2026-03-10T12:00:00.000Z'
const THREATS = [
  makeThreat('okapi', '2026-03-10T09:00:00.000Z', {
    organizations: ['Somebody Else'],
    domains: ['okapi.example'],
    actors: ['Ashfall'],
  }),
  makeThreat('other', '2026-03-09T09:00:00.000Z', { organizations: ['Contoso'], actors: ['Ashfall'] }),
]

async function start(database: Database) {
  const held = await holdThreats(database, { now: NOW, threats: THREATS })
  const rejectCall = () => Promise.reject(new Error('not asked'))
  const bff = await createTestBff(database, {
    routes: [
      ...listRoutes({ database, ...held }),
      ...caseRoutes({ database }),
      ...exportRoutes({ database, log: createLog(() => {}), ...held }),
      ...threatRoutes({
        ...held,
        database,
        secret: 'of the tests',
      }),
      ...threatDetailRoutes({ ...held, database, source: 'a source', readThreat: rejectCall }),
    ],
  })
  await bff.signIn()
  await database.query(
    `insert into account (email, name, role, password_hash)
     select 'bo@example.com', 'Bo', role, password_hash from account`,
  )
  const bo = bff.createBrowser()
  await bo.signIn({ email: 'bo@example.com', password: 'correct horse battery staple' })
  const matching = createListMatching({ database, log: createLog(() => {}) })
  return {
    ada: bff.ask,
    bo: bo.ask,
    /** Ada makes a list, and it is matched. */
    async addList(draft: Partial<NewList> = {}) {
      const entries = [
        { name: 'Okapi Ltd', domains: ['okapi.example'], note: null, key: null, weight: 'normal' },
        { name: 'Okapi Cloud', domains: ['okapi.example'], note: null, key: null, weight: 'critical' },
      ]
      const body = { name: 'Suppliers', kind: 'supplier', isShared: true, entries, ...draft }
      const list = nameListSchema.parse(await (await bff.ask('/bff/lists', { body })).json())
      await matching.matchUnmatched()
      return list
    },
    /** Ada decides that both threats are claims of one victim. */
    async join() {
      await placeAllClaims(database)
      const joined = await bff.ask('/bff/cases', {
        body: { action: 'join', threatId: 'okapi', otherId: 'other', revision: 0 },
      })
      held.store.forget()
      return joined.status
    },
  }
}

type Ask = Awaited<ReturnType<typeof start>>['ada']

async function namesOf(ask: Ask, filter = ''): Promise<Record<string, string[]>> {
  const answer = await ask(`/bff/threats?timeZone=UTC${filter}`)
  const { threats } = threatListSchema.parse(await answer.json())
  return Object.fromEntries(
    threats.map(({ id, concerns }) => [id, concerns?.map(({ entryName }) => entryName) ?? []]),
  )
}

test(
  'threats say which entries of lists they match, critical entries first',
  withDatabase('bff', async (database) => {
    const { ada, bo, addList } = await start(database)
    const list = await addList()

    const concerns = [
      {
        listId: list.id,
        listName: 'Suppliers',
        kind: 'supplier',
        entryName: 'Okapi Cloud',
        weight: 'critical',
      },
      { entryName: 'Okapi Ltd', certainty: 'certain', rule: 'domain', text: 'okapi.example', decision: null },
    ]
    const rows = threatListSchema.parse(await (await bo('/bff/threats?timeZone=UTC')).json()).threats
    expect(rows).toMatchObject([{ id: 'okapi', concerns }, { id: 'other' }])
    expect(rows[1]?.concerns).toBeUndefined()
    const stored = storedThreatAnswerSchema.parse(await (await ada('/bff/threats/okapi/stored')).json())
    expect(stored?.threat.concerns).toMatchObject(concerns)
    const related = relatedThreatsSchema.parse(await (await ada('/bff/threats/other/related')).json())
    expect(related.groups[0]?.threats).toMatchObject([{ id: 'okapi', concerns }])
  }),
)

test(
  'the row of a case has what any of its claims matches, each entry once',
  withDatabase('bff', async (database) => {
    const { ada, bo, addList, join } = await start(database)
    const entry: NewList['entries'][number] = {
      name: 'Contoso',
      domains: [],
      note: null,
      key: null,
      weight: 'normal',
    }
    await addList({ entries: [entry], isShared: false })
    await addList({ entries: [{ ...entry, name: 'Somebody Else Contoso', domains: ['okapi.example'] }] })
    const [shared, own] = ['Somebody Else Contoso', 'Contoso']
    expect(await namesOf(ada, '&rows=cases')).toEqual({ okapi: [shared], other: [own] })

    expect(await join()).toBe(200)
    expect(await namesOf(ada, '&rows=cases')).toEqual({ okapi: [own, shared] })
    expect(await namesOf(bo, '&rows=cases')).toEqual({ okapi: [shared] })
    expect(await namesOf(ada)).toEqual({ okapi: [shared], other: [own] })
  }),
)

test(
  'shows matches of a private list only to its owner, whoever opens the page first',
  withDatabase('bff', async (database) => {
    const { ada, bo, addList } = await start(database)
    await addList({ isShared: false })

    const [owner, other] = [['Okapi Cloud', 'Okapi Ltd'], []]
    expect(await namesOf(ada)).toEqual({ okapi: owner, other })
    expect(await namesOf(bo)).toEqual({ okapi: [], other })
    expect(await namesOf(ada)).toEqual({ okapi: owner, other })
  }),
)

test(
  'an export says what concerns the account that requests it, by no list of others',
  withDatabase('bff', async (database) => {
    const { ada, bo, addList } = await start(database)
    await addList({ name: 'Private', isShared: false })
    await addList({ name: 'Shared' })
    const listsOf = async (ask: Ask) =>
      (await (await ask('/bff/exports/threats')).text())
        .trim()
        .split('\n')
        .flatMap((text) => {
          const line = exportLineSchema.parse(JSON.parse(text))
          return 'threat' in line ? [(line.threat.concerns ?? []).map(({ listName }) => listName)] : []
        })
    expect(await listsOf(bo)).toEqual([['Shared', 'Shared'], []])
    expect(await listsOf(ada)).toEqual([expect.arrayContaining(['Private', 'Shared']), []])
  }),
)

test(
  'counts by country and actor are of the lists that the account sees',
  withDatabase('bff', async (database) => {
    const { ada, bo, addList } = await start(database)
    const counts = async (ask: Ask, name: string) => {
      const answer = await ask(`/bff/facets/${name}?timeZone=UTC&q=list:*`)
      return facetAnswerSchema.parse(await answer.json()).values
    }
    expect(await counts(ada, 'country')).toEqual([])
    await addList({ isShared: false })
    expect(await counts(ada, 'country')).toEqual([{ value: 'DE', count: 1 }])
    expect(await counts(ada, 'actor')).toEqual([{ value: 'Ashfall', count: 1 }])
    expect(await counts(bo, 'country')).toEqual([])
  }),
)

test(
  'a rejected pair no longer matches, from the next answer on',
  withDatabase('bff', async (database) => {
    const { ada, bo, addList } = await start(database)
    const list = await addList()
    const { rows } = await database.query("select id from list_entry where name = 'Okapi Ltd'")
    const [{ id: entryId } = {}] = z.array(z.object({ id: z.string() })).parse(rows)
    expect((await namesOf(bo)).okapi).toEqual(['Okapi Cloud', 'Okapi Ltd'])

    const body = { entryId, threatId: 'okapi', decision: 'rejected' }
    const answer = await ada(`/bff/lists/${list.id}/decisions`, { method: 'PUT', body })

    expect(answer.status).toBe(204)
    expect((await namesOf(bo)).okapi).toEqual(['Okapi Cloud'])
  }),
)

test(
  'a search finds what lists match, of the lists that its author sees',
  withDatabase('bff', async (database) => {
    const { ada, bo, addList } = await start(database)
    await addList({ name: 'Critical vendors', isShared: false })
    const found = async (ask: Ask, q: string) => {
      const answer = await ask(`/bff/threats?timeZone=UTC&q=${encodeURIComponent(q)}`)
      expect(answer.status).toBe(200)
      return threatListSchema.parse(await answer.json()).threats.map(({ id }) => id)
    }

    for (const q of ['list:*', 'list:"critical vendors"', 'list:crit*', 'list:suppliers', 'entry:okapi'])
      expect([q, await found(ada, q)]).toEqual([q, ['okapi']])
    expect(await found(ada, 'list:* match:certain entry:"okapi cloud"')).toEqual(['okapi'])
    expect(await found(ada, 'match:to-confirm')).toEqual([])
    expect(await found(ada, 'list:customers')).toEqual([])
    expect(await found(ada, '-list:*')).toEqual(['other'])
    expect(await found(bo, 'list:suppliers')).toEqual([])
    expect(await found(bo, '-list:*')).toEqual(['okapi', 'other'])
    expect(await found(ada, 'list:*')).toEqual(['okapi'])
  }),
)

test(
  'a search by the id of a list finds only its matches, not those of similar names',
  withDatabase('bff', async (database) => {
    const { ada, bo, addList } = await start(database)
    const other = { name: 'Nobody', domains: [], note: null, key: null, weight: 'normal' as const }
    const first = await addList({ isShared: false })
    const second = await addList({ entries: [other] })
    const find = async (ask: Ask, q: string) => {
      const answer = await ask(`/bff/threats?timeZone=UTC&q=${encodeURIComponent(q)}`)
      return answer.status === 200 ? threatListSchema.parse(await answer.json()) : await readProblem(answer)
    }
    const found = async (ask: Ask, q: string) => {
      const answer = await find(ask, q)
      return 'threats' in answer ? answer.threats.map(({ id }) => id) : answer.fields
    }

    expect(await found(ada, 'list:Suppliers')).toEqual(['okapi'])
    expect(await found(ada, `list:${first.id.toUpperCase()}`)).toEqual(['okapi'])
    expect(await found(ada, `-list:${first.id}`)).toEqual(['other'])
    expect(await found(ada, `list:${second.id}`)).toEqual([])
    expect(await find(ada, `list:${second.id}`)).toMatchObject({
      understoodAs: 'matching the list “Suppliers” with this id',
    })
    // A list that others do not see has no id for them, and is not named.
    expect(await found(bo, `list:${first.id}`)).toEqual([
      expect.objectContaining({ reason: `There is no list “${first.id}”.` }),
    ])
    const part = first.id.slice(0, 13)
    expect(await found(ada, `list:${part}*`)).toMatchObject([{ reason: `There is no list “${part}”.` }])
    await addList({ name: second.id })
    expect(await found(ada, `list:${second.id}`)).toEqual([])
  }),
)

test(
  'reports an unknown or invisible list as an error, with the nearest name',
  withDatabase('bff', async (database) => {
    const { ada, bo, addList } = await start(database)
    await addList({ name: 'Vendors', isShared: false })
    const faultOf = async (ask: Ask, q: string) => {
      const answer = await ask(`/bff/threats?timeZone=UTC&q=${encodeURIComponent(q)}`)
      expect(answer.status).toBe(400)
      return (await readProblem(answer)).fields
    }

    const reason = 'There is no list “Vendros”.'
    expect(await faultOf(ada, 'list:Vendros')).toMatchObject([{ reason, fix: 'Vendors' }])
    const [fault] = (await faultOf(bo, 'list:Vendros')) ?? []
    expect(fault).toMatchObject({ reason })
    expect(fault?.fix).toBeUndefined()
  }),
)
