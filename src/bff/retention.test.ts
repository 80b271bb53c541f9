import { expect, onTestFinished, test } from 'vitest'
import { verifyAudit } from '#bff/accounts/audit/verify-audit.ts'
import { createLog } from '#bff/http/log.ts'
import { type AuditEvent, auditPageSchema } from '#contract/bff/audit.ts'
import { callLedgerSchema } from '#contract/bff/call-ledger.ts'
import { triageChangeSchema, triageHistorySchema } from '#contract/bff/triage.ts'
import { triageStatesSchema } from '#contract/bff/triage-state.ts'
import { userListSchema } from '#contract/bff/user.ts'
import { DAY_MS } from '#contract/duration.ts'
import type { Database } from '#database/database.ts'
import type { OpenDatabase } from '#database/open-database.ts'
import { createSender } from '#delivery/run-deliveries.ts'
import { scriptChannel } from '#test/support/delivery/deliveries.ts'
import { NO_LOG } from '#test/support/lists/open-lists.ts'
import { nameThreats } from '#test/support/name-threats.ts'
import { startProfiles } from '#test/support/profiles/start-profiles.ts'
import { startSignedIn } from '#test/support/start-signed-in.ts'
import { takeDatabase } from '#test/support/with-database.ts'
import { type Retention, startRetention } from './retention.ts'

const KEPT: Required<Retention> = { auditDays: 30, triageHistoryDays: 30 }
/** More than two pieces. */
const MANY = 2_345

test('deletes expired history and records that, but keeps the state of threats', async () => {
  const database = await takeDatabase('bff')
  const team = await start(database)
  await nameThreats(database, 't-1', 't-2')
  const act = async (body: unknown) => triageChangeSchema.parse(await (await team.triage('', body)).json())
  await act({ action: 'star', ids: ['t-1'] })
  await act({ action: 'close', ids: ['t-1'], reason: 'duplicate' })
  await act({ action: 'note', ids: ['t-1'], text: 'called the victim' })
  const { undoId } = await act({ action: 'note', ids: ['t-1'], text: 'a mistake' })
  await team.triage('/undo', { undoId })
  await act({ action: 'read', ids: ['t-2'] })
  const before = await team.states()
  await age(database, 'triage_event', 31)
  await act({ action: 'read', ids: ['t-1'] })
  await insertCalls(database, 32, MANY)
  await insertCalls(database, 30, 3)
  await team.close()

  const kept = await start(database, { retention: KEPT })
  await expect.poll(() => kept.rowsOf('calls-pruned')).toBe(MANY)
  expect(await kept.rowsOf('triage-history-pruned')).toBe(5)
  expect((await kept.events()).find(({ action }) => action === 'triage-history-pruned')).toMatchObject({
    actor: null,
    route: 'TRIAGE_HISTORY_RETENTION_DAYS',
    address: null,
    after: { rows: 5, before: dayBefore(30) },
  })
  const after = await kept.states()
  expect(after.find(({ id }) => id === 't-2')).toEqual(before.find(({ id }) => id === 't-2'))
  expect(after.find(({ id }) => id === 't-1')).toEqual({
    ...before.find(({ id }) => id === 't-1'),
    read: expect.anything(),
  })
  expect(await kept.history('t-1')).toEqual(['read', 'note called the victim'])
  expect(await kept.history('t-2')).toEqual([])
  expect(callLedgerSchema.parse(await (await kept.ask('/bff/calls')).json()).calls).toHaveLength(3)
  await kept.close()

  const again = await start(database, { retention: KEPT, openOwner: async () => asOwner(database) })
  await expect.poll(() => again.logged.length).toBeGreaterThan(0)
  expect(await again.countOf('calls-pruned')).toBe(Math.ceil(MANY / 1_000))
  expect(await verifyAudit(database)).toMatchObject({ faults: [] })
})

test('prunes the audit record in pieces, each with a checkpoint, and people stay who they were', async () => {
  const database = await takeDatabase('bff')
  await insertRecords(database, 31, MANY)
  await insertRecords(database, 29, 2)
  const lantern = await start(database, { retention: KEPT, openOwner: async () => asOwner(database) })
  await expect.poll(() => lantern.rowsOf('audit-pruned')).toBe(MANY)
  const { records, faults } = await verifyAudit(database)
  expect({ records, faults }).toEqual({ records: 2 + Math.ceil(MANY / 1_000) + 1, faults: [] })
  const bob = `insert into account (email, name, role) values ('bob@x.example', 'Bob', 'viewer') returning id`
  await database.query(
    `with bob as (${bob}) insert into visit select id, now() - interval '40 days' from bob`,
  )
  const { users } = userListSchema.parse(await (await lantern.ask('/bff/users')).json())
  expect(users.find(({ name }) => name === 'Bob')?.lastSignInAt).not.toBeNull()
})

