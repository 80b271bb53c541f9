import { expect, test } from 'vitest'
import { createLog } from '#bff/http/log.ts'
import { createClaimPlacing, placeAllClaims } from '#bff/store/cases/place-claims.ts'
import { appendChanges } from '#bff/store/changes/change-log.ts'
import {
  type CaseAction,
  type CaseAnswer,
  caseAnswerSchema,
  caseChangeSchema,
  type VictimCase,
} from '#contract/bff/case.ts'
import type { Database } from '#database/database.ts'
import { createTestBff, readProblem } from '#test/support/ask-bff.ts'
import { holdThreats, makeThreat } from '#test/support/store/hold-threats.ts'
import { withDatabase } from '#test/support/with-database.ts'
import { caseRoutes } from './case-routes.ts'

const OKAPI = { organizations: ['Okapi Ltd'], domains: ['https://www.okapi.example/'] }
const THREATS = [
  makeThreat('first', '2026-03-01T09:00:00.000Z', { ...OKAPI, actors: ['qilin'] }),
  makeThreat('second', '2026-03-08T09:00:00.000Z', { ...OKAPI, actors: ['qilin'] }),
  makeThreat('sold', '2026-03-09T09:00:00.000Z', { ...OKAPI, actors: ['a broker'] }),
  makeThreat('long-ago', '2026-01-02T09:00:00.000Z', OKAPI),
  makeThreat('other', '2026-03-09T10:00:00.000Z', { organizations: ['Zebra'], domains: ['zebra.example'] }),
]

type Decision = { action: CaseAction['action']; threatId: string; otherId?: string }

async function openCases(database: Database) {
  await holdThreats(database, {
    now: '2026-03-10T12:00:00.000Z',
    threats: THREATS,
    from: '2026-01-01T00:00:00.000Z',
  })
  const bff = await createTestBff(database, { routes: caseRoutes({ database }) })
  await bff.signIn()
  const place = () => placeAllClaims(database)
  const answerFor = async (id: string): Promise<CaseAnswer> =>
    caseAnswerSchema.parse(await (await bff.ask(`/bff/threats/${id}/case`)).json())
  const caseOf = async (id: string): Promise<VictimCase | null> => (await answerFor(id)).found
  return {
    ...bff,
    place,
    answerFor,
    caseOf,
    claimsOf: async (id: string) => (await caseOf(id))?.claims.map(({ threat }) => threat.id).join(' '),
    offersOf: async (id: string) =>
      (await caseOf(id))?.offers.map(({ threat, reason }) => [threat.id, reason.threatId, reason.rule]),
    /** Decides as somebody who sees the case as it is now. */
    act: async (decision: Decision) => {
      const revision = (await caseOf(decision.threatId))?.revision ?? 0
      const answer = await bff.ask('/bff/cases', { body: { ...decision, revision } })
      return caseChangeSchema.parse(await answer.json()).undoId
    },
    undo: (undoId: string | null) => bff.ask('/bff/cases/undo', { body: { undoId } }),
  }
}

function withCases(run: (cases: Awaited<ReturnType<typeof openCases>>, database: Database) => Promise<void>) {
  return withDatabase('bff', async (database) => run(await openCases(database), database))
}

/** Stores another victim of a threat, as the sync does. */
async function changeThreat(database: Database, id: string, from: string, to: string): Promise<void> {
  await database.query('update window_threat set threat = replace(threat, $2, $3) where id = $1', [
    id,
    from,
    to,
  ])
  await appendChanges(database, [{ threatId: id, kind: 'changed', fields: ['domains'] }], 'past')
}

