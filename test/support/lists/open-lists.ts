import { createLog } from '#bff/http/log.ts'
import { listRoutes } from '#bff/pages/lists/list-routes.ts'
import { createListMatching } from '#bff/store/lists/match-lists.ts'
import {
  entryPageSchema,
  type MatchPage,
  matchPageSchema,
  type NameList,
  nameListSchema,
  nameListsSchema,
} from '#contract/bff/list.ts'
import type { EntryDraft, NewList } from '#contract/bff/list-draft.ts'
import type { Database } from '#database/database.ts'
import { createTestBff } from '../ask-bff.ts'
import { holdThreats, makeThreat } from '../store/hold-threats.ts'
import { withDatabase } from '../with-database.ts'

const NOW = '2026-03-10T12:00:00.000Z'
export const NO_LOG = createLog(() => {})
const THREATS = [
  makeThreat('by-domain', '2026-03-10T09:00:00.000Z', {
    title: 'A new victim',
    organizations: ['Someone Else'],
    domains: ['https://www.okapi.example/'],
  }),
  makeThreat('by-name', '2026-03-09T09:00:00.000Z', { organizations: ['NORTHWIND TRADERS GmbH'] }),
  makeThreat('everyday', '2026-03-08T09:00:00.000Z', { organizations: ['Apex'] }),
  makeThreat('of-another', '2026-03-07T09:00:00.000Z', { organizations: ['Contoso'] }),
  makeThreat('long-ago', '2024-01-07T09:00:00.000Z', { organizations: ['Northwind Traders'] }),
]

export function entry(name: string, facts: Partial<EntryDraft> = {}): EntryDraft {
  return { name, domains: [], note: null, key: null, weight: 'normal', ...facts }
}
export const SUPPLIERS: NewList = {
  name: 'Suppliers',
  kind: 'supplier',
  isShared: true,
  entries: [
    entry('Okapi Ltd', { domains: ['okapi.example'], key: 'S-17', weight: 'critical' }),
    entry('Northwind Traders Ltd'),
    entry('Apex Ltd'),
    entry('Zebra & Sons'),
  ],
}

async function openLists(database: Database) {
  const { clock } = await holdThreats(database, {
    now: NOW,
    threats: THREATS,
    from: '2024-01-01T00:00:00.000Z',
  })
  const bff = await createTestBff(database, { routes: listRoutes({ database, clock }) })
  await bff.signIn()
  const matching = createListMatching({ database, log: NO_LOG })
  async function addPerson(role: 'viewer' | 'analyst') {
    const email = `${role}@example.com`
    await database.query(
      `insert into account (email, name, role, password_hash)
       select $1, $2, $2, password_hash from account where role = 'admin'`,
      [email, role],
    )
    const browser = bff.createBrowser()
    await browser.signIn({ email, password: 'correct horse battery staple' })
    return speak(browser.ask)
  }
  return { ...bff, ada: speak(bff.ask), addPerson, match: () => matching.matchUnmatched() }
}

function speak(ask: Awaited<ReturnType<typeof createTestBff>>['ask']) {
  const matches = async (id: string, query = ''): Promise<MatchPage> =>
    matchPageSchema.parse(await (await ask(`/bff/lists/${id}/matches${query}`)).json())
  return {
    ask,
    matches,
    pairs: async (id: string, query = '') =>
      (await matches(id, query)).matches.map((match) => [
        match.threat.id,
        match.entryName,
        match.certainty,
        match.rule,
      ]),
    create: async (draft: Partial<NewList> = {}): Promise<NameList> =>
      nameListSchema.parse(await (await ask('/bff/lists', { body: { ...SUPPLIERS, ...draft } })).json()),
    lists: async () => nameListsSchema.parse(await (await ask('/bff/lists')).json()).lists,
    entries: async (id: string, query = '') =>
      entryPageSchema.parse(await (await ask(`/bff/lists/${id}/entries${query}`)).json()),
    decide: (id: string, body: object) => ask(`/bff/lists/${id}/decisions`, { method: 'PUT', body }),
  }
}

/** Lists of a team with threats that some of their entries match. */
export function withLists(
  run: (lists: Awaited<ReturnType<typeof openLists>>, database: Database) => Promise<void>,
) {
  return withDatabase('bff', async (database) => run(await openLists(database), database))
}
