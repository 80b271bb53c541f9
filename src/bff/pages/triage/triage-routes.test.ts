import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { makeChange } from '#bff/accounts/make-change.ts'
import type { ReadThreat } from '#bff/store/details/read-threats.ts'
import { addEvent, lockStates } from '#bff/store/records/triage-queries.ts'
import { UpstreamError } from '#bff/upstream/client/upstream-error.ts'
import {
  type TriageAction,
  type TriageChange,
  triageChangeSchema,
  triageHistorySchema,
} from '#contract/bff/triage.ts'
import { type TriageState, triageStatesSchema } from '#contract/bff/triage-state.ts'
import type { Database } from '#database/database.ts'
import { aThreatDetail, aThreatList } from '#test/fixtures/threat-fixtures.ts'
import { ADMIN, createTestBff, readProblem } from '#test/support/ask-bff.ts'
import { nameThreats } from '#test/support/name-threats.ts'
import { refuseRecords } from '#test/support/refuse-records.ts'
import { withDatabase } from '#test/support/with-database.ts'
import { triageRoutes } from './triage-routes.ts'

/** Fifty threats that a list has named, beside `a` and `b`. */
const MANY = Array.from({ length: 50 }, (_, at) => `t${at}`)

/** The vendor knows one threat more, which no list has named. */
async function openTriage(database: Database) {
  await nameThreats(database, 'a', 'b', ...MANY)
  const requested: string[] = []
  const readThreat: ReadThreat = async (id) => {
    requested.push(id)
    if (id !== 'opened') throw new UpstreamError({ set: null, kind: 'not_found', reason: 'in no set' })
    const { freshness } = aThreatList([])
    return { answer: { threat: aThreatDetail(id), freshness }, freshForMs: 0 }
  }
  const bff = await createTestBff(database, { routes: triageRoutes({ database, readThreat }) })
  await bff.signIn()
  const post = (path: string, body: unknown) => bff.ask(`/bff/triage${path}`, { body })
  return {
    ...bff,
    requested,
    post,
    act: async (action: TriageAction): Promise<TriageChange> =>
      triageChangeSchema.parse(await (await post('', action)).json()),
    undo: async (undoId: string | null): Promise<TriageChange> =>
      triageChangeSchema.parse(await (await post('/undo', { undoId })).json()),
    look: async (...ids: string[]): Promise<TriageState[]> =>
      triageStatesSchema.parse(await (await post('/states', { ids })).json()).states,
    readHistory: async (id: string) =>
      triageHistorySchema.parse(await (await bff.ask(`/bff/triage/${id}/history`)).json()).events,
  }
}

function withTriage(
  run: (triage: Awaited<ReturnType<typeof openTriage>>, database: Database) => Promise<void>,
) {
  return withDatabase('bff', async (database) => run(await openTriage(database), database))
}

test(
  'shows the whole team who did what, and when',
  withTriage(async ({ act, look }) => {
    const before = Date.now()
    await act({ action: 'read', ids: ['a', 'b'] })
    await act({ action: 'star', ids: ['a'] })
    await act({ action: 'close', ids: ['b'], reason: 'duplicate', text: 'of a' })

    const states = new Map((await look('a', 'b', 'never-seen')).map((state) => [state.id, state]))
    expect([...states.keys()].sort()).toEqual(['a', 'b'])
    expect(states.get('a')).toMatchObject({
      read: { who: 'ada' },
      starred: { who: 'ada' },
      closed: null,
    })
    expect(states.get('b')).toMatchObject({
      starred: null,
      closed: { who: 'ada', reason: 'duplicate', text: 'of a' },
    })
    const at = Date.parse(states.get('a')?.read?.at ?? '')
    expect(at).toBeGreaterThanOrEqual(before)
    expect(at).toBeLessThanOrEqual(Date.now())
  }),
)

test(
  'changes, and undoes, only what was not so already',
  withTriage(async ({ act, undo, look }) => {
    await act({ action: 'read', ids: ['a'] })
    const { states, undoId } = await act({ action: 'read', ids: ['a', 'b'] })
    expect(states.map(({ id }) => id)).toEqual(['b'])
    expect(await act({ action: 'read', ids: ['a', 'b'] })).toEqual({
      states: [],
      undoId: null,
      caseCount: 0,
      overtook: null,
    })

    await undo(undoId)
    const after = await look('a', 'b')
    expect(after.map(({ id, read }) => [id, read !== null]).sort()).toEqual([
      ['a', true],
      ['b', false],
    ])
  }),
)

test(
  'undoing brings back the reason that was there before',
  withTriage(async ({ act, undo, look }) => {
    await act({ action: 'close', ids: ['a'], reason: 'other', text: 'first' })
    const { undoId } = await act({ action: 'close', ids: ['a'], reason: 'handled', text: null })
    await undo(undoId)
    expect((await look('a'))[0]?.closed).toMatchObject({ reason: 'other', text: 'first' })
  }),
)