test(
  'joins claims of one victim within 30 days of each other, with the reason',
  withCases(async ({ place, caseOf, claimsOf }) => {
    expect(await caseOf('first')).toBeNull()
    await place()

    const found = await caseOf('second')
    expect(found).toMatchObject({ claimCount: 3, actorCount: 2, offers: [] })
    expect(found?.claims.map(({ threat, reason }) => [threat.id, reason?.rule, reason?.text])).toEqual([
      ['sold', 'domain', 'okapi.example'],
      ['second', 'domain', 'okapi.example'],
      ['first', 'domain', 'okapi.example'],
    ])
    expect((await caseOf('sold'))?.id).toBe(found?.id)
    expect(await claimsOf('long-ago')).toBe('long-ago')
    expect(await claimsOf('other')).toBe('other')
    expect(await caseOf('never-stored')).toBeNull()
  }),
)

test(
  'a claim that comes between two cases makes them one, under the older number',
  withCases(async ({ place, caseOf, claimsOf }, database) => {
    await place()
    const [first, other] = [await caseOf('first'), await caseOf('other')]
    await changeThreat(database, 'other', 'zebra.example', 'okapi.example')
    await place()
    expect((await caseOf('other'))?.id).toBe(first?.id)
    expect(await claimsOf('first')).toBe('other sold second first')

    // It leaves again, to the case of its own.
    await changeThreat(database, 'other', 'okapi.example', 'zebra.example')
    await place()
    expect((await caseOf('other'))?.id).toBe(other?.id)
    expect(await claimsOf('first')).toBe('sold second first')
  }),
)

test(
  'two cases that were joined have their own numbers again once that is undone',
  withCases(async ({ place, caseOf, act, undo }) => {
    await place()
    const numbers = async () => [(await caseOf('long-ago'))?.id, (await caseOf('second'))?.id]
    const before = await numbers()
    const undoId = await act({ action: 'join', threatId: 'first', otherId: 'long-ago' })
    expect(await numbers()).toEqual([before[0], before[0]])
    await undo(undoId)
    expect(await numbers()).toEqual(before)
  }),
)

test(
  'a claim that is taken out stays out, whatever is read later, until that is undone',
  withCases(async ({ place, caseOf, claimsOf, act, undo }, database) => {
    await place()
    const before = await caseOf('first')
    const undoId = await act({ action: 'split', threatId: 'second' })
    expect(await claimsOf('second')).toBe('second')
    expect(await claimsOf('first')).toBe('sold first')
    expect((await caseOf('first'))?.id).toBe(before?.id)

    await changeThreat(database, 'second', 'www.okapi.example', 'okapi.example')
    await place()
    expect(await claimsOf('second')).toBe('second')

    expect((await undo(undoId)).status).toBe(204)
    expect(await claimsOf('second')).toBe('sold second first')
    expect((await readProblem(await undo(undoId))).code).toBe('conflict')
  }),
)

test(
  'claims that a user joins are one case, until the join is undone',
  withCases(async ({ place, caseOf, claimsOf, act, undo }) => {
    await place()
    const [first, other] = [await caseOf('first'), await caseOf('other')]
    const undoId = await act({ action: 'join', threatId: 'other', otherId: 'first' })
    expect(await claimsOf('other')).toBe('other sold second first')
    expect((await caseOf('other'))?.id).toBe(first?.id)
    expect((await caseOf('other'))?.claims[0]?.reason).toMatchObject({
      rule: 'hand',
      text: 'ada',
    })
    expect(await act({ action: 'join', threatId: 'sold', otherId: 'other' })).toBeNull()

    await undo(undoId)
    expect((await caseOf('other'))?.id).toBe(other?.id)
    expect(await claimsOf('first')).toBe('sold second first')
  }),
)

test(
  'undoes no decision that a later one has changed',
  withCases(async ({ place, claimsOf, act, undo }) => {
    await place()
    const split = await act({ action: 'split', threatId: 'sold' })
    const joined = await act({ action: 'join', threatId: 'sold', otherId: 'first' })
    expect((await readProblem(await undo(split))).code).toBe('conflict')
    expect(await claimsOf('sold')).toBe('sold second first')
    expect((await undo(joined)).status).toBe(204)
    expect((await undo(split)).status).toBe(204)
    expect(await claimsOf('sold')).toBe('sold second first')
  }),
)

