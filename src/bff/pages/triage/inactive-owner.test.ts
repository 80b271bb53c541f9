import { expect, test } from 'vitest'
import { erasePerson } from '#bff/accounts/audit/erase-person.ts'
import { notifyOfInactiveOwners } from '#bff/notify/owner-notices.ts'
import { inboxRoutes } from '#bff/pages/inbox/inbox-routes.ts'
import { threatRoutes } from '#bff/pages/threats/threat-routes.ts'
import { inboxSchema } from '#contract/bff/inbox.ts'
import { threatListSchema } from '#contract/bff/threat-list.ts'
import type { TriageAction } from '#contract/bff/triage.ts'
import { triageStatesSchema } from '#contract/bff/triage-state.ts'
import type { Database } from '#database/database.ts'
import { ADMIN, createTestBff } from '#test/support/ask-bff.ts'
import { vendorIsNotCalled } from '#test/support/name-threats.ts'
import { holdThreats, makeThreat } from '#test/support/store/hold-threats.ts'
import { withDatabase } from '#test/support/with-database.ts'
import { triageRoutes } from './triage-routes.ts'

const NOW = '2026-03-10T12:00:00.000Z'

/** Four threats, of which the first two are claims of one case; an admin, and Grace, an analyst who owns three of them. */
async function openTeam(database: Database) {
  const ids = ['okapi-1', 'okapi-2', 'zebra', 'free']
  const threats = ids.map((id, at) => makeThreat(id, `2026-03-10T0${9 - at}:00:00.000Z`))
  const { store, clock } = await holdThreats(database, { now: NOW, threats })
  await database.query(
    `with begun as (insert into victim_case default values returning id)
     insert into case_claim (threat_id, case_id, own_id) select unnest($1::text[]), id, id from begun`,
    [['okapi-1', 'okapi-2']],
  )
  const dependencies = { database, readThreat: vendorIsNotCalled, store, clock }
  const bff = await createTestBff(database, {
    routes: [
      ...threatRoutes({ ...dependencies, secret: 'secret-of-the-tests' }),
      ...triageRoutes(dependencies),
      ...inboxRoutes({ database }),
    ],
  })
  await bff.signIn()
  await database.query(
    `insert into account (email, name, role, password_hash)
     select 'grace@corp.example', 'Grace Example', 'analyst', password_hash from account`,
  )
  const { rows } = await database.query(`select id::text from account where email = 'grace@corp.example'`)
  const graceId = String(Object(rows[0]).id)
  const act = (action: TriageAction) => bff.ask('/bff/triage', { body: action })
  await act({ action: 'assign', ids: ['okapi-1', 'zebra'], ownerId: graceId })
  return {
    bff,
    graceId,
    act,
    change: async (body: object) => {
      const answer = await bff.ask(`/bff/users/${graceId}`, { method: 'PUT', body })
      expect(answer.status).toBe(200)
    },
    async find(q: string) {
      const answer = await bff.ask(`/bff/threats?timeZone=UTC&q=${encodeURIComponent(q)}`)
      return threatListSchema.parse(await answer.json()).threats.map(({ id }) => id)
    },
    async ownerOf(id: string) {
      const answer = await bff.ask('/bff/triage/states', { body: { ids: [id] } })
      return triageStatesSchema.parse(await answer.json()).states.at(0)?.owner
    },
    async notices() {
      const { items } = inboxSchema.parse(await (await bff.ask('/bff/inbox')).json())
      return items.map(({ title, path }) => ({ title, path }))
    },
  }
}

type Team = Awaited<ReturnType<typeof openTeam>>

function withTeam(run: (team: Team, database: Database) => Promise<void>) {
  return withDatabase('bff', async (database) => run(await openTeam(database), database))
}

const NOTICE = {
  title: '2 open cases of Grace Example have no active owner',
  path: '/threats?triage=open&q=owner%3Ainactive',
}
const OWNED = ['okapi-1', 'okapi-2', 'zebra']

