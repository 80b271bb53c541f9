import { expect, test } from 'vitest'
import { threatRoutes } from '#bff/pages/threats/threat-routes.ts'
import { actOn, undo } from '#bff/pages/triage/triage-routes.ts'
import { readShift } from '#bff/store/read-shift.ts'
import { writeTrouble } from '#bff/store/sync/sync-state.ts'
import { shiftSchema, shiftStartSchema } from '#contract/bff/shift.ts'
import { threatListSchema } from '#contract/bff/threat-list.ts'
import type { TriageAction } from '#contract/bff/triage.ts'
import { HOUR_MS } from '#contract/duration.ts'
import type { Database } from '#database/database.ts'
import { ADMIN, createTestBff } from '#test/support/ask-bff.ts'
import { holdThreats, makeThreat } from '#test/support/store/hold-threats.ts'
import { withDatabase } from '#test/support/with-database.ts'
import { shiftRoutes } from './shift-routes.ts'

const NOW = '2026-03-31T12:00:00.000Z'
const SINCE = '2026-03-31T05:00:00.000Z'
const ago = (hours: number) => new Date(Date.parse(NOW) - hours * HOUR_MS).toISOString()

/** One case with an old and a new claim, and threats that stand alone. */
async function start(database: Database) {
  const threats = [
    makeThreat('okapi-new', ago(1)),
    makeThreat('zebra', ago(2)),
    makeThreat('okapi-old', ago(30)),
    makeThreat('lynx', ago(40)),
  ]
  const { store, clock } = await holdThreats(database, { now: NOW, threats })
  await database.query(
    `with begun as (insert into victim_case default values returning id)
     insert into case_claim (threat_id, case_id, own_id)
     select unnest(array['okapi-new', 'okapi-old']), id, id from begun`,
  )
  const opened = { database, store, clock, secret: 'a secret' }
  const bff = await createTestBff(database, { routes: [...shiftRoutes(opened), ...threatRoutes(opened)] })
  await bff.signIn()
  const { rows } = await database.query('select id::text from account where email = $1', [ADMIN.email])
  const ada = { accountId: String(Object(rows[0]).id), who: ADMIN.email, name: 'ada' }
  return {
    ask: bff.ask,
    ownId: ada.accountId,
    shift: async () => shiftSchema.parse(await (await bff.ask(`/bff/shift?since=${SINCE}`)).json()),
    visit: async (timeZone = 'UTC') =>
      shiftStartSchema.parse(await (await bff.ask('/bff/shift-visits', { body: { timeZone } })).json()).since,
    act: async (action: TriageAction, hoursAgo = 1) => {
      const { undoId } = await database.transaction((tx) => actOn(tx, action, ada))
      await database.query('update triage_event set at = $2 where id = $1', [undoId, ago(hoursAgo)])
      return undoId ?? expect.fail('Nothing was changed.')
    },
    undo: (undoId: string) => database.transaction((tx) => undo(tx, undoId, ada)),
  }
}

function withShift(run: (shift: Awaited<ReturnType<typeof start>>, database: Database) => Promise<void>) {
  return withDatabase('bff', async (database) => run(await start(database), database))
}

test(
  'says what is new, closed and written since then, by cases, and leaves out what was undone',
  withShift(async ({ act, undo, shift, ownId }) => {
    await act({ action: 'close', ids: ['okapi-old'], reason: 'handled', text: 'told the supplier' })
    await act({ action: 'close', ids: ['lynx'], reason: 'duplicate', text: null }, 20)
    await undo(await act({ action: 'close', ids: ['zebra'], reason: 'other', text: null }))
    await act({ action: 'note', ids: ['okapi-new'], text: 'see mail' })
    await act({ action: 'note', ids: ['zebra'], text: 'of yesterday' }, 20)
    await undo(await act({ action: 'note', ids: ['zebra'], text: 'wrong' }))
    await act({ action: 'assign', ids: ['zebra'], ownerId: ownId })

    const { added, closed, comments, open, owners } = await shift()
    expect([added.cases, added.newest.map(({ id }) => id)]).toEqual([2, ['okapi-new', 'zebra']])
    expect(closed.cases).toBe(1)
    expect(closed.newest).toMatchObject([
      { threat: { id: 'okapi-new' }, who: 'ada', reason: 'handled', text: 'told the supplier' },
    ])
    expect(comments.count).toBe(1)
    expect(comments.newest).toMatchObject([{ threat: { id: 'okapi-new' }, text: 'see mail', mentions: [] }])
    expect(open.cases).toBe(1)
    expect(owners.map(({ name, cases }) => [name, cases])).toEqual([['ada', 1]])
  }),
)

test(
  'says how old the stored claims are',
  withShift(async ({ shift }) => {
    expect((await shift()).freshness).toMatchObject({ fetchedAt: NOW, isStale: false, staleReason: null })
  }),
)

test(
  'says before the first read that nothing is stored, and why',
  withDatabase('bff', async (database) => {
    const { store, clock } = await holdThreats(database, { now: NOW, threats: [] })
    const staleReason = 'The vendor cannot be reached or failed.'
    await writeTrouble(database, 'a source', staleReason)
    const { added, freshness } = await readShift(
      { database, store, clock },
      { since: SINCE, accountId: null },
    )
    expect(added.cases).toBe(0)
    expect(freshness).toMatchObject({ isStale: true, staleReason, coverage: { status: 'none' } })
  }),
)

