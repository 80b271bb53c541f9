import { expect } from 'vitest'
import { caseRoutes } from '#bff/pages/cases/case-routes.ts'
import { triageRoutes } from '#bff/pages/triage/triage-routes.ts'
import { placeAllClaims } from '#bff/store/cases/place-claims.ts'
import type { ReadThreat } from '#bff/store/details/read-threats.ts'
import { placeThreats, storeThreats } from '#bff/store/records/store-threats.ts'
import { caseAnswerSchema, caseChangeSchema } from '#contract/bff/case.ts'
import type { Threat } from '#contract/bff/threat.ts'
import { type TriageAction, triageChangeSchema, triageHistorySchema } from '#contract/bff/triage.ts'
import { triageStatesSchema } from '#contract/bff/triage-state.ts'
import type { Database } from '#database/database.ts'
import { ADMIN, createTestBff } from '#test/support/ask-bff.ts'
import { nameThreats } from '#test/support/name-threats.ts'
import { makeThreat } from '#test/support/store/hold-threats.ts'
import { withDatabase } from '#test/support/with-database.ts'

export const OKAPI = ['okapi-1', 'okapi-2']
const neverOpened: ReadThreat = () => expect.fail('Every threat of these tests has been listed.')

/** One case with two claims, and a threat that stands alone. */
async function openCases(database: Database) {
  await nameThreats(database, ...OKAPI, 'alone')
  await database.query(
    `with begun as (insert into victim_case default values returning id)
     insert into case_claim (threat_id, case_id, own_id) select unnest($1::text[]), id, id from begun`,
    [OKAPI],
  )
  const bff = await createTestBff(database, {
    routes: [...triageRoutes({ database, readThreat: neverOpened }), ...caseRoutes({ database })],
  })
  await bff.signIn()
  const { rows } = await database.query('select id::text from account where email = $1', [ADMIN.email])
  const post = (path: string, body: unknown) => bff.ask(`/bff/triage${path}`, { body })
  return {
    ask: bff.ask,
    post,
    ownId: String(Object(rows[0]).id),
    act: async (action: TriageAction) => triageChangeSchema.parse(await (await post('', action)).json()),
    undo: async (undoId: string | null) =>
      triageChangeSchema.parse(await (await post('/undo', { undoId })).json()),
    look: async () => {
      const answer = await (await post('/states', { ids: [...OKAPI, 'alone'] })).json()
      return new Map(triageStatesSchema.parse(answer).states.map((state) => [state.id, state]))
    },
    lookAt: async (id: string) =>
      triageStatesSchema.parse(await (await post('/states', { ids: [id] })).json()).states.at(0),
    /** Returns how to undo that both are claims of one case. */
    join: async (threatId: string, otherId: string) => {
      const { revision } = caseAnswerSchema.parse(
        await (await bff.ask(`/bff/threats/${threatId}/case`)).json(),
      ).found ?? { revision: 0 }
      const answer = await bff.ask('/bff/cases', { body: { action: 'join', threatId, otherId, revision } })
      return caseChangeSchema.parse(await answer.json()).undoId
    },
    undoJoin: async (undoId: string | null) =>
      (await bff.ask('/bff/cases/undo', { body: { undoId } })).status,
    readHistory: async (id: string) =>
      triageHistorySchema.parse(await (await bff.ask(`/bff/triage/${id}/history`)).json()).events,
  }
}

export function withCases(
  run: (cases: Awaited<ReturnType<typeof openCases>>, database: Database) => Promise<void>,
) {
  return withDatabase('bff', async (database) => run(await openCases(database), database))
}

export async function addAccount(
  database: Database,
  account: { email: string; role: string; isDisabled?: boolean },
) {
  const { rows } = await database.query(
    `insert into account (email, name, role, disabled_at)
     values ($1, 'Grace Example', $2, case when $3 then now() end) returning id::text`,
    [account.email, account.role, account.isDisabled ?? false],
  )
  return String(Object(rows[0]).id)
}

/** Stores a claim of Okapi Freight now, and places it. */
export async function claim(database: Database, id: string, facts: Partial<Threat> = {}) {
  await claimAll(database, [id], facts)
}

/** Stores claims of Okapi Freight at once, and places them. */
export async function claimAll(database: Database, ids: readonly string[], facts: Partial<Threat> = {}) {
  const at = new Date().toISOString()
  const threats = ids.map((id) =>
    makeThreat(id, at, {
      title: 'Okapi Freight Ltd',
      organizations: ['Okapi Freight Ltd'],
      domains: ['okapifreight.example'],
      actors: ['redfox'],
      ...facts,
    }),
  )
  await storeThreats(database, placeThreats(threats, at), () => 'live')
  await placeAllClaims(database)
}

/** A victim that nothing links to Okapi Freight. */
export const ZEBRA = { title: 'Zebra Foods', organizations: ['Zebra Foods'], domains: [] }