test(
  'cases of a disabled owner are found and marked, and admins are notified once',
  withTeam(async ({ change, find, ownerOf, notices, act }) => {
    expect([await find('owner:inactive'), await notices()]).toEqual([[], []])
    expect(await ownerOf('zebra')).toMatchObject({ name: 'Grace Example', isActive: true })

    await change({ isDisabled: true })
    expect(await find('owner:inactive')).toEqual(OWNED)
    expect(await find('owner:nobody')).toEqual(['free'])
    expect(await ownerOf('okapi-2')).toMatchObject({ name: 'Grace Example', isActive: false })
    expect(await notices()).toEqual([NOTICE])
    await change({ name: 'Grace Sample' })
    expect(await notices()).toEqual([NOTICE])

    await act({ action: 'release', ids: ['zebra'] })
    expect(await find('owner:inactive')).toEqual(['okapi-1', 'okapi-2'])
    await change({ isDisabled: false })
    expect(await find('owner:inactive')).toEqual([])
    await change({ isDisabled: true })
    expect((await notices()).map(({ title }) => title)).toEqual([
      '1 open case of Grace Sample has no active owner',
      NOTICE.title,
    ])
  }),
)

test(
  'an owner who may only read is not active, however that came',
  withTeam(async ({ find, notices, graceId, bff }, database) => {
    // As a provider of single sign-on sets it, or a Lantern of before has left it.
    await database.query(`update account set role = 'viewer' where id = $1`, [graceId])
    const looks = [database.transaction(notifyOfInactiveOwners), database.transaction(notifyOfInactiveOwners)]
    await Promise.all(looks)
    expect(await find('owner:inactive')).toEqual(OWNED)
    expect(await notices()).toEqual([NOTICE])

    const grace = bff.createBrowser()
    await grace.signIn({ ...ADMIN, email: 'grace@corp.example' })
    const { items } = inboxSchema.parse(await (await grace.ask('/bff/inbox')).json())
    expect(items.map(({ title }) => title)).toEqual(['ada assigned 2 cases to you'])
  }),
)

test(
  'closed cases need no owner',
  withTeam(async ({ act, change, notices }) => {
    await act({ action: 'close', ids: ['okapi-1', 'zebra'], reason: 'handled', text: null })
    await change({ isDisabled: true })
    expect(await notices()).toEqual([])
  }),
)

test(
  'the cases of an erased owner have no owner, and no notice names that person',
  withTeam(async ({ change, find, notices, graceId, ownerOf }, database) => {
    await change({ isDisabled: true })
    expect((await erasePerson(database, graceId, ['secret-of-the-tests'])).isErased).toBe(true)
    expect(await find('owner:nobody status:new')).toEqual([...OWNED, 'free'])
    expect(await ownerOf('zebra')).toBeNull()
    expect(await notices()).toEqual([])
  }),
)

test(
  'an owner is found by a new name at once',
  withTeam(async ({ bff, change, find, act }, database) => {
    expect(await find('owner:grace')).toEqual(OWNED)
    await change({ name: 'Hopper Sample' })
    expect([await find('owner:hopper'), await find('owner:"Grace Example"')]).toEqual([OWNED, []])

    const { rows } = await database.query('select id::text from account where email = $1', [ADMIN.email])
    await act({ action: 'assign', ids: ['free'], ownerId: String(Object(rows[0]).id) })
    expect(await find('owner:lovelace')).toEqual([])
    await bff.ask('/bff/profile', { method: 'PUT', body: { name: 'Ada Lovelace' } })
    expect(await find('owner:lovelace')).toEqual(['free'])
  }),
)

test(
  'a notice counts the cases that its link finds, without those that are not stored any more',
  withTeam(async ({ change, notices }, database) => {
    await database.query(`delete from window_threat where id = 'zebra'`)
    await change({ isDisabled: true })
    expect((await notices()).map(({ title }) => title)).toEqual([
      '1 open case of Grace Example has no active owner',
    ])
  }),
)