test(
  'refuses a decision on outdated claims, and reports the change by another user',
  withCases(async ({ place, caseOf, claimsOf, act, undo, ask }, database) => {
    await place()
    const seen = { revision: (await caseOf('first'))?.revision }
    const other = { revision: (await caseOf('other'))?.revision }
    const undoId = await act({ action: 'split', threatId: 'second' })
    expect(await claimsOf('first')).toBe('sold first')

    // The same decisions by another account.
    await database.query(`update case_event set account_id = 'another', who = 'bob@example.com'`)
    const decide = (body: object) => ask('/bff/cases', { body })
    for (const body of [
      { action: 'split', threatId: 'sold', ...seen },
      { action: 'join', threatId: 'other', otherId: 'second', ...other },
      { action: 'keep-apart', threatId: 'first', otherId: 'second', ...seen },
    ]) {
      const { status, code, detail } = await readProblem(await decide(body))
      expect([status, code]).toEqual([409, 'conflict'])
      expect(detail).toContain('bob@example.com took a claim out of its case')
    }
    expect(await claimsOf('first')).toBe('sold first')
    expect((await caseOf('first'))?.revision).toBe(1)

    // Another case is not concerned; and whoever has seen the decision may change it.
    expect(
      (await decide({ action: 'keep-apart', threatId: 'other', otherId: 'long-ago', ...other })).status,
    ).toBe(200)
    expect((await undo(undoId)).status).toBe(204)
    await database.query(
      `update case_event set account_id = 'another', who = 'bob@example.com' where action = 'undo'`,
    )
    const late = await readProblem(await decide({ action: 'split', threatId: 'sold', revision: 1 }))
    expect(late.detail).toContain('bob@example.com undid a decision')
    await act({ action: 'split', threatId: 'sold' })
    expect(await claimsOf('first')).toBe('second first')
  }),
)

test(
  'refuses invalid decisions, and decisions of viewers',
  withCases(async ({ place, ask, sessions }, database) => {
    await place()
    const refused = async (body: object) => {
      const { code, status } = await readProblem(await ask('/bff/cases', { body: { ...body, revision: 0 } }))
      return [status, code]
    }
    expect(await refused({ action: 'split', threatId: 'other' })).toEqual([409, 'conflict'])
    expect(await refused({ action: 'keep-apart', threatId: 'first', otherId: 'sold' })).toEqual([
      409,
      'conflict',
    ])
    expect(await refused({ action: 'join', threatId: 'first', otherId: 'nobody' })).toEqual([
      404,
      'not_found',
    ])
    expect(await refused({ action: 'join', threatId: 'first' })).toEqual([400, 'bad_request'])
    await database.query(`update account set role = 'viewer'`)
    sessions.forgetAll()
    expect(await refused({ action: 'split', threatId: 'first' })).toEqual([403, 'role_not_allowed'])
  }),
)

test(
  'makes the cases of threats that were stored before in the background, and says until when',
  withCases(async ({ answerFor, claimsOf }, database) => {
    const waiting = { found: null, isComparing: true }
    expect(await answerFor('first')).toEqual(waiting)
    expect(await answerFor('never-stored')).toEqual({ found: null, isComparing: false })

    const stopping = new AbortController()
    const log = createLog(() => {})
    const running = createClaimPlacing({ database, log }).run(stopping.signal)
    await expect.poll(async () => (await answerFor('other')).isComparing).toBe(false)
    expect(await claimsOf('first')).toBe('sold second first')
    stopping.abort()
    await running

    // A later claim, which may be of it, waits to be compared again.
    await database.query(`update case_claim set is_compared = false where threat_id = 'other'`)
    expect((await answerFor('first')).isComparing).toBe(true)
    expect((await answerFor('long-ago')).isComparing).toBe(false)
  }),
)
