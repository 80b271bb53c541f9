import { expect, test } from 'vitest'
import { triageRoutes } from '#bff/pages/triage/triage-routes.ts'
import { placeAllClaims } from '#bff/store/cases/place-claims.ts'
import { appendChanges } from '#bff/store/changes/change-log.ts'
import { dueColumnOf } from '#bff/store/index/due-column.ts'
import { createDictionaries, toRows } from '#bff/store/index/index-rows.ts'
import { countStored, placeThreats, storeThreats } from '#bff/store/records/store-threats.ts'
import { createReadStep } from '#bff/store/sync/read-step.ts'
import { createTeamMarks } from '#bff/store/team-marks.ts'
import { dueTimesSchema } from '#contract/bff/due-time.ts'
import type { Threat } from '#contract/bff/threat.ts'
import type { TriageAction } from '#contract/bff/triage.ts'
import { triageStatesSchema } from '#contract/bff/triage-state.ts'
import { HOUR_MS } from '#contract/duration.ts'
import type { Database } from '#database/database.ts'
import { createTestBff, readProblem } from '#test/support/ask-bff.ts'
import { createFakeVendor } from '#test/support/store/fake-vendor.ts'
import { makeThreat } from '#test/support/store/hold-threats.ts'
import { isFilled } from '#test/support/store/read-stored-state.ts'
import { withDatabase } from '#test/support/with-database.ts'
import { dueTimeRoutes } from './due-time-routes.ts'

const DEFAULTS = { critical: 4, high: 24, medium: 72, low: null }

async function openDue(database: Database) {
  const readThreat = () => expect.fail('Every threat of these tests has been listed.')
  const bff = await createTestBff(database, {
    routes: [...dueTimeRoutes({ database }), ...triageRoutes({ database, readThreat })],
  })
  await bff.signIn()
  // From here on, the changes of claims are read.
  await placeAllClaims(database)
  return {
    bff,
    get: async () => dueTimesSchema.parse(await (await bff.ask('/bff/due-times')).json()),
    put: (body: unknown) => bff.ask('/bff/due-times', { method: 'PUT', body }),
    act: (body: TriageAction) => bff.ask('/bff/triage', { body }),
    /** Hours from when the case became known until it is due, by the rule; null for never. */
    async lookAt(id: string) {
      const answer = await bff.ask('/bff/triage/states', { body: { ids: [id] } })
      const due = triageStatesSchema.parse(await answer.json()).states.at(0)?.due
      if (!due) return null
      expect(Date.parse(due.at) - Date.parse(due.knownAt)).toBe(due.hours * HOUR_MS)
      return due
    },
  }
}

function withDue(run: (due: Awaited<ReturnType<typeof openDue>>, database: Database) => Promise<void>) {
  return withDatabase('bff', async (database) => run(await openDue(database), database))
}

type Claimed = Partial<Threat> & { edge?: 'live' | 'past'; hoursAgo?: number }

/** Stores a claim of Okapi Freight, and gives it its case. */
async function claim(
  database: Database,
  id: string,
  { edge = 'live', hoursAgo = 0, ...facts }: Claimed = {},
) {
  const at = new Date(Date.now() - hoursAgo * HOUR_MS).toISOString()
  const threat = makeThreat(id, at, {
    title: 'Okapi Freight Ltd',
    organizations: ['Okapi Freight Ltd'],
    domains: ['okapifreight.example'],
    actors: ['redfox'],
    severity: 'high',
    ...facts,
  })
  await storeThreats(database, placeThreats([threat], at), () => edge)
  await placeAllClaims(database)
}

/** Lets some hours pass since a claim became known. */
function passHours(database: Database, id: string, hours: number) {
  return database.query(
    'update case_claim set known_at = known_at - make_interval(hours => $2) where threat_id = $1',
    [id, hours],
  )
}

test(
  'due times begin with defaults, and admins set each from an hour to a year, or none',
  withDue(async ({ get, put }, database) => {
    expect(await get()).toEqual(DEFAULTS)
    const changed = { critical: 1, high: null, medium: 72, low: 8_760 }
    expect((await put(changed)).status).toBe(200)
    expect(await get()).toEqual(changed)
    await put(changed)
    const { rows } = await database.query(
      `select before, after from audit_event where action = 'due-times-changed'`,
    )
    expect(rows).toEqual([
      {
        before: '{"critical":4,"high":24,"low":null}',
        after: '{"critical":1,"high":null,"low":8760}',
      },
    ])
  }),
)

test(
  'refuses invalid hours, and users who are not admins',
  withDue(async ({ get, put, bff }, database) => {
    for (const hours of [0, -1, 1.5, 8_761, '4', 'none', undefined]) {
      const answer = await put({ ...DEFAULTS, high: hours })
      expect(answer.status, String(hours)).toBe(400)
      expect((await readProblem(answer)).fields?.map(({ name }) => name)).toEqual(['high'])
    }
    await database.query(`update account set role = 'analyst'`)
    bff.sessions.forgetAll()
    expect((await put({ ...DEFAULTS, high: 1 })).status).toBe(403)
    expect(await get()).toEqual(DEFAULTS)
  }),
)