test(
  'undoes nothing twice, and nothing that somebody has changed since',
  withTriage(async ({ act, undo, post, look }) => {
    const first = await act({ action: 'star', ids: ['a', 'b'] })
    await act({ action: 'unstar', ids: ['b'] })
    expect(await readProblem(await post('/undo', { undoId: first.undoId }))).toMatchObject({
      code: 'conflict',
    })
    expect((await look('a'))[0]?.starred).not.toBeNull()

    const { undoId } = await act({ action: 'close', ids: ['a'], reason: 'handled', text: null })
    await act({ action: 'read', ids: ['a'] })
    await undo(undoId)
    expect(await readProblem(await post('/undo', { undoId }))).toMatchObject({ code: 'conflict' })
    expect(await readProblem(await post('/undo', { undoId: '999999' }))).toMatchObject({ code: 'not_found' })
  }),
)

test(
  'undoes nothing while another user changes it',
  withTriage(async ({ act, post, look }, database) => {
    const { undoId } = await act({ action: 'star', ids: ['a'] })
    const begun = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    const bob = {
      accountId: 'u-2',
      who: 'bob@example.com',
      reason: null,
      text: null,
      ownerId: null,
      before: {},
    }
    const other = database.transaction(async (db) => {
      await lockStates(db, ['a'], '')
      await addEvent(db, { ...bob, action: 'unstar', ids: ['a'] })
      await addEvent(db, { ...bob, action: 'star', ids: ['a'] })
      begun.resolve()
      await goOn.promise
    })
    await begun.promise
    const undone = post('/undo', { undoId })
    await sleep(300)
    goOn.resolve()
    await other

    expect(await readProblem(await undone)).toMatchObject({ code: 'conflict' })
    expect((await look('a'))[0]?.starred).not.toBeNull()
  }),
)

test(
  'keeps notes and the whole history of a threat',
  withTriage(async ({ act, undo, look, readHistory }) => {
    await act({ action: 'note', ids: ['a'], text: 'ask legal' })
    const { undoId } = await act({ action: 'note', ids: ['a'], text: 'wrong threat' })
    await undo(undoId)

    expect((await look('a'))[0]?.notes).toBe(1)
    expect((await readHistory('a')).map(({ action, text, isUndone }) => [action, text, isUndone])).toEqual([
      ['undo', null, false],
      ['note', 'wrong threat', true],
      ['note', 'ask legal', false],
    ])
  }),
)

test(
  'simultaneous actions of several requests are all stored',
  withTriage(async ({ act, look }) => {
    const ids = MANY
    await Promise.all([
      act({ action: 'read', ids }),
      act({ action: 'star', ids: ids.toReversed() }),
      act({ action: 'note', ids, text: 'one' }),
      act({ action: 'note', ids: ids.toReversed(), text: 'two' }),
    ])
    const states = await look(...ids)
    expect(states).toHaveLength(50)
    expect(states.every(({ read, starred, notes }) => read && starred && notes === 2)).toBe(true)
  }),
)

test(
  'a viewer sees it and may do none of it',
  withTriage(async ({ post, look, sessions }, database) => {
    await database.query(`update account set role = 'viewer'`)
    sessions.forgetAll()
    expect(await look('a')).toEqual([])
    const refused = await Promise.all([
      post('', { action: 'read', ids: ['a'] }),
      post('/undo', { undoId: '1' }),
    ])
    expect(refused.map(({ status }) => status)).toEqual([403, 403])
    expect((await database.query('select 1 from triage_event')).rowCount).toBe(0)
  }),
)

test(
  'records every change except the reading or starring of a single threat',
  withTriage(async ({ act, undo }, database) => {
    await act({ action: 'read', ids: ['a'] })
    await undo((await act({ action: 'star', ids: ['a'] })).undoId)
    const bulk = await act({ action: 'star', ids: ['a', 'b'] })
    await act({ action: 'close', ids: ['a'], reason: 'duplicate', text: 'of b' })
    await undo((await act({ action: 'reopen', ids: ['a'] })).undoId)
    await act({ action: 'note', ids: ['b'], text: 'ask legal' })

    const { rows } = await database.query(
      `select action, object, after from audit_event where action like 'triage%' order by id`,
    )
    expect(rows).toEqual([
      { action: 'triage-changed', object: bulk.undoId, after: '{"action":"star","threats":2}' },
      {
        action: 'triage-changed',
        object: 'a',
        after: '{"action":"close","reason":"duplicate","threats":1}',
      },
      { action: 'triage-changed', object: 'a', after: '{"action":"reopen","threats":1}' },
      { action: 'triage-undone', object: 'a', after: '{"action":"reopen","threats":1}' },
      { action: 'triage-changed', object: 'b', after: '{"action":"note","threats":1}' },
    ])
  }),
)

