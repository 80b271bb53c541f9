import { expect, test } from 'vitest'
import { threatRoutes } from '#bff/pages/threats/threat-routes.ts'
import { actOn, undo } from '#bff/pages/triage/triage-routes.ts'
import { deleteOldEvents } from '#bff/store/records/triage-queries.ts'
import { teamFiguresSchema } from '#contract/bff/team-figures.ts'
import { threatListSchema } from '#contract/bff/threat-list.ts'
import type { TriageAction } from '#contract/bff/triage.ts'
import { DAY_MS, HOUR_MS } from '#contract/duration.ts'
import type { Database } from '#database/database.ts'
import { createTestBff } from '#test/support/ask-bff.ts'
import { holdThreats, makeThreat } from '#test/support/store/hold-threats.ts'
import { withDatabase } from '#test/support/with-database.ts'
import { teamRoutes } from './team-routes.ts'

const NOW = '2026-03-31T12:00:00.000Z'
const ADA = { accountId: 'u-1', who: 'ada@corp.example', name: 'Ada' }

const ago = (ms: number) => new Date(Date.parse(NOW) - ms).toISOString()

type Claim = { id: string; daysAgo: number; severity?: string }
/** Claims of one case, and how many hours after its first claim Lantern knew it; null for a case of the past. */
type Case = { claims: readonly Claim[]; knownAfterHours?: number | null }

async function start(database: Database, cases: readonly Case[]) {
  const threats = cases
    .flatMap(({ claims }) => claims)
    .map(({ id, daysAgo, severity = 'high' }) => makeThreat(id, ago(daysAgo * DAY_MS), { severity }))
  const { store, clock } = await holdThreats(database, { now: NOW, threats })
  for (const { claims, knownAfterHours = 0 } of cases) {
    const first = Math.max(...claims.map(({ daysAgo }) => daysAgo))
    await database.query(
      `with begun as (insert into victim_case default values returning id)
       insert into case_claim (threat_id, case_id, own_id, known_at)
       select unnest($1::text[]), id, id, $2::timestamptz from begun`,
      [
        claims.map(({ id }) => id),
        knownAfterHours === null ? null : ago(first * DAY_MS - knownAfterHours * HOUR_MS),
      ],
    )
  }
  const bff = await createTestBff(database, {
    routes: [
      ...teamRoutes({ database, store, clock }),
      ...threatRoutes({
        database,
        store,
        clock,
        secret: 'a secret',
      }),
    ],
  })
  await bff.signIn()
  return {
    ask: bff.ask,
    figures: async (period = '30d') => {
      const answer = await bff.ask(`/bff/team-figures?timeZone=UTC&period=${period}`)
      return teamFiguresSchema.parse(await answer.json())
    },
    /** An action of Ada's, or of Lantern's, at a time. Returns what undoes it. */
    act: async (action: TriageAction, atMsAgo: number, who = ADA) => {
      const { undoId } = await database.transaction((tx) => actOn(tx, action, who))
      await database.query('update triage_event set at = $2 where id = $1', [undoId, ago(atMsAgo)])
      return undoId ?? expect.fail('Nothing was changed.')
    },
    undo: (undoId: string) => database.transaction((tx) => undo(tx, undoId, ADA)),
  }
}

const close = (id: string, reason: 'handled' | 'duplicate' = 'handled') =>
  ({ action: 'close', ids: [id], reason, text: null }) satisfies TriageAction

test(
  'a case with five claims counts once, from when Lantern knew it, by its highest severity',
  withDatabase('bff', async (database) => {
    const { act, figures } = await start(database, [
      {
        claims: ['a1', 'a2', 'a3', 'a4', 'a5'].map((id) => ({
          id,
          daysAgo: 4,
          severity: id === 'a3' ? 'critical' : 'low',
        })),
        knownAfterHours: 1,
      },
      { claims: [{ id: 'b', daysAgo: 4 }] },
    ])
    await act({ action: 'read', ids: ['a1'] }, 4 * DAY_MS - 3 * HOUR_MS)
    await act({ action: 'note', ids: ['a2'], text: 'ask legal' }, 3 * DAY_MS)
    await act(close('a5'), 4 * DAY_MS - 11 * HOUR_MS)
    await act(close('b', 'duplicate'), 3 * DAY_MS)

    const { firstLook, closing, closed } = await figures()
    expect(firstLook).toMatchObject({ cases: 2, medianMs: 13 * HOUR_MS, p90Ms: 24 * HOUR_MS })
    expect(firstLook.bySeverity).toEqual([
      { severity: 'critical', cases: 1, medianMs: 2 * HOUR_MS, p90Ms: 2 * HOUR_MS },
      { severity: 'high', cases: 1, medianMs: 24 * HOUR_MS, p90Ms: 24 * HOUR_MS },
    ])
    expect(closing).toMatchObject({ cases: 2, medianMs: 17 * HOUR_MS })
    expect(closed).toMatchObject({
      cases: 2,
      byReason: [
        { reason: 'duplicate', cases: 1 },
        { reason: 'handled', cases: 1 },
      ],
    })
  }),
)