test(
  'a case is due when the first of its open claims is, each from when it became known',
  withDue(async ({ lookAt, put }, database) => {
    await claim(database, 'first')
    await passHours(database, 'first', 10)
    const alone = await lookAt('first')
    expect(alone).toMatchObject({ severity: 'high', hours: 24 })

    await claim(database, 'second', { severity: 'critical' })
    const together = await lookAt('second')
    expect(together).toMatchObject({ severity: 'critical', hours: 4 })
    expect(Date.parse(together?.knownAt ?? '')).toBeGreaterThan(Date.parse(alone?.knownAt ?? ''))
    expect(Date.parse(together?.at ?? '')).toBeGreaterThan(Date.now())
    expect(await lookAt('first')).toEqual(together)

    await passHours(database, 'first', 12)
    expect(await lookAt('second')).toMatchObject({ severity: 'high', hours: 24 })
    await passHours(database, 'first', -12)

    await put({ ...DEFAULTS, critical: null })
    expect(await lookAt('second')).toEqual(alone)
  }),
)

test(
  'a rise of severity moves it earlier, and nothing but a person moves it later',
  withDue(async ({ lookAt }, database) => {
    await claim(database, 'first', { severity: 'medium' })
    const before = await lookAt('first')
    expect(before).toMatchObject({ hours: 72 })
    await claim(database, 'first', { severity: 'critical', edge: 'past' })
    const risen = await lookAt('first')
    expect(risen).toMatchObject({ hours: 4, knownAt: before?.knownAt })
    await claim(database, 'first', { severity: 'low', edge: 'past', hoursAgo: 48 })
    expect(await lookAt('first')).toEqual(risen)

    await database.query(`delete from window_threat`)
    await claim(database, 'first', { severity: 'low', hoursAgo: 1 })
    expect(await lookAt('first')).toEqual(risen)
  }),
)

test(
  'a severity without hours, and no severity, have no due time',
  withDue(async ({ lookAt }, database) => {
    await claim(database, 'low', { severity: 'low' })
    expect(await lookAt('low')).toBeNull()
    await claim(database, 'none', { organizations: ['Zebra Foods'], domains: [], severity: null })
    expect(await lookAt('none')).toBeNull()
  }),
)

test(
  'a closed case is not due, and a claim with news is due from its own time',
  withDue(async ({ lookAt, act }, database) => {
    await claim(database, 'first')
    await passHours(database, 'first', 100)
    const first = await lookAt('first')
    await act({ action: 'close', ids: ['first'], reason: 'handled', text: null })
    expect(await lookAt('first')).toBeNull()

    await claim(database, 'other-group', { actors: ['bluejay'] })
    const later = await lookAt('other-group')
    expect(Date.parse(later?.knownAt ?? '')).toBeGreaterThan(Date.parse(first?.knownAt ?? ''))
    expect(await lookAt('first')).toBeNull()

    await act({ action: 'reopen', ids: ['first'] })
    expect(await lookAt('other-group')).toEqual(first)
  }),
)

test(
  'records of the past never make a case due',
  withDue(async ({ lookAt }, database) => {
    await claim(database, 'first-sync', { edge: 'past' })
    expect(await lookAt('first-sync')).toBeNull()
    await claim(database, 'first-sync', { edge: 'past', severity: 'critical' })
    expect(await lookAt('first-sync')).toBeNull()
    await claim(database, 'published-long-ago', { hoursAgo: 8 * 24 })
    expect(await lookAt('published-long-ago')).toBeNull()

    await claim(database, 'now', { severity: 'medium' })
    expect(await lookAt('first-sync')).toMatchObject({ severity: 'medium' })
  }),
)

test(
  'no threat of a first sync counts, and each that comes later does',
  withDue(async (_due, database) => {
    const nowMs = Date.now()
    const records = Array.from({ length: 30 }, (_, at) => ({
      id: `old-${at}`,
      title: `Victim ${at}`,
      time: nowMs - at * HOUR_MS,
    }))
    const { upstream } = createFakeVendor(records)
    let elapsed = 0
    const step = createReadStep({
      database,
      upstream,
      clock: { elapsedMs: () => elapsed, nowMs: () => nowMs + elapsed },
      source: 'a source',
      history: { days: 30, records: 300_000 },
      isFree: false,
    })
    const read = async () => {
      while ((await step()) <= 1_000 || !(await isFilled(database)));
      await placeAllClaims(database)
    }
    await read()
    const known = () => database.query('select threat_id as id from case_claim where known_at is not null')
    expect([await countStored(database), (await known()).rows]).toEqual([30, []])

    elapsed += 600_000
    records.push({ id: 'new', title: 'New victim', time: nowMs + 1_000 })
    await read()
    expect((await known()).rows).toEqual([{ id: 'new' }])
  }),
)

test(
  'a claim that its source has withdrawn makes no case due',
  withDue(async ({ lookAt }, database) => {
    await claim(database, 'grave', { severity: 'critical', hoursAgo: 1 })
    await claim(database, 'mild', { severity: 'low' })
    const { due } = createTeamMarks(database)
    const rows = toRows(
      createDictionaries(),
      ['grave', 'mild'].map((id) => ({ id, at: 0, terms: [], searchedText: '' })),
    )
    const dueAtMs = async () => {
      const at = dueColumnOf(rows, await due())[rows.ids.indexOf('mild')]
      return Number.isNaN(at) ? null : at
    }
    expect([(await lookAt('mild'))?.severity, await dueAtMs()]).toEqual(['critical', expect.any(Number)])

    await database.query(`delete from window_threat where id = 'grave'`)
    await appendChanges(database, [{ threatId: 'grave', kind: 'removed', fields: [] }], 'past')
    await placeAllClaims(database)
    expect([await lookAt('mild'), await dueAtMs()]).toEqual([null, null])

    await claim(database, 'grave', { severity: 'critical', hoursAgo: 1 })
    expect([(await lookAt('mild'))?.severity, await dueAtMs()]).toEqual(['critical', expect.any(Number)])
  }),
)
