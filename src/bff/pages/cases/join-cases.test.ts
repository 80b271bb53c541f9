import { expect, test } from 'vitest'
import { placeAllClaims } from '#bff/store/cases/place-claims.ts'
import { readNamedStates } from '#bff/store/records/triage-queries.ts'
import {
  caseAnswerSchema,
  caseChangeSchema,
  JOIN_CASES_MAX_COUNT,
  joinPreviewSchema,
} from '#contract/bff/case.ts'
import type { Database } from '#database/database.ts'
import { createTestBff, readProblem } from '#test/support/ask-bff.ts'
import { holdThreats, makeThreat } from '#test/support/store/hold-threats.ts'
import { withDatabase } from '#test/support/with-database.ts'
import { caseRoutes } from './case-routes.ts'
import { requireJoinable } from './join-cases.ts'

/** One more than can be joined. */
const ALONE = Array.from({ length: JOIN_CASES_MAX_COUNT + 1 }, (_, at) => `alone-${at}`)
const OKAPI = { organizations: ['Okapi Ltd'], domains: ['okapi.example'] }
const THREATS = [
  makeThreat('okapi-1', '2026-03-08T09:00:00.000Z', OKAPI),
  makeThreat('okapi-2', '2026-03-09T09:00:00.000Z', OKAPI),
  ...ALONE.map((id, at) =>
    makeThreat(id, '2026-03-09T10:00:00.000Z', { organizations: [], domains: [`victim-${at}.example`] }),
  ),
]

async function openCases(database: Database) {
  await holdThreats(database, {
    now: '2026-03-10T12:00:00.000Z',
    threats: THREATS,
    from: '2026-01-01T00:00:00.000Z',
  })
  const { ask, signIn, sessions } = await createTestBff(database, { routes: caseRoutes({ database }) })
  await signIn()
  await placeAllClaims(database)
  const preview = (threatIds: readonly string[]) => ask('/bff/cases/preview', { body: { threatIds } })
  const decide = (body: object) => ask('/bff/cases', { body })
  return {
    preview,
    decide,
    sessions,
    read: async (threatIds: readonly string[]) =>
      joinPreviewSchema.parse(await (await preview(threatIds)).json()),
    act: async (body: object) => caseChangeSchema.parse(await (await decide(body)).json()).undoId,
    /** Names the owner like the email. */
    own: (id: string, email: string, at: string) =>
      database.query(
        `with owner as (insert into account (email, name, role) values ($2, $2, 'analyst') returning id)
         insert into triage_state (threat_id, owner_id, owned_at, owned_by) select $1, id, $3, $2 from owner`,
        [id, email, at],
      ),
    stateOf: async (id: string) => {
      const [state] = await readNamedStates(database, [id], '')
      return { owner: state?.owner, isClosed: state?.closed !== null }
    },
    undo: async (undoId: string | null) => (await ask('/bff/cases/undo', { body: { undoId } })).status,
    claimsOf: async (id: string) => {
      const { found } = caseAnswerSchema.parse(await (await ask(`/bff/threats/${id}/case`)).json())
      return found?.claims.map(({ threat }) => threat.id).sort()
    },
  }
}

function withCases(run: (cases: Awaited<ReturnType<typeof openCases>>, database: Database) => Promise<void>) {
  return withDatabase('bff', async (database) => run(await openCases(database), database))
}

test(
  'joins the cases of all named threats, as the preview has shown them, and back',
  withCases(async ({ read, act, undo, claimsOf }) => {
    const threatIds = ['alone-1', 'okapi-2', 'okapi-1', 'alone-0']
    const { cases, revision } = await read(threatIds)
    expect(cases.map(({ threat, claimCount }) => [threat.id, claimCount])).toEqual([
      ['alone-1', 1],
      ['okapi-2', 2],
      ['alone-0', 1],
    ])
    const undoId = await act({ action: 'join-all', threatIds, revision })
    const all = ['alone-0', 'alone-1', 'okapi-1', 'okapi-2']
    expect(await claimsOf('okapi-1')).toEqual(all)
    expect((await read(threatIds)).cases).toMatchObject([{ threat: { id: 'alone-1' }, claimCount: 4 }])
    expect(await act({ action: 'join-all', threatIds, revision: 1_000 })).toBeNull()

    expect(await undo(undoId)).toBe(204)
    expect([await claimsOf('okapi-1'), await claimsOf('alone-0')]).toEqual([
      ['okapi-1', 'okapi-2'],
      ['alone-0'],
    ])
  }),
)