test(
  'what was undone or reopened, and what Lantern did, is no work of people',
  withDatabase('bff', async (database) => {
    const { act, undo, figures } = await start(
      database,
      ['undone', 'again', 'repeat', 'twice'].map((id) => ({ claims: [{ id, daysAgo: 4 }] })),
    )
    expect(await figures()).toMatchObject({ recordedFrom: null, closed: { cases: 0, compared: null } })
    await undo(await act(close('undone'), 3 * DAY_MS))
    await act(close('again'), 3 * DAY_MS)
    await act({ action: 'reopen', ids: ['again'] }, 2 * DAY_MS)
    await act(close('repeat'), 3 * DAY_MS, { accountId: 'lantern', who: 'Lantern', name: 'Lantern' })
    await act(close('twice', 'duplicate'), 3 * DAY_MS)
    await act(close('twice', 'handled'), 2 * DAY_MS)

    const { firstLook, closing, closed, recordedFrom } = await figures()
    expect(recordedFrom).toBe(ago(3 * DAY_MS))
    expect(closed).toMatchObject({ cases: 1, byReason: [{ reason: 'handled', cases: 1 }], repeats: 1 })
    expect(closing).toMatchObject({ cases: 1, medianMs: 2 * DAY_MS })
    expect(firstLook.cases).toBe(2)
  }),
)

test(
  'imported cases, and cases opened earlier, have no time to the first look',
  withDatabase('bff', async (database) => {
    const { act, figures } = await start(database, [
      { claims: [{ id: 'imported', daysAgo: 10 }], knownAfterHours: null },
      { claims: [{ id: 'seen', daysAgo: 40 }] },
      { claims: [{ id: 'forgotten', daysAgo: 40 }] },
    ])
    await act(close('imported'), DAY_MS)
    await act({ action: 'read', ids: ['seen'] }, 39 * DAY_MS)
    await act(close('seen'), DAY_MS)
    // The event of its first look is deleted, and the mark stays.
    await database.query(
      `insert into triage_state (threat_id, read_at, read_by) values ('forgotten', $1, $2)`,
      [ago(39 * DAY_MS), ADA.who],
    )
    await act(close('forgotten'), DAY_MS)

    const { firstLook, closing, closed } = await figures()
    expect([firstLook.cases, closing.cases, closed.cases]).toEqual([0, 2, 3])
    expect(closing.medianMs).toBe(39 * DAY_MS)
  }),
)

test(
  'a first look stays when its event is deleted, and moves when it is undone',
  withDatabase('bff', async (database) => {
    const { act, undo, figures } = await start(database, [
      { claims: [{ id: 'unread', daysAgo: 50 }] },
      { claims: [{ id: 'undone', daysAgo: 20 }] },
      { claims: [{ id: 'never', daysAgo: 20 }] },
    ])
    await act({ action: 'read', ids: ['unread'] }, 49 * DAY_MS)
    await act({ action: 'unread', ids: ['unread'] }, 48 * DAY_MS)
    await deleteOldEvents(database, ago(45 * DAY_MS), 10)
    await act({ action: 'read', ids: ['unread'] }, DAY_MS)
    const first = await act({ action: 'star', ids: ['undone'] }, 15 * DAY_MS)
    await undo(first)
    await act({ action: 'read', ids: ['undone'] }, 10 * DAY_MS)
    await undo(await act({ action: 'read', ids: ['never'] }, 5 * DAY_MS))

    expect((await figures()).firstLook).toMatchObject({ cases: 1, medianMs: 10 * DAY_MS })
  }),
)

test(
  'compares a month with as many recorded days of the month before',
  withDatabase('bff', async (database) => {
    const days = [1, 2, 30, 33, 40, 59]
    const { act, figures } = await start(
      database,
      days.map((daysAgo) => ({ claims: [{ id: `c${daysAgo}`, daysAgo: daysAgo + 0.1 }] })),
    )
    for (const daysAgo of days) await act(close(`c${daysAgo}`), daysAgo * DAY_MS)

    // Of March up to now, 28 days are compared with the 28 of February.
    const march = await figures('2026-03')
    expect(march.closed).toMatchObject({ cases: 3, compared: { count: 1, previous: 2 } })
    expect(march.closing.previousMedianMs).toBe(0.1 * DAY_MS)
    expect((await figures('2026-02')).closed).toMatchObject({ cases: 2, compared: null })
  }),
)