test('pruning that waits for a transaction blocks no other writes', async () => {
  const database = await takeDatabase('bff')
  await insertRecords(database, 31, 1)
  let lantern: Awaited<ReturnType<typeof start>> | undefined
  // Whoever waited for the transaction here would wait for ever, or until its statement is cancelled.
  await database.transaction(async (tx) => {
    await insertRecords(tx, 0, 1)
    lantern = await start(database, { retention: KEPT, openOwner: async () => asOwner(database) })
    for (let count = 0; count < 20; count += 1) {
      await insertRecords(database, 0, 1)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  })
  await expect.poll(() => lantern?.rowsOf('audit-pruned')).toBe(1)
  expect(lantern?.logged.join()).not.toContain('retention-failed')
})

test('stores the change log for 30 days with any settings', async () => {
  const database = await takeDatabase('bff')
  await database.query(
    `insert into threat_change (number, threat_id, kind, fields, edge, at)
     select number, 't-' || number, 'new', '{}', 'live',
            now() - make_interval(days => case when number <= $1 then 32 else 29 end)
       from generate_series(1, $1 + 2) as number`,
    [MANY],
  )
  await start(database)
  const numbers = async () => {
    const { rows } = await database.query('select number from threat_change order by number')
    return rows.map((row) => Object(row).number)
  }
  await expect.poll(numbers).toEqual([MANY + 1, MANY + 2])
})

test('deletes old deliveries and matches from the ledger, but none that wait', async () => {
  const database = await takeDatabase('bff')
  const { create, publish, receiver, ledger } = await startProfiles(database, { sending: 0 })
  const at = (path: string) => ({ channel: 'webhook', url: `${receiver.origin}/${path}` }) as const
  await create(['old', 'young', 'waits'].map(at))
  await publish({ id: 'one' })
  const sender = createSender({
    database,
    secret: 'secret-of-the-tests',
    channels: { webhook: scriptChannel() },
    linkTo: () => 'http://localhost:4173/',
    onError(error) {
      throw error
    },
  })
  await sender.pass()
  await sender.finish()
  const { deliveries } = await ledger()
  const [old, young, waits] = deliveries.map(({ id }) => id)
  await database.query(
    `update delivery
        set created_at = now() - interval '91 days', touched_at = now() - interval '91 days',
            next_attempt_at = case when id = $2 then now() + interval '1 hour' end,
            state = case when id = $2 then 'retrying' else state end
      where id = any($1)`,
    [[old, waits], waits],
  )
  await database.query(
    `insert into alert_match (profile_id, threat_id, is_critical, state, threat, at)
     select 'p', state, false, state, case when state = 'waiting' then '{}'::json end, now() - interval '61 days'
       from unnest(array['known', 'waiting']) state`,
  )
  const stop = startRetention({ database, secret: 'secret-of-the-tests', retention: {}, log: NO_LOG }).stop
  onTestFinished(stop)
  await expect.poll(async () => (await ledger()).deliveries.map(({ id }) => id)).not.toContain(old)
  expect((await ledger()).deliveries.map(({ id }) => id).sort()).toEqual([young, waits].sort())
  const { rows } = await database.query(`select state from alert_match where profile_id = 'p'`)
  expect(rows).toEqual([{ state: 'waiting' }])
})

test('reports no failure when Lantern stops while rows are deleted', async () => {
  const database = await takeDatabase('bff')
  const held = Promise.withResolvers<void>()
  const ending = Promise.withResolvers<void>()
  const holding = database.transaction(async (tx) => {
    await tx.query('lock table upstream_call')
    held.resolve()
    await ending.promise
  })
  await held.promise
  const logged: string[] = []
  const log = createLog((line) => logged.push(line))
  const { stop } = startRetention({ database, secret: 'secret-of-the-tests', retention: {}, log })
  const waiting = `select from pg_locks where not granted and relation = 'upstream_call'::regclass`
  await expect.poll(async () => (await database.query(waiting)).rows.length).toBe(1)

  await stop()
  ending.resolve()
  await holding
  expect(logged).toEqual([])
})

test('keeps the audit record where no setting says how long', async () => {
  const database = await takeDatabase('bff')
  await insertRecords(database, 4_000, 1)
  const lantern = await start(database, { openOwner: async () => asOwner(database) })
  await expect.poll(() => lantern.logged.length).toBeGreaterThan(0)
  expect((await lantern.events()).map(({ action }) => action)).toEqual(['sign-in', 'sign-out'])
})

async function start(database: OpenDatabase, options: Partial<Parameters<typeof startSignedIn>[1]> = {}) {
  const upstream = { url: 'http://127.0.0.1:9', kind: 'vendor' } as const
  const started = await startSignedIn(database, { upstream, ...options })
  const triage = (path: string, body: unknown) => started.ask(`/bff/triage${path}`, { body })
  const events = async () => {
    const answer = await started.ask('/bff/audit?timeZone=UTC')
    return auditPageSchema.parse(await answer.json()).events
  }
  const of = async (action: string) => (await events()).filter((event) => event.action === action)
  return {
    ...started,
    triage,
    events,
    countOf: async (action: string) => (await of(action)).length,
    rowsOf: async (action: string) => (await of(action)).reduce((sum, event) => sum + rowsIn(event), 0),
    async states() {
      const answer = await triage('/states', { ids: ['t-1', 't-2'] })
      return triageStatesSchema.parse(await answer.json()).states
    },
    async history(id: string) {
      const answer = await started.ask(`/bff/triage/${id}/history`)
      const { events: found } = triageHistorySchema.parse(await answer.json())
      return found.map(({ action, text }) => [action, text].filter(Boolean).join(' '))
    },
  }
}

function rowsIn({ after }: AuditEvent): number {
  return Number(after?.rows)
}

function asOwner(database: OpenDatabase): OpenDatabase {
  return { ...database, close: async () => {} }
}

function dayBefore(days: number): string {
  return new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10)
}

async function age(database: Database, table: string, days: number): Promise<void> {
  await database.query(`update ${table} set at = at - make_interval(days => $1)`, [days])
}

async function insertCalls(database: Database, days: number, count: number): Promise<void> {
  await database.query(
    `insert into upstream_call (at, key_fingerprint, route_set, route, priority, outcome)
     select now() - make_interval(days => $1), '', 'v1', 'x', 'person', 'answered' from generate_series(1, $2)`,
    [days, count],
  )
}

async function insertRecords(database: Database, days: number, count: number): Promise<void> {
  await database.query(
    `insert into audit_event (at, action, route, address)
     select now() - make_interval(days => $1), 'sign-out', 'x', '192.0.2.1' from generate_series(1, $2)`,
    [days, count],
  )
}