test(
  'refuses what it does not know',
  withTriage(async ({ post }) => {
    for (const body of [
      { action: 'delete', ids: ['a'] },
      { action: 'close', ids: ['a'] },
      { action: 'note', ids: ['a'], text: ' ' },
      { action: 'note', ids: ['a'], text: 'x\0' },
      { action: 'read', ids: [''] },
      { action: 'read', ids: ['x'.repeat(513)] },
      { action: 'read', ids: ['a\0'] },
      { action: 'read', ids: [] },
    ]) {
      expect((await post('', body)).status, JSON.stringify(body)).toBe(400)
    }
  }),
)

test(
  'nothing is closed or undone where that cannot be recorded',
  withTriage(async ({ act, post, look }, database) => {
    const { undoId } = await act({ action: 'close', ids: ['a'], reason: 'handled', text: null })
    const before = await look('a', 'b')
    await refuseRecords(database)
    const closing = { action: 'close', ids: ['b'], reason: 'handled', text: null }
    expect((await post('', closing)).status).toBe(500)
    expect((await post('/undo', { undoId })).status).toBe(500)
    expect(await look('a', 'b')).toEqual(before)
  }),
)

test(
  'a note that comes again under its key is written once, however often and at once',
  withTriage(async ({ post, look, readHistory }, database) => {
    const note = { action: 'note', ids: ['a'], text: 'ask legal', idempotencyKey: crypto.randomUUID() }
    const first = await (await post('', note)).json()
    const again = await Promise.all([post('', note), post('', note), post('', note)])
    for (const answer of again) expect(await answer.json()).toEqual(first)

    const other = { ...note, idempotencyKey: crypto.randomUUID(), text: 'twice at once' }
    await Promise.all([post('', other), post('', other)])
    expect((await look('a'))[0]?.notes).toBe(2)
    expect(await readHistory('a')).toHaveLength(2)
    const { rowCount } = await database.query(`select from audit_event where action = 'triage-changed'`)
    expect(rowCount).toBe(2)
  }),
)

test(
  'a key is for one body of one account, and is free again when the note was not written',
  withTriage(async ({ post, look, createBrowser }, database) => {
    const note = { action: 'note', ids: ['a'], text: 'ask legal', idempotencyKey: crypto.randomUUID() }
    await refuseRecords(database)
    expect((await post('', note)).status).toBe(500)
    await database.query('alter table audit_record drop constraint refusing')
    expect((await post('', note)).status).toBe(200)

    const problem = await readProblem(await post('', { ...note, text: 'ask nobody' }))
    expect(problem).toMatchObject({ status: 409, fields: [{ name: 'idempotencyKey' }] })
    expect((await look('a'))[0]?.notes).toBe(1)

    await database.query(
      `insert into account (email, name, role, password_hash)
       select 'bob@example.com', 'Bob', 'analyst', password_hash from account`,
    )
    const bob = createBrowser()
    await bob.signIn({ ...ADMIN, email: 'bob@example.com' })
    expect((await bob.ask('/bff/triage', { body: note })).status).toBe(200)
    expect((await look('a'))[0]?.notes).toBe(2)
  }),
)

test(
  'a node that hangs within a change delays another change only briefly',
  withTriage(async ({ act, cookies, sessions }, database) => {
    const [standing, resumed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const [token = ''] = cookies.values()
    const session = (await sessions.findNow(token, { isBackground: false })) ?? expect.fail()
    const request = { id: 'r-1', route: 'POST /bff/triage', address: '192.0.2.1' }
    const still = makeChange(database, { session, request }, 'analyst', async (tx) => {
      await lockStates(tx, ['a'], '')
      await addEvent(tx, {
        accountId: session.user.id,
        who: session.user.email,
        action: 'star',
        ids: ['a'],
        reason: null,
        text: null,
        ownerId: null,
        before: {},
      })
      standing.resolve()
      await resumed.promise
    })
    await standing.promise
    // Longer than a statement may wait for a lock, this is refused.
    const { states } = await act({ action: 'star', ids: ['a'] })
    expect(states).toHaveLength(1)
    resumed.resolve()
    await expect(still).rejects.toThrow()
  }),
)

test(
  'changes no threats that do not exist, and requests at most one from the vendor',
  withTriage(async ({ post, look, requested }, database) => {
    const refused = await readProblem(await post('', { action: 'read', ids: ['a', 'x', 'y', 'y'] }))
    expect(refused).toMatchObject({ code: 'not_found', detail: expect.stringContaining('“x”, “y”. Nothing') })
    expect(requested).toEqual([])
    const note = { action: 'note', ids: ['a', 'x'], text: 'ask legal' }
    expect(await readProblem(await post('', note))).toMatchObject({
      title: 'Some of these threats do not exist',
      detail: expect.stringMatching(/“x”\. Nothing was changed, for the other threats either/),
    })
    expect(requested).toEqual(['x'])
    expect(await look('a', 'x', 'y')).toEqual([])
    const { rowCount } = await database.query('select from triage_state')
    expect(rowCount).toBe(0)

    expect((await post('', { action: 'star', ids: ['a', 'opened'] })).status).toBe(200)
    expect((await post('', { action: 'unstar', ids: ['opened'] })).status).toBe(200)
    expect(requested).toEqual(['x', 'opened'])
  }),
)