test(
  'open cases are as many as the feed shows behind each link',
  withDatabase('bff', async (database) => {
    const { act, ask, figures } = await start(database, [
      { claims: ['a1', 'a2'].map((id, at) => ({ id, daysAgo: 3 + 10 * at })) },
      { claims: [{ id: 'b', daysAgo: 0.5 }] },
      { claims: [{ id: 'c', daysAgo: 40 }] },
      { claims: [{ id: 'd', daysAgo: 100 }] },
      { claims: [{ id: 'closed', daysAgo: 100 }] },
    ])
    await act(close('closed'), DAY_MS)
    const { open } = await figures()
    expect([open.cases, ...open.older.map(({ cases }) => cases)]).toEqual([4, 3, 3, 2, 1])
    for (const { until, cases } of open.older) {
      const path = `/bff/threats?timeZone=UTC&triage=open&rows=cases&until=${until}`
      expect(threatListSchema.parse(await (await ask(path)).json()).cases).toBe(cases)
    }
  }),
)

test(
  'alert messages arrive in time within 5 minutes from when their first claim was known',
  withDatabase('bff', async (database) => {
    const { figures } = await start(database, [{ claims: [{ id: 'a', daysAgo: 4 }] }])
    const send = (given: {
      name: string
      matched: string
      arrived: string | null
      state?: string
      kind?: string
    }) =>
      database.query(
        `with destination as (
           insert into delivery_destination (channel, fingerprint, sealed, masked)
           values ('slack', sha256($1::bytea), '', $1) returning id),
         cause as (insert into delivery_cause (id, name) values ($1, $1) on conflict do nothing),
         made as (
           insert into delivery (destination_id, kind, content, state, created_at, touched_at)
           select id, $5, case when $5 = 'matches' then null else '{}'::jsonb end, $4, $2, $2 from destination
           returning id, destination_id),
         matched as (
           insert into delivery_match (event, cause_id, destination_id, threat_id, threat, delivery_id, matched_at)
           select 'threat:' || threat, $1, destination_id, threat, '{}', id, $2
             from made, unnest(array['one', 'two']) as threat)
         insert into delivery_attempt (delivery_id, number, started_at, ended_at, outcome)
         select id, 1, $2, $3, 'accepted' from made where $3::timestamptz is not null`,
        [given.name, given.matched, given.arrived, given.state ?? 'sent', given.kind ?? 'matches'],
      )
    const at = (minutes: number) =>
      new Date(Date.parse('2026-03-20T08:00:00Z') + minutes * 60_000).toISOString()
    await send({ name: 'prompt', matched: at(0), arrived: at(4) })
    await send({ name: 'slow', matched: at(0), arrived: at(6) })
    await send({ name: 'failed', matched: at(0), arrived: null, state: 'failed' })
    await send({ name: 'digest', matched: at(0), arrived: at(1), kind: 'digest' })
    await send({ name: 'dropped', matched: at(0), arrived: null, state: 'notSent' })
    expect((await figures()).alerts).toEqual({ messages: 3, inTime: 1 })

    // The evaluation was late: the claim had been stored ten minutes before it matched.
    await send({ name: 'late', matched: at(100), arrived: at(101) })
    await database.query(
      `insert into threat_change (number, threat_id, kind, fields, edge, at) values (1000, 'two', 'new', '{}', 'live', $1)`,
      [at(90)],
    )
    expect((await figures()).alerts).toEqual({ messages: 4, inTime: 1 })
  }),
)

test(
  'compares nothing with a time whose actions are deleted, though its comments stay',
  withDatabase('bff', async (database) => {
    const { act, figures } = await start(
      database,
      ['noted', 'before', 'now'].map((id) => ({ claims: [{ id, daysAgo: 100 }] })),
    )
    await act({ action: 'note', ids: ['noted'], text: 'ask legal' }, 90 * DAY_MS)
    await act({ action: 'star', ids: ['noted'] }, 89 * DAY_MS)
    await act(close('before'), 45 * DAY_MS)
    await act(close('now'), 5 * DAY_MS)
    expect((await figures()).closed.compared).toMatchObject({ count: 1, previous: 1 })
    await database.transaction((tx) => deleteOldEvents(tx, ago(30 * DAY_MS), 1_000))
    expect(await figures()).toMatchObject({ recordedFrom: ago(5 * DAY_MS), closed: { compared: null } })
  }),
)