test(
  'every count is that of the feed behind its link',
  withShift(async ({ act, ask, shift, ownId }, database) => {
    await act({ action: 'assign', ids: ['okapi-old'], ownerId: ownId })
    await act({ action: 'close', ids: ['lynx'], reason: 'handled', text: null })
    await database.query(
      `with list as (
         insert into name_list (account_id, name, kind, is_shared) values ($1, 'Suppliers', 'supplier', true) returning id),
       entry as (
         insert into list_entry (list_id, name, domains, registrable, weight, is_matched)
         select id, 'Okapi', '{}', '{}', 'normal', true from list returning id)
       insert into list_match (entry_id, threat_id, certainty, rule, words)
       select id, threat, 'certain', 'name', 'okapi' from entry, unnest(array['okapi-new', 'okapi-old', 'lynx']) as threat`,
      [ownId],
    )
    const { added, overdue, open, lists, owners } = await shift()
    expect(owners.map(({ name, cases }) => [name, cases])).toEqual([
      ['ada', 1],
      [null, 1],
    ])
    expect(lists.map(({ name, cases }) => [name, cases])).toEqual([['Suppliers', 1]])
    for (const { cases, filter } of [added, overdue, open, ...lists, ...owners]) {
      const query = new URLSearchParams({ timeZone: 'UTC', rows: 'cases', ...filter })
      expect(threatListSchema.parse(await (await ask(`/bff/threats?${query}`)).json()).cases).toBe(cases)
    }
  }),
)

test(
  'reports overdue cases with time and owner, and whether there is a list',
  withShift(async ({ act, shift, ownId }, database) => {
    expect(await shift()).toMatchObject({ overdue: { states: [] }, hasLists: false })
    await act({ action: 'assign', ids: ['okapi-old'], ownerId: ownId })
    await database.query(
      `update case_claim set known_at = $1, known_levels = 8, revision = nextval('case_revision')`,
      [ago(30)],
    )
    await database.query(
      `insert into name_list (account_id, name, kind, is_shared) values ($1, 'Suppliers', 'supplier', false)`,
      [ownId],
    )
    const { overdue, hasLists, lists } = await shift()
    expect([overdue.cases, hasLists, lists]).toEqual([1, true, []])
    expect(overdue.states).toMatchObject([
      { id: overdue.newest[0]?.id, due: { at: ago(26), hours: 4 }, owner: { name: 'ada', isMe: true } },
    ])
  }),
)

test(
  'begins at 06:00 on the first visit, and at the visit before on a later one',
  withShift(async ({ visit }, database) => {
    expect(await visit()).toBe('2026-03-31T06:00:00.000Z')
    expect(await visit('America/New_York')).toBe('2026-03-31T10:00:00.000Z')
    // In Honolulu it is 02:00.
    expect(await visit('Pacific/Honolulu')).toBe('2026-03-30T16:00:00.000Z')

    await database.query(`update shift_visit set seen_at = '2026-03-30T14:00:30Z'`)
    expect(await visit()).toBe('2026-03-30T14:00:00.000Z')
    // Opened again at once, the page shows the same.
    expect(await visit()).toBe('2026-03-30T14:00:00.000Z')
  }),
)

test(
  'refuses a start that is no moment',
  withShift(async ({ ask }) => {
    for (const since of ['', '?since=yesterday', '?since=0000-01-01T00:00:00Z'])
      expect((await ask(`/bff/shift${since}`)).status).toBe(400)
    expect((await ask('/bff/shift-visits', { body: { timeZone: 'Nowhere' } })).status).toBe(400)
  }),
)

test(
  'an owner whose email address is the end of another one has only their own cases',
  withShift(async ({ act, shift }, database) => {
    const add = async (name: string, email: string) => {
      const { rows } = await database.query(
        `insert into account (email, name, role, password_hash)
         select $1, $2, 'analyst', password_hash from account where email = $3 returning id::text`,
        [email, name, ADMIN.email],
      )
      return String(Object(rows[0]).id)
    }
    const ann = await add('Ann', 'ann@corp.example')
    const maryAnn = await add('Mary Ann', 'mary.ann@corp.example')
    await act({ action: 'assign', ids: ['zebra'], ownerId: ann })
    await act({ action: 'assign', ids: ['lynx'], ownerId: maryAnn })
    const { owners } = await shift()
    expect(owners.map(({ name, cases }) => [name, cases])).toEqual(
      expect.arrayContaining([
        ['Ann', 1],
        ['Mary Ann', 1],
      ]),
    )
  }),
)

test(
  'counts all claims of a day as new if they have no time of day',
  withDatabase('bff', async (database) => {
    const threats = Array.from({ length: 10 }, (_, at) =>
      makeThreat(`dated-${at}`, '2026-03-31T00:00:00.000Z'),
    )
    const { store, clock } = await holdThreats(database, { now: NOW, threats })
    const { added } = await readShift({ database, store, clock }, { since: SINCE, accountId: null })
    expect(added).toMatchObject({ cases: 10, filter: { since: '2026-03-31T00:00:00.000Z' } })
  }),
)