test(
  'the preview says who deals with each case, and with the joined one',
  withCases(async ({ read, act, own, stateOf }, database) => {
    const threatIds = ['alone-0', 'alone-1', 'okapi-1']
    const nobody = { owner: null, isClosed: false }
    expect(await read(threatIds)).toMatchObject({ cases: [nobody, nobody, nobody], joined: nobody })
    await own('alone-0', 'grace@corp.example', '2026-03-10T10:00:00.000Z')
    await own('okapi-1', 'zoe@corp.example', '2026-03-10T11:00:00.000Z')
    await database.query(`update triage_state set dismissed_at = now(), dismissed_by = 'x', dismissed_reason = 'handled'
      where threat_id = 'alone-0'`)
    const preview = await read(threatIds)
    expect(preview).toMatchObject({
      cases: [
        { owner: 'grace@corp.example', isClosed: true },
        nobody,
        { owner: 'zoe@corp.example', isClosed: false },
      ],
      joined: { owner: 'zoe@corp.example', isClosed: false },
    })
    await act({ action: 'join-all', threatIds, revision: preview.revision })
    expect(await stateOf('alone-0')).toMatchObject({ owner: { name: 'zoe@corp.example' }, isClosed: true })
    expect(await stateOf('alone-1')).toMatchObject({ owner: { name: 'zoe@corp.example' }, isClosed: false })
  }),
)

test(
  'deletes decisions that kept the joined claims apart, and undo restores them',
  withCases(async ({ read, act, undo, claimsOf }, database) => {
    await act({ action: 'keep-apart', threatId: 'alone-1', otherId: 'alone-2', revision: 0 })
    const threatIds = ['alone-0', 'alone-1', 'alone-2']
    const { revision } = await read(threatIds)
    const undoId = await act({ action: 'join-all', threatIds, revision })
    expect(await claimsOf('alone-0')).toEqual(threatIds)
    const apart = async () =>
      (await database.query(`select from case_decision where decision = 'apart'`)).rowCount
    expect(await apart()).toBe(0)
    expect(await undo(undoId)).toBe(204)
    expect(await apart()).toBe(1)
    expect(await claimsOf('alone-1')).toEqual(['alone-1'])
  }),
)

test(
  'refuses too many cases and claims, and changes nothing',
  withCases(async ({ preview, decide, claimsOf }) => {
    const many = await readProblem(await preview(ALONE))
    expect(many).toMatchObject({ status: 400, title: 'Too many cases to join at once' })
    expect(many.detail).toContain('The selection has 21 cases with 21 claims. Join at most 20 cases')
    const joining = await decide({ action: 'join-all', threatIds: ALONE, revision: 0 })
    expect(await readProblem(joining)).toMatchObject({ status: 400, title: 'Too many cases to join at once' })

    expect(() => requireJoinable(2, 1_001)).toThrow('2 cases with 1001 claims')
    expect(() => requireJoinable(2, 1_000)).not.toThrow()
    expect(await claimsOf('alone-0')).toEqual(['alone-0'])
  }),
)

test(
  'refuses viewers, a single threat, unknown threats, and cases changed by another user',
  withCases(async ({ preview, decide, act, sessions }, database) => {
    const join = { action: 'join-all', threatIds: ['alone-0', 'alone-1'], revision: 0 }
    expect((await decide({ ...join, threatIds: ['alone-0'] })).status).toBe(400)
    expect((await decide({ ...join, threatIds: ['alone-0', 'never-stored'] })).status).toBe(404)
    await act({ action: 'keep-apart', threatId: 'alone-1', otherId: 'okapi-1', revision: 0 })
    await database.query(`update case_event set account_id = 'another', who = 'bob@corp.example'`)
    const overtaken = await readProblem(await decide(join))
    expect(overtaken).toMatchObject({
      status: 409,
      detail: expect.stringContaining('bob@corp.example kept claims apart'),
    })

    await database.query(`update account set role = 'viewer'`)
    sessions.forgetAll()
    const refused = [await preview(join.threatIds), await decide(join)]
    expect(refused.map(({ status }) => status)).toEqual([403, 403])
  }),
)
